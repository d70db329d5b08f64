"""The scripts of the checkpoints. Each changes all it changes at once, and only for the newest fence."""

from __future__ import annotations

from typing import Final

from graph.store.case_scripts import CLAIMING

PUT: Final = """
-- KEYS[1] fence:{thread}  KEYS[2] kept:{thread}, and the keys it names  KEYS[3] the latest pointer  KEYS[4] the checkpoint
--         KEYS[5] staked:{thread}  KEYS[6] claimed:{thread}
-- ARGV    fence, the pointer that was loaded ('' for none), checkpoint id, checkpoint
local newest = redis.call('GET', KEYS[1])
if newest and newest ~= ARGV[1] then return 0 end
local latest = redis.call('GET', KEYS[3]) or ''
if latest ~= ARGV[2] and latest ~= KEYS[4] then return 0 end
redis.call('JSON.SET', KEYS[4], '$', ARGV[4])
redis.call('SET', KEYS[3], KEYS[4])
for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  if name ~= KEYS[3] and not string.find(name, ARGV[3], 1, true) then
    redis.call('DEL', name)
    redis.call('SREM', KEYS[2], name)
  end
end
redis.call('SADD', KEYS[2], KEYS[3], KEYS[4])
-- What was reserved up to now may be in this checkpoint: whoever gives up its turn before the case is stored leaves it.
for index = 5, 6 do
  if redis.call('EXISTS', KEYS[index]) == 1 then redis.call('SADD', KEYS[index], 'kept') end
end
return 1
"""

PUT_WRITES: Final = """
-- KEYS[1] fence:{thread}  KEYS[2] kept:{thread}  KEYS[3…] the writes
-- ARGV    fence, then a document for each write
local newest = redis.call('GET', KEYS[1])
if newest and newest ~= ARGV[1] then return 0 end
for index = 3, #KEYS do
  redis.call('JSON.SET', KEYS[index], '$', ARGV[index - 1])
  redis.call('SADD', KEYS[2], KEYS[index])
end
return 1
"""

LOOK: Final = f"""
{CLAIMING}
-- KEYS[1] the latest pointer  KEYS[2] kept:{{thread}}, and the keys it names  KEYS[3] begun:{{thread}}
--         KEYS[4] thread:{{thread}}  KEYS[5] used:{{thread}}  KEYS[6] case:{{id}}, which a thread without a case takes, and
--         KEYS[7] archived:{{case}}; or nothing
-- ARGV    what the key of a case begins with, the event, the run that takes the case, the id of the case
-- Returns the turn that began a write, or ''; the record of the latest case, or '', where there is no checkpoint; 1 where
-- the case was taken; the case that the event was used in, or that it opened, or ''; then the checkpoint and what is
-- pending after it
local found = {{redis.call('GET', KEYS[3]) or '', '', 0, redis.call('HGET', KEYS[5], ARGV[2]) or ''}}
if KEYS[6] and found[4] == '' and redis.call('HGET', KEYS[6], 'run') == ARGV[3] and came(KEYS[6], KEYS[7]) then
  found[4] = ARGV[4]
end
local latest = redis.call('GET', KEYS[1])
local document = latest and redis.call('JSON.GET', latest)
if not document then
  local case = redis.call('GET', KEYS[4])
  found[2] = case and redis.call('HGET', ARGV[1] .. case, 'record') or ''
  if not case and KEYS[6] and found[1] == '' and found[4] == '' then found[3] = claim(KEYS[6], ARGV[3]) end
  return found
end
found[5] = document
local id = string.match(latest, '[^:]+$')
for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  if name ~= latest and string.find(name, id, 1, true) then
    found[#found + 1] = redis.call('JSON.GET', name)
  end
end
return found
"""

FORGET: Final = """
-- KEYS[1] fence:{thread}  KEYS[2] kept:{thread}, and the keys it names
-- ARGV    fence
local newest = redis.call('GET', KEYS[1])
if newest and newest ~= ARGV[1] then return 0 end
for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do redis.call('DEL', name) end
redis.call('DEL', KEYS[2])
return 1
"""
