"""What was approved and is not paid yet, and what was paid lately, by the subject that procedures add up by."""

from __future__ import annotations

import hashlib
from typing import Final

from redis.asyncio import Redis

from graph.errors import ThreadBusy
from graph.failpoints import around
from graph.model import Reserved, Stake, StakeEnd, Stakes
from graph.store.keys import Keys

_VERSION: Final = "version"

_RESERVE: Final = """
-- KEYS[1] stake:{subject}  KEYS[2] fence:{thread}  KEYS[3] staked:{thread}
-- ARGV    fence, version that was looked at, the name of the stake, the stake
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return -1 end
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[3], ARGV[4])
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('PERSIST', KEYS[1])
redis.call('SADD', KEYS[3], KEYS[1] .. ' ' .. ARGV[3])
return 1
"""

SETTLE: Final = """
-- stake:{subject}, the name of the stake, the stake as paid or '' to give it back, seconds for which a paid one counts.
local function settle(stakes, name, paid, keep)
  local known = redis.call('HGET', stakes, name)
  -- What was paid stays as it was paid first, and counts though its reservation was lost.
  if known and cjson.decode(known).paid or not known and paid == '' then return end
  if paid == '' then redis.call('HDEL', stakes, name) else redis.call('HSET', stakes, name, paid) end
  redis.call('HINCRBY', stakes, 'version', 1)
  local waiting = false
  for index, value in ipairs(redis.call('HGETALL', stakes)) do
    if index % 2 == 0 and string.sub(value, 1, 1) == '{' and not cjson.decode(value).paid then waiting = true end
  end
  -- The longest window that was ever asked for: another procedure may look farther back. A day at least, since its version
  -- begins anew with the key, and somebody may have looked just now.
  keep = math.max(tonumber(keep), tonumber(redis.call('HGET', stakes, 'keep') or '0'), 86400)
  redis.call('HSET', stakes, 'keep', keep)
  if not waiting then redis.call('EXPIRE', stakes, keep) end
end
-- staked:{thread}, and what the run holds of it: what a turn that broke off put at stake, and the run knows nothing of,
-- is given back.
local function give_back_lost(staked, held)
  for _, each in ipairs(held) do redis.call('SREM', staked, each) end
  for _, each in ipairs(redis.call('SMEMBERS', staked)) do
    local cut = string.find(each, ' ', 1, true)
    if cut then settle(string.sub(each, 1, cut - 1), string.sub(each, cut + 1), '', 0) end
  end
  redis.call('DEL', staked)
end
"""


class StakeBook:
    """Stakes in Redis; see the table of keys. Only whoever holds a thread's newest fence writes for its run."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._reserve = redis.register_script(_RESERVE)

    async def look(self, by: str, value: str) -> Stakes:
        """All stakes of the subject, and the version that a reservation is made on."""
        found = await self._redis.hgetall(_key(self._keys, by, value))
        held = [Stake.model_validate_json(each) for name, each in sorted(found.items()) if "|" in name]
        return Stakes(version=int(found.get(_VERSION, 0)), held=held)

    async def reserve(self, reserved: Reserved, version: int, thread: str, fence: int) -> bool:
        """Put an amount at stake if nothing has changed since `version` was looked at; False when something has. ThreadBusy
        when `fence` is not the newest."""
        stake = reserved.stake
        reserving = self._reserve(
            keys=[_key(self._keys, reserved.by, reserved.value), self._keys.fence(thread), self._keys.staked(thread)],
            args=[str(fence), str(version), stake.name, stake.model_dump_json()],
        )
        answer = await around("stake.reserve", reserving)
        if answer < 0:
            raise ThreadBusy(f"thread {thread} has been taken over; fence {fence} is not the newest")
        return bool(answer)


def held_as(keys: Keys, reserved: Reserved) -> str:
    """How a stake stands in `staked:{thread}`."""
    return f"{_key(keys, reserved.by, reserved.value)} {reserved.stake.name}"


def settling(keys: Keys, end: StakeEnd) -> list[str]:
    """The arguments of `settle` in SETTLE."""
    paid, reserved = end.paid.model_dump_json() if end.paid is not None else "", end.reserved
    return [_key(keys, reserved.by, reserved.value), reserved.stake.name, paid, str(reserved.keep)]


def _key(keys: Keys, by: str, value: str) -> str:
    # Hashed: what a procedure adds up by may be an account.
    return keys.stake(hashlib.sha256(f"{by}\x1f{value}".encode()).hexdigest()[:32])
