-- The thread's mailbox was emptied: take it off the ready stream, unless more has come.
-- KEYS  ready marks:ready mailbox:{thread}
-- ARGV  thread, entry, consumer
-- Returns 0 if there is more to do
local thread, entry, consumer = ARGV[1], ARGV[2], ARGV[3]
if not is_ours('ready', entry, consumer) then
  return 1
end
if redis.call('ZCARD', key('mailbox', thread)) > 0 then
  return 0
end
strike('ready', entry, thread)
return 1
