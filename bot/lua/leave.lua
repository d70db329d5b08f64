-- A consumer goes: what it holds is handed back for anyone to take at once.
-- KEYS  ready|sendable marks:{stream}
-- ARGV  stream, consumer
local stream, consumer = ARGV[1], ARGV[2]
local pending = redis.pcall('XPENDING', key(stream), GROUP, '-', '+', 1000, consumer)
if pending.err then
  return 0
end
for _, held in ipairs(pending) do
  local found = redis.call('XRANGE', key(stream), held[1], held[1])[1]
  if found then
    to_the_end(stream, held[1], found[2][2])
  else
    redis.call('XACK', key(stream), GROUP, held[1])
  end
end
redis.call('XGROUP', 'DELCONSUMER', key(stream), GROUP, consumer)
return #pending
