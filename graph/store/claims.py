"""Claims: which case has a value that only one open case of a procedure may have."""

from __future__ import annotations

from typing import Final

from redis.asyncio import Redis

from graph.errors import ThreadBusy
from graph.failpoints import around
from graph.store.keys import Keys

_FIRST_TURN_SECONDS: Final = 3600
"""For how long a case that was never stored keeps its claim: its first turn is under way, or is tried again."""

_TAKE: Final = """
-- KEYS[1] claim:{value}  KEYS[2] fence:{thread}, and of the case that has it case:{id} and begun:{thread}
-- ARGV    fence, case, thread, what the keys of cases and of begun writes begin with, s that a first turn may take
-- Returns the case that has it now; '' when the fence is not the newest.
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return '' end
local now = tonumber(redis.call('TIME')[1])
local held = redis.call('HMGET', KEYS[1], 'case', 'thread', 'at')
if held[1] and held[1] ~= ARGV[2] then
  local record = ARGV[4] .. held[1]
  local over = redis.call('HEXISTS', record, 'counted') == 1
  local stored = redis.call('HEXISTS', record, 'record') == 1
  local begun = redis.call('EXISTS', ARGV[5] .. held[2]) == 1
  if not over and (stored or begun or now - held[3] < tonumber(ARGV[6])) then return held[1] end
end
redis.call('HSET', KEYS[1], 'case', ARGV[2], 'thread', ARGV[3], 'at', now)
return ARGV[2]
"""

_GIVE_BACK: Final = """
-- KEYS[1] claim:{value}  KEYS[2] fence:{thread}
-- ARGV    fence, case
-- Returns -1 when the fence is not the newest, else how many claims were given back.
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return -1 end
if redis.call('HGET', KEYS[1], 'case') ~= ARGV[2] then return 0 end
return redis.call('DEL', KEYS[1])
"""


class Claims:
    """Claims in Redis; see the table of keys. Only whoever holds a thread's newest fence claims for its case."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._take = redis.register_script(_TAKE)
        self._give_back = redis.register_script(_GIVE_BACK)

    async def take(self, value: str, case: str, thread: str, fence: int) -> str:
        """The case that has the value now: this one, unless another open one has it. A claim whose case is over, or never
        came to be, is taken over. Safe to do again. ThreadBusy when `fence` is not the newest."""
        heads = (self._keys.case(""), self._keys.begun(""))
        args = [str(fence), case, thread, *heads, str(_FIRST_TURN_SECONDS)]
        taking = self._take(keys=[self._keys.claim(value), self._keys.fence(thread)], args=args)
        holder = str(await around("claim.take", taking))
        if not holder:
            raise _taken_over(thread, fence)
        return holder

    async def give_back(self, value: str, case: str, thread: str, fence: int) -> None:
        """Let the value go, if this case has it. Safe to do again. ThreadBusy when `fence` is not the newest."""
        giving = self._give_back(keys=[self._keys.claim(value), self._keys.fence(thread)], args=[str(fence), case])
        if await around("claim.give_back", giving) == -1:
            raise _taken_over(thread, fence)


def _taken_over(thread: str, fence: int) -> ThreadBusy:
    return ThreadBusy(f"thread {thread} has been taken over; fence {fence} is not the newest")
