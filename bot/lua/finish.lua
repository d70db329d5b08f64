-- An event is done: its notices, its timers and its removal, or nothing.
-- KEYS  fence:{thread} working:{thread} mailbox:{thread} letters:{thread} notice:{id} outbox:{destination}
--       sendable marks:sendable seen:{timer} timers timer-data alarm dead; of what follows: as for `put`
-- ARGV  thread, event id, fence, notices as parcels, timers, set aside: the record or '', life of a removed receipt in s,
--       what follows: events as letters, life of their marks in s
-- Returns the events left, or 'stale'
local thread, id, fence, parcels, timers, dead, life, letters, marked = unpack(ARGV, 1, 9)
if redis.call('GET', key('fence', thread)) ~= fence then
  return 'stale'
end
local working = key('working', thread)
if redis.call('HGET', working, 'id') ~= id then
  -- Finished before: the answer was lost, and all that belongs to it was done then.
  return redis.call('ZCARD', key('mailbox', thread))
end
-- Decoded before the first write: a script that breaks off leaves what it has written.
parcels, timers, letters = cjson.decode(parcels), cjson.decode(timers), cjson.decode(letters)
for _, parcel in ipairs(parcels) do
  enqueue(parcel)
end
for _, timer in ipairs(timers) do
  if redis.call('EXISTS', key('seen', 'timer:' .. timer.id)) == 0 then
    set_clock('t:' .. timer.id, timer.due, timer.event)
  end
end
for _, letter in ipairs(letters) do
  if redis.call('SET', key('seen', letter.id), id, 'EX', marked, 'NX') then
    deliver(letter.thread, letter.id, letter.json, letter.said, now_ms())
  end
end
clear_clock('r:' .. id)
-- A sign of receipt that was not sent yet has nothing left to say.
local receipt = 'received:' .. id
local record = redis.call('HMGET', key('notice', receipt), 'waiting', 'flying', 'destination')
if record[1] == '1' and not record[2] then
  redis.call('LREM', key('outbox', record[3]), 1, receipt)
  redis.call('HDEL', key('notice', receipt), 'waiting', 'notice')
  redis.call('EXPIRE', key('notice', receipt), life)
end
local member = redis.call('HGET', working, 'member')
redis.call('ZREM', key('mailbox', thread), member)
redis.call('HDEL', key('letters', thread), member)
redis.call('DEL', working)
if dead ~= '' then
  redis.call('HSET', key('dead'), id, dead)
end
return redis.call('ZCARD', key('mailbox', thread))
