-- Begin, or begin again, the first event of a thread. What was begun stays first, whatever comes in later.
-- KEYS  fence:{thread} working:{thread} mailbox:{thread} letters:{thread}
-- ARGV  thread, fence
-- Returns 'stale', nothing, or event id, event, starts, failures
local thread, fence = ARGV[1], ARGV[2]
if redis.call('GET', key('fence', thread)) ~= fence then
  return 'stale'
end
local working = key('working', thread)
local member = redis.call('HGET', working, 'member')
if not member then
  member = redis.call('ZRANGE', key('mailbox', thread), 0, 0)[1]
  if not member then
    return false
  end
  redis.call('HSET', working, 'member', member, 'id', string.sub(member, string.find(member, '|', 1, true) + 1),
    'failures', '0')
end
local starts = redis.call('HINCRBY', working, 'starts', 1)
local begun = redis.call('HMGET', working, 'id', 'failures')
return {begun[1], redis.call('HGET', key('letters', thread), member) or '', starts, tonumber(begun[2])}
