-- Take in one event, unless it was seen.
-- KEYS  seen:{mark} mailbox:{thread} letters:{thread} arrivals ready marks:ready timers timer-data alarm
-- ARGV  thread, event id, event without `at`, said at in µs or '', life of marks in s,
--       receipt's delay in ms or '', receipt's parcel, marks ...
local thread, id, json, said, life, delay, receipt = unpack(ARGV, 1, 7)
local seen = false
for i = 8, #ARGV do
  -- A duplicate's other marks are remembered too: the next duplicate may carry only those.
  if not redis.call('SET', key('seen', ARGV[i]), id, 'EX', life, 'NX') then
    seen = true
  end
end
if seen then
  return 0
end
local now = now_us()
deliver(thread, id, json, said == '' and digits(now) or said, math.floor(now / 1000))
if delay ~= '' then
  set_clock('r:' .. id, math.floor(now / 1000) + delay, receipt)
end
return 1
