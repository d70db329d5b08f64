-- What a late sender wrote may have hidden what is newer: forget what is shown, and have the thread tell its state anew.
-- KEYS  notice:{id} mailbox:{thread} letters:{thread} arrivals ready marks:ready
-- ARGV  notice id, thread, event id, event without `at`
local id, thread, event, json = unpack(ARGV, 1, 4)
local record = key('notice', id)
if redis.call('EXISTS', record) == 0 then
  return 0
end
redis.call('HSET', record, 'digest', '')
redis.call('HDEL', record, 'settled')
local now = now_us()
deliver(thread, event, json, digits(now), math.floor(now / 1000))
return 1
