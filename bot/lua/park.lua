-- An operator gives up an event that was set aside, and its thread is told, where that is known.
-- KEYS  dead parked notice:{id} outbox:{destination} sendable marks:sendable
-- ARGV  event id, the notice as a parcel or ''
local id, parcel = ARGV[1], ARGV[2] ~= '' and cjson.decode(ARGV[2])
local dead = redis.call('HGET', key('dead'), id)
if not dead then
  return 0
end
redis.call('HDEL', key('dead'), id)
redis.call('RPUSH', key('parked'), dead)
if parcel then
  enqueue(parcel)
end
return 1
