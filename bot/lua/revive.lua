-- Put an event that was set aside back into its mailbox, as if it had just come.
-- KEYS  dead mailbox:{thread} letters:{thread} arrivals ready marks:ready
-- ARGV  thread, event id, event without `at`
if redis.call('HDEL', key('dead'), ARGV[2]) == 0 then
  return 0
end
local now = now_us()
deliver(ARGV[1], ARGV[2], ARGV[3], digits(now), math.floor(now / 1000))
return 1
