"""What was approved and is not paid yet, and what was paid lately, by the subject that procedures add up by."""

from __future__ import annotations

import hashlib
from typing import Final

from redis.asyncio import Redis

from graph.errors import ThreadBusy
from graph.failpoints import around
from graph.model import Reserved, Stake, Stakes
from graph.store.keys import Keys

_VERSION: Final = "version"

_RESERVE: Final = """
-- KEYS[1] stake:{subject}  KEYS[2] fence:{thread}
-- ARGV    fence, version that was looked at, run|step, stake
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return -1 end
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[3], ARGV[4])
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('PERSIST', KEYS[1])
return 1
"""

_SETTLE: Final = """
-- KEYS[1] stake:{subject}  KEYS[2] fence:{thread}
-- ARGV    fence, run|step, stake that was paid or '' to give it back, seconds for which a paid one counts
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return -1 end
local known = redis.call('HGET', KEYS[1], ARGV[2])
if not known or known == ARGV[3] then return 0 end
if ARGV[3] == '' and cjson.decode(known).paid then return 0 end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[2]) else redis.call('HSET', KEYS[1], ARGV[2], ARGV[3]) end
redis.call('HINCRBY', KEYS[1], 'version', 1)
local keep, waiting = tonumber(ARGV[4]), false
for index, value in ipairs(redis.call('HGETALL', KEYS[1])) do
  if index % 2 == 0 and string.sub(value, 1, 1) == '{' and not cjson.decode(value).paid then waiting = true end
end
-- The longest window that was ever asked for: another procedure may look farther back.
keep = math.max(keep, tonumber(redis.call('HGET', KEYS[1], 'keep') or '0'))
redis.call('HSET', KEYS[1], 'keep', keep)
if not waiting then redis.call('EXPIRE', KEYS[1], keep) end
return 1
"""


class StakeBook:
    """Stakes in Redis; see the table of keys. Only whoever holds a thread's newest fence writes for its run."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._reserve = redis.register_script(_RESERVE)
        self._settle = redis.register_script(_SETTLE)

    async def look(self, by: str, value: str) -> Stakes:
        """All stakes of the subject, and the version that a reservation is made on."""
        found = await self._redis.hgetall(self._key(by, value))
        held = [Stake.model_validate_json(each) for name, each in sorted(found.items()) if "|" in name]
        return Stakes(version=int(found.get(_VERSION, 0)), held=held)

    async def reserve(self, reserved: Reserved, version: int, thread: str, fence: int) -> bool:
        """Put an amount at stake if nothing has changed since `version` was looked at; False when something has. The same
        run and step take the place of what they had. ThreadBusy when `fence` is not the newest."""
        stake = reserved.stake
        reserving = self._reserve(
            keys=[self._key(reserved.by, reserved.value), self._keys.fence(thread)],
            args=[str(fence), str(version), _name(stake), stake.model_dump_json()],
        )
        return _done(await around("stake.reserve", reserving), thread, fence)

    async def settle(self, reserved: Reserved, thread: str, fence: int) -> None:
        """Note that a stake was paid: it counts for its window from then on. Safe to do again. ThreadBusy."""
        await self._end(reserved, reserved.stake.model_dump_json(), thread, fence)

    async def release(self, reserved: Reserved, thread: str, fence: int) -> None:
        """Give back a stake whose approval has fallen. Safe to do again. ThreadBusy."""
        await self._end(reserved, "", thread, fence)

    async def _end(self, reserved: Reserved, stake: str, thread: str, fence: int) -> None:
        settling = self._settle(
            keys=[self._key(reserved.by, reserved.value), self._keys.fence(thread)],
            args=[str(fence), _name(reserved.stake), stake, reserved.keep],
        )
        _done(await around("stake.settle", settling), thread, fence)

    def _key(self, by: str, value: str) -> str:
        # Hashed: what a procedure adds up by may be an account.
        return self._keys.stake(hashlib.sha256(f"{by}\x1f{value}".encode()).hexdigest()[:32])


def _name(stake: Stake) -> str:
    return f"{stake.run}|{stake.step}"


def _done(answer: int, thread: str, fence: int) -> bool:
    if answer < 0:
        raise ThreadBusy(f"thread {thread} has been taken over; fence {fence} is not the newest")
    return bool(answer)
