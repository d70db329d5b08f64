-- Put before every script. KEYS[1] is the prefix of all keys; graph/store/keys.py says what each holds.
-- Streams `ready` and `sendable` hold an item once at most: marks:{stream} knows its entry, or 'later'.
local GROUP = 'workers'

local function key(name, item)
  if item then
    return KEYS[1] .. ':' .. name .. ':' .. item
  end
  return KEYS[1] .. ':' .. name
end

-- Lua would print a large number as 1.7e+15.
local function digits(number)
  return string.format('%.0f', number)
end

local function now_us()
  local now = redis.call('TIME')
  return now[1] * 1000000 + now[2]
end

local function now_ms()
  return math.floor(now_us() / 1000)
end

local function set_clock(member, due, data)
  local timers = key('timers')
  local first = redis.call('ZRANGE', timers, 0, 0, 'WITHSCORES')[2]
  redis.call('ZADD', timers, digits(due), member)
  if data then
    redis.call('HSET', key('timer-data'), member, data)
  end
  if not first or due < tonumber(first) then
    redis.call('LPUSH', key('alarm'), '1')
    redis.call('LTRIM', key('alarm'), 0, 0)
  end
end

local function clear_clock(member)
  redis.call('ZREM', key('timers'), member)
  redis.call('HDEL', key('timer-data'), member)
end

local function append(stream, item)
  local entry = redis.call('XADD', key(stream), '*', 'item', item)
  redis.call('HSET', key('marks', stream), item, entry)
end

local function enlist(stream, item)
  if redis.call('HEXISTS', key('marks', stream), item) == 0 then
    append(stream, item)
  end
end

local function is_ours(stream, entry, consumer)
  local pending = redis.pcall('XPENDING', key(stream), GROUP, entry, entry, 1)
  return not pending.err and pending[1] ~= nil and pending[1][2] == consumer
end

local function remove(stream, entry)
  redis.call('XACK', key(stream), GROUP, entry)
  redis.call('XDEL', key(stream), entry)
end

local function strike(stream, entry, item)
  remove(stream, entry)
  redis.call('HDEL', key('marks', stream), item)
end

local function to_the_end(stream, entry, item)
  remove(stream, entry)
  append(stream, item)
end

local CLOCK_OF = {ready = 'w:', sendable = 's:'}

local function later(stream, entry, item, due)
  remove(stream, entry)
  redis.call('HSET', key('marks', stream), item, 'later')
  set_clock(CLOCK_OF[stream] .. item, due)
end

-- The event gets its time here, so that every replay of it agrees. `json` has no `at` yet.
local function deliver(thread, id, json, said_us, arrived_ms)
  local member = string.format('%016.0f', redis.call('INCR', key('arrivals'))) .. '|' .. id
  redis.call('HSET', key('letters', thread), member, '{"at":' .. digits(arrived_ms) .. ',' .. string.sub(json, 2))
  redis.call('ZADD', key('mailbox', thread), said_us, member)
  enlist('ready', thread)
end

-- `waiting` counts the places a notice has in its queue: two when a newer version came while one was being sent.
local function enqueue(parcel)
  local record = key('notice', parcel.id)
  local old = redis.call('HMGET', record, 'digest', 'once', 'waiting', 'flying', 'destination')
  local digest, once, waiting, flying = old[1], old[2], tonumber(old[3] or '0'), old[4]
  if digest and (once == '1' or digest == parcel.digest) then
    return
  end
  -- An edit goes where the post went, whatever it now says.
  local destination = old[5] or parcel.destination
  redis.call('HSET', record, 'digest', parcel.digest, 'once', parcel.once, 'notice', parcel.notice,
    'destination', destination)
  redis.call('PERSIST', record)
  if waiting == 0 or (waiting == 1 and flying) then
    redis.call('RPUSH', key('outbox', destination), parcel.id)
    redis.call('HINCRBY', record, 'waiting', 1)
  end
  enlist('sendable', destination)
end

-- A sender slept, and did something too late. A post that does not count is taken back, and since an edit may have hidden
-- what is newer, the notice counts as not shown and the thread tells its state once more.
local function put_right(record, posted, late)
  if posted then
    enqueue(late.back)
  end
  if redis.call('HGET', record, 'once') == '0' then
    redis.call('HSET', record, 'digest', '')
    redis.call('HDEL', record, 'settled')
    local now = now_us()
    deliver(late.thread, late.event, late.json, digits(now), math.floor(now / 1000))
  end
end
