"""The scripts of the cases. Each changes all it changes at once; what a turn came to is stored by one of them."""

from __future__ import annotations

from typing import Final

from graph.store.audit import APPEND
from graph.store.claims import GIVE_BACK_CLAIMS
from graph.store.figures import BY_PERSON, ENDED, FIGURES_SECONDS
from graph.store.journal import FINISH
from graph.store.stakes import SETTLE

_USED_SECONDS: Final = 90 * 86400

CLAIMING: Final = """
-- case:{id}, the run that takes it. 0 when another has it.
local function claim(case, run)
  local known = redis.call('HGET', case, 'run')
  if not known then redis.call('HSET', case, 'run', run) end
  return (not known or known == run) and 1 or 0
end
-- case:{id}, archived:{case}. Whether a case has come of the id.
local function came(case, archived)
  return redis.call('HEXISTS', case, 'record') == 1 or redis.call('EXISTS', archived) == 1
end
"""

CLAIM: Final = f"""
-- KEYS[1] case:{{id}}  KEYS[2] archived:{{case}}
-- ARGV    run
-- Returns 0 when another run has it, 2 when this one has, and a case has come of it, else 1.
{CLAIMING}
if claim(KEYS[1], ARGV[1]) == 0 then return 0 end
return came(KEYS[1], KEYS[2]) and 2 or 1
"""

RELEASE: Final = """
-- KEYS[1] case:{id}
-- ARGV    run
if redis.call('HGET', KEYS[1], 'run') == ARGV[1] and redis.call('HEXISTS', KEYS[1], 'record') == 0 then
  return redis.call('DEL', KEYS[1])
end
return 0
"""

SAVE: Final = f"""
-- KEYS[1] case:{{id}}  KEYS[2] thread:{{thread}}  KEYS[3] open  KEYS[4] fence:{{thread}}  KEYS[5] begun:{{thread}}
--         KEYS[6] kept:{{thread}}, and the keys it names  KEYS[7] audit:{{case}}  KEYS[8] audited:{{case}}
--         KEYS[9] figures:{{week}}  KEYS[10] effects  KEYS[11] ended  KEYS[12] staked:{{thread}}
--         KEYS[13] used:{{thread}}  KEYS[14] claimed:{{thread}}  KEYS[15…] owner:{{actor}}, order:{{order}}, drills
-- ARGV    fence, case, record, time, 'open' or 'over', what the key of a place begins with, the place where the case waits
--         or '', since when, the procedure, 1 where it needed a person, the arguments of each `finish` and `settle`, what
--         the run holds at stake, the events that it has used, the thread and the key of the claim that it has or '', as
--         JSON, then as for `append`
-- Returns 1; 0 when the fence is not the newest, -1 when the head of the log has moved: then nothing was done.
{APPEND}
{FINISH}
{SETTLE}
{GIVE_BACK_CLAIMS}
local newest = redis.call('GET', KEYS[4])
if newest and newest ~= ARGV[1] then return 0 end
if not append(KEYS[1], KEYS[7], KEYS[8], 12) then return -1 end
local closing = cjson.decode(ARGV[11])
for _, each in ipairs(closing[1]) do finish(KEYS[10], unpack(each)) end
for _, each in ipairs(closing[2]) do settle(unpack(each)) end
give_back_lost(KEYS[12], closing[3])
for _, each in ipairs(closing[4]) do redis.call('HSET', KEYS[13], each, ARGV[2]) end
if closing[4][1] then redis.call('EXPIRE', KEYS[13], {_USED_SECONDS}) end
give_back_claims(KEYS[14], closing[5], closing[6])
if closing[6] == '' then redis.call('HDEL', KEYS[1], 'claim') else redis.call('HSET', KEYS[1], 'claim', closing[6]) end
local was = redis.call('HGET', KEYS[1], 'place')
if was and was ~= ARGV[7] then redis.call('ZREM', ARGV[6] .. was, ARGV[2]) end
if ARGV[7] == '' then redis.call('HDEL', KEYS[1], 'place') else
  redis.call('ZADD', ARGV[6] .. ARGV[7], ARGV[8], ARGV[2])
  redis.call('HSET', KEYS[1], 'place', ARGV[7])
end
redis.call('HSET', KEYS[1], 'record', ARGV[3])
redis.call('SET', KEYS[2], ARGV[2])
redis.call('DEL', KEYS[5])
for index = 15, #KEYS do redis.call('ZADD', KEYS[index], ARGV[4], ARGV[2]) end
if ARGV[5] == 'open' then
  redis.call('SADD', KEYS[3], ARGV[2])
else
  redis.call('ZADD', KEYS[11], ARGV[4], ARGV[2])
  redis.call('SREM', KEYS[3], ARGV[2])
  if redis.call('HSETNX', KEYS[1], 'counted', 1) == 1 then
    redis.call('HINCRBY', KEYS[9], ARGV[9] .. '|{ENDED}', 1)
    redis.call('HINCRBY', KEYS[9], ARGV[9] .. '|{BY_PERSON}', ARGV[10])
    redis.call('EXPIRE', KEYS[9], {FIGURES_SECONDS})
  end
  for _, name in ipairs(redis.call('SMEMBERS', KEYS[6])) do redis.call('DEL', name) end
  redis.call('DEL', KEYS[6])
end
return 1
"""

GIVE_UP: Final = f"""
-- KEYS[1] staked:{{thread}}  KEYS[2] claimed:{{thread}}  KEYS[3] fence:{{thread}}  KEYS[4] begun:{{thread}}
--         KEYS[5] kept:{{thread}}  KEYS[6] thread:{{thread}}, and the case that it names
-- ARGV    fence, thread, what the keys of cases begin with
-- What was begun is still to be finished, and so is what is in a checkpoint already ('kept'). What an open case has claimed
-- stays, as far as its record tells what that is.
{SETTLE}
{GIVE_BACK_CLAIMS}
local newest = redis.call('GET', KEYS[3])
if newest and newest ~= ARGV[1] then return 0 end
if redis.call('EXISTS', KEYS[4]) == 1 then return 1 end
if redis.call('SISMEMBER', KEYS[1], 'kept') == 0 then give_back_lost(KEYS[1], {{}}) end
local case, open = redis.call('GET', KEYS[6]), redis.call('EXISTS', KEYS[5]) == 1
local held = case and redis.call('HGET', ARGV[3] .. case, 'claim')
if redis.call('SISMEMBER', KEYS[2], 'kept') == 0 and (held or not open) then
  give_back_claims(KEYS[2], ARGV[2], held or '')
end
return 1
"""

SHELVE: Final = """
-- KEYS[1] case:{id}  KEYS[2] open  KEYS[3] fence:{thread}  KEYS[4] ended  KEYS[5…] owner:{actor}
-- ARGV    fence, case, record, time, 'open' or 'over'
local newest = redis.call('GET', KEYS[3])
if newest and newest ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'record', ARGV[3])
for index = 5, #KEYS do redis.call('ZADD', KEYS[index], ARGV[4], ARGV[2]) end
if ARGV[5] == 'over' then redis.call('ZADD', KEYS[4], ARGV[4], ARGV[2]) end
redis.call(ARGV[5] == 'open' and 'SADD' or 'SREM', KEYS[2], ARGV[2])
return 1
"""
