-- A notice was sent, or given up: remember it and go on to the next of its destination.
-- KEYS  sendable marks:sendable outbox:{destination} notice:{id} unsent mailbox:{thread} letters:{thread} arrivals
--       ready marks:ready timers timer-data alarm
-- ARGV  destination, entry, consumer, notice id, digest, channel, ts, life in s, given up: the record or '',
--       the ts it had when it was taken or '', what puts right what was done too late or '',
--       the same for later, each with `after` in ms, where another sender may still do something
-- Returns 1; 0 if another sender has taken over; 2 if another posted it in between
local destination, entry, consumer, id, digest, channel, ts, life, unsent = unpack(ARGV, 1, 9)
local had, late, sweeps = ARGV[10], ARGV[11], ARGV[12]
local record = key('notice', id)
local stands = redis.call('HGET', record, 'ts')
local second = ts ~= '' and ts ~= had and stands and stands ~= ts and stands ~= had
if not is_ours('sendable', entry, consumer) then
  if ts ~= '' and not stands and redis.call('EXISTS', record) == 1 then
    redis.call('HSET', record, 'channel', channel, 'ts', ts)
  end
  if late ~= '' and ts ~= '' then
    -- Even if no other post is known: one may stand that nobody lived to tell of.
    put_right(record, ts ~= had, cjson.decode(late))
  end
  return 0
end
if redis.call('HGET', record, 'digest') == '' then
  -- A late sender has asked for it to be shown again: what stands now may be older than this.
  redis.call('HDEL', record, 'settled')
else
  redis.call('HSET', record, 'settled', digest)
end
if second then
  put_right(record, true, cjson.decode(late))
elseif ts ~= '' then
  redis.call('HSET', record, 'channel', channel, 'ts', ts)
end
for _, sweep in ipairs(cjson.decode(sweeps)) do
  set_clock('p:' .. sweep.event, now_ms() + sweep.after, cjson.encode(sweep))
end
if unsent ~= '' then
  redis.call('RPUSH', key('unsent'), unsent)
end
redis.call('HDEL', record, 'flying', 'doubt', 'overtaken', 'tries')
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
return second and 2 or 1
