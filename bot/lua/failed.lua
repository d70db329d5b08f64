-- Count a failure of the event in hand; with 0, only its start is taken back.
-- KEYS  fence:{thread} working:{thread}
-- ARGV  thread, event id, fence, 1 or 0
-- Returns the failures so far, or 'stale'
local thread, id, fence, count = unpack(ARGV)
local working = key('working', thread)
if redis.call('GET', key('fence', thread)) ~= fence or redis.call('HGET', working, 'id') ~= id then
  return 'stale'
end
-- It came to an orderly end, so it does not count as a start that killed its worker.
redis.call('HSET', working, 'starts', '0')
return redis.call('HINCRBY', working, 'failures', count)
