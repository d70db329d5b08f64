-- A notice was sent, or given up: remember it and go on to the next of its destination.
-- KEYS  sendable marks:sendable outbox:{destination} notice:{id} unsent
-- ARGV  destination, entry, consumer, notice id, digest, channel, ts, life in s, given up: the record or '',
--       the ts it had when it was taken, or ''
-- Returns 1; 0 if another sender has taken over; 2 if it was posted by another in between: then that post stands
local destination, entry, consumer, id, digest, channel, ts, life, unsent, had = unpack(ARGV, 1, 10)
local record = key('notice', id)
local ours = is_ours('sendable', entry, consumer)
if not ours then
  -- It stands in Slack all the same: the other sender edits it if it comes to know in time.
  if ts ~= '' and redis.call('HEXISTS', record, 'ts') == 0 and redis.call('EXISTS', record) == 1 then
    redis.call('HSET', record, 'channel', channel, 'ts', ts)
  end
  return 0
end
local stands = redis.call('HGET', record, 'ts')
local twice = ts ~= '' and stands and stands ~= ts and stands ~= had
if redis.call('HGET', record, 'digest') == '' then
  -- It is to be shown again, see show_again: what stands now may be older.
  redis.call('HDEL', record, 'settled')
else
  redis.call('HSET', record, 'settled', digest)
end
if ts ~= '' and not twice then
  redis.call('HSET', record, 'channel', channel, 'ts', ts)
end
if unsent ~= '' then
  redis.call('RPUSH', key('unsent'), unsent)
end
redis.call('HDEL', record, 'flying', 'doubt', 'tries')
local queue = key('outbox', destination)
if redis.call('LINDEX', queue, 0) == id then
  redis.call('LPOP', queue)
  redis.call('HINCRBY', record, 'waiting', -1)
end
if redis.call('HGET', record, 'digest') == digest then
  redis.call('HDEL', record, 'notice')
  redis.call('EXPIRE', record, life)
end
if redis.call('LLEN', queue) > 0 then
  to_the_end('sendable', entry, destination)
else
  strike('sendable', entry, destination)
end
return twice and 2 or 1
