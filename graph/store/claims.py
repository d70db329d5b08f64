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
-- KEYS[1] claim:{value}  KEYS[2] fence:{thread}  KEYS[3] claimed:{thread}, and of the case that has it case:{id}, and of
--         its thread begun:{thread} and thread:{thread}
-- ARGV    fence, case, thread, what the keys of cases, of begun writes and of latest cases begin with, s that a first turn
--         may take
-- Returns the case that has it now; '' when the fence is not the newest.
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return '' end
local now = tonumber(redis.call('TIME')[1])
local held = redis.call('HMGET', KEYS[1], 'case', 'thread', 'at')
if held[1] and held[1] ~= ARGV[2] then
  local record = ARGV[4] .. held[1]
  local over = redis.call('HEXISTS', record, 'counted') == 1
  -- One that waits behind another has a record, too, but is not yet its thread's.
  local stored = redis.call('GET', ARGV[6] .. held[2]) == held[1]
  local begun = redis.call('EXISTS', ARGV[5] .. held[2]) == 1
  if not over and (stored or begun or now - held[3] < tonumber(ARGV[7])) then return held[1] end
end
redis.call('HSET', KEYS[1], 'case', ARGV[2], 'thread', ARGV[3], 'at', now)
redis.call('SADD', KEYS[3], KEYS[1])
return ARGV[2]
"""

GIVE_BACK_CLAIMS: Final = """
-- claimed:{thread}, the thread, the claim that its case has, or '': all others are free. What a turn that broke off had
-- claimed, and the run knows nothing of, is among them.
local function give_back_claims(claimed, thread, held)
  for _, name in ipairs(redis.call('SMEMBERS', claimed)) do
    if name ~= held then
      if name ~= 'kept' and redis.call('HGET', name, 'thread') == thread then redis.call('DEL', name) end
      redis.call('SREM', claimed, name)
    end
  end
end
"""


class Claims:
    """Claims in Redis; see the table of keys. Only whoever holds a thread's newest fence claims for its case."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._take = redis.register_script(_TAKE)

    async def take(self, value: str, case: str, thread: str, fence: int) -> str:
        """The case that has the value now: this one, unless another open one has it. A claim whose case is over, or never
        came to be, is taken over. Safe to do again. ThreadBusy when `fence` is not the newest."""
        heads = (self._keys.case(""), self._keys.begun(""), self._keys.thread(""))
        args = [str(fence), case, thread, *heads, str(_FIRST_TURN_SECONDS)]
        named = [self._keys.claim(value), self._keys.fence(thread), self._keys.claimed(thread)]
        taking = self._take(keys=named, args=args)
        holder = str(await around("claim.take", taking))
        if not holder:
            raise ThreadBusy(f"thread {thread} has been taken over; fence {fence} is not the newest")
        return holder
