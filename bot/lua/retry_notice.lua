-- A notice could not be sent: its destination waits, the order stays.
-- KEYS  sendable marks:sendable notice:{id} timers alarm outbox:{destination} mailbox:{thread} letters:{thread} arrivals
--       ready marks:ready
-- ARGV  destination, entry, consumer, notice id, delay in ms, in doubt 0|1, counted 0|1,
--       what puts right what was done too late or ''
local destination, entry, consumer, id, delay, doubt, counted, late = unpack(ARGV, 1, 8)
local record = key('notice', id)
if not is_ours('sendable', entry, consumer) then
  if doubt == '1' and late ~= '' and redis.call('EXISTS', record) == 1 then
    put_right(record, true, cjson.decode(late))
  end
  return 0
end
redis.call('HDEL', record, 'flying', 'doubt')
if doubt == '1' then
  redis.call('HSET', record, 'doubt', '1')
end
if counted == '0' then
  redis.call('HINCRBY', record, 'tries', -1)
end
later('sendable', entry, destination, now_ms() + delay)
return 1
