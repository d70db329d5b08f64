-- A notice could not be sent: its destination waits, the order stays.
-- KEYS  sendable marks:sendable notice:{id} timers alarm
-- ARGV  destination, entry, consumer, notice id, delay in ms, in doubt 0|1, counted 0|1
local destination, entry, consumer, id, delay, doubt, counted = unpack(ARGV, 1, 7)
if not is_ours('sendable', entry, consumer) then
  return 0
end
local record = key('notice', id)
redis.call('HDEL', record, 'flying', 'doubt')
if doubt == '1' then
  redis.call('HSET', record, 'doubt', '1')
end
if counted == '0' then
  redis.call('HINCRBY', record, 'tries', -1)
end
later('sendable', entry, destination, now_ms() + delay)
return 1
