-- Turn every clock that is due into what it stands for. Being one script, it fires each once, whoever calls.
-- KEYS  timers timer-data alarm seen:{timer} mailbox:{thread} letters:{thread} arrivals ready sendable marks:{stream}
--       notice:{id} outbox:{destination}
-- ARGV  how many at most, life of a fired timer's mark in s
-- Returns how many were due, ms until the next or -1, and the members that could not be read
local now = now_us()
local due = redis.call('ZRANGE', key('timers'), '-inf', digits(now / 1000), 'BYSCORE', 'LIMIT', 0, ARGV[1])
local broken = {}
for _, member in ipairs(due) do
  local kind, rest = string.sub(member, 1, 2), string.sub(member, 3)
  local data = redis.call('HGET', key('timer-data'), member)
  clear_clock(member)
  if kind == 'w:' or kind == 's:' then
    local stream = kind == 'w:' and 'ready' or 'sendable'
    if redis.call('HGET', key('marks', stream), rest) == 'later' then
      append(stream, rest)
    end
  else
    local readable, decoded = pcall(cjson.decode, data)
    if not readable then
      broken[#broken + 1] = member
    elseif kind == 'r:' then
      enqueue(decoded)
    elseif kind == 'p:' then
      put_right(key('notice', decoded.of), true, decoded)
    elseif redis.call('SET', key('seen', 'timer:' .. rest), '1', 'EX', ARGV[2], 'NX') then
      deliver(decoded.thread, 'timer:' .. rest, data, digits(now), math.floor(now / 1000))
    end
  end
end
local first = redis.call('ZRANGE', key('timers'), 0, 0, 'WITHSCORES')[2]
return {#due, first and math.max(0, tonumber(first) - math.floor(now / 1000)) or -1, broken}
