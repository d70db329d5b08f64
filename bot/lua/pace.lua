-- The next free moment of a channel, over all senders.
-- KEYS  pace:{channel}
-- ARGV  channel, what it takes up in ms, 1 to keep the channel quiet from now on, not to take a moment
-- Returns ms to wait
local now = now_ms()
local free = math.max(now, tonumber(redis.call('GET', key('pace', ARGV[1])) or '0'))
local after = free + ARGV[2]
if ARGV[3] == '1' then
  after = math.max(free, now + ARGV[2])
end
if after > now then
  redis.call('SET', key('pace', ARGV[1]), digits(after), 'PX', digits(after - now))
end
return free - now
