-- The first notice of a destination that still has to be posted or edited.
-- KEYS  sendable marks:sendable outbox:{destination} notice:{id}
-- ARGV  destination, entry, consumer
-- Returns nothing, or id, notice, digest, channel, ts, tries, doubt: 1 where an earlier try may have posted it, 2 where a
--         sender may still be about to
local destination, entry, consumer = ARGV[1], ARGV[2], ARGV[3]
if not is_ours('sendable', entry, consumer) then
  return false
end
local queue = key('outbox', destination)
local id = redis.call('LINDEX', queue, 0)
while id do
  local record = key('notice', id)
  local n = redis.call('HMGET', record, 'notice', 'digest', 'settled', 'channel', 'ts', 'flying', 'doubt', 'overtaken')
  if n[1] and n[2] ~= n[3] then
    -- Still flying: whoever had it died, or sleeps. It may have posted it, and may post it yet.
    local overtaken = n[6] or n[8]
    redis.call('HSET', record, 'flying', '1')
    if n[6] then
      redis.call('HSET', record, 'overtaken', '1')
    end
    local tries = redis.call('HINCRBY', record, 'tries', 1)
    return {id, n[1], n[2], n[4] or '', n[5] or '', tries, overtaken and 2 or n[7] and 1 or 0}
  end
  redis.call('LPOP', queue)
  if n[2] then
    redis.call('HINCRBY', record, 'waiting', -1)
  end
  id = redis.call('LINDEX', queue, 0)
end
strike('sendable', entry, destination)
return false
