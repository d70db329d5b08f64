-- Say that the items in hand are being worked on. One that another consumer took over is left to it.
-- KEYS  ready|sendable
-- ARGV  stream, consumer, entries ...
-- Returns the entries that are no longer ours
local stream, consumer = ARGV[1], ARGV[2]
local lost = {}
for i = 3, #ARGV do
  if is_ours(stream, ARGV[i], consumer) then
    redis.call('XCLAIM', key(stream), GROUP, consumer, 0, ARGV[i], 'JUSTID')
  else
    lost[#lost + 1] = ARGV[i]
  end
end
return lost
