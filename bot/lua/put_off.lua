-- Come back to an item later.
-- KEYS  ready|sendable marks:{stream} timers alarm
-- ARGV  stream, item, entry, consumer, delay in ms
local stream, item, entry, consumer, delay = unpack(ARGV, 1, 5)
if not is_ours(stream, entry, consumer) then
  return 0
end
later(stream, entry, item, now_ms() + delay)
return 1
