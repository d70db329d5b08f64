"""A thread is worked on by one worker at a time, under a number that only rises.

The lease keeps two workers apart while both are awake. The fence is for the worker that slept through the end of its
lease: whatever it writes carries its number, and every script that writes refuses a number that is not the newest.
Inside Lua the check is `redis.call('GET', prefix .. ':fence:' .. thread) == fence`, with `fence` passed as a string.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from graph.errors import ThreadBusy
from graph.failpoints import around
from graph.store.client import limited
from graph.store.connect import is_away
from graph.store.keys import Keys
from graph.store.patience import end

log = logging.getLogger(__name__)

_FENCE_DAYS: Final = 7
_LONGEST_WAIT: Final = 5.0

_TAKE: Final = """
-- KEYS[1] lease:{thread}  KEYS[2] fence:{thread}
-- ARGV    owner, lease in ms, life of the fence in s
-- An owner that takes again gets a new fence: what it did under the old one no longer counts.
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 1, #ARGV[1] + 1) ~= ARGV[1] .. '|' then
  return false
end
-- The clock in µs as a floor: a fence that expired, or was lost in a crash, is never given out twice.
local now = redis.call('TIME')
local floor = now[1] * 1000000 + now[2]
local last = tonumber(redis.call('GET', KEYS[2]) or '0')
local fence = string.format('%.0f', math.max(floor, last + 1))
redis.call('SET', KEYS[1], ARGV[1] .. '|' .. fence, 'PX', ARGV[2])
redis.call('SET', KEYS[2], fence, 'EX', ARGV[3])
return fence
"""

_RENEW: Final = """
-- KEYS[1] lease:{thread}  KEYS[2] fence:{thread}
-- ARGV    owner|fence, lease in ms, life of the fence in s
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1
"""

_RELEASE: Final = """
-- KEYS[1] lease:{thread}, also the channel that says it is free
-- ARGV    owner|fence
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', KEYS[1], 'free')
return 1
"""


class Lease:
    """The right to work on `thread` under `fence`. `lost` is set once somebody else has it, or may have."""

    def __init__(self, thread: str, owner: str, fence: int) -> None:
        self.thread = thread
        self.owner = owner
        self.fence = fence
        self.lost = asyncio.Event()

    @property
    def token(self) -> str:
        """What the lease's key holds while the lease is ours."""
        return f"{self.owner}|{self.fence}"


class Leases:
    """Gives out leases. One per process is enough."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._take = redis.register_script(_TAKE)
        self._renew = redis.register_script(_RENEW)
        self._release = redis.register_script(_RELEASE)

    async def take(self, thread: str, owner: str, ttl: float) -> Lease | None:
        """The lease for `ttl` seconds under a new fence; None while another owner has it."""
        taking = self._take(
            keys=[self._keys.lease(thread), self._keys.fence(thread)], args=[owner, _ms(ttl), _FENCE_DAYS * 86400]
        )
        fence = await around("lease.take", taking)
        return None if fence is None else Lease(thread, owner, int(fence))

    async def renew(self, lease: Lease, ttl: float) -> bool:
        """Another `ttl` seconds from now; False, and the lease is lost, if it is no longer ours."""
        renewing = self._renew(
            keys=[self._keys.lease(lease.thread), self._keys.fence(lease.thread)],
            args=[lease.token, _ms(ttl), _FENCE_DAYS * 86400],
        )
        renewed = await around("lease.renew", renewing)
        if not renewed:
            lease.lost.set()
        return bool(renewed)

    async def release(self, lease: Lease) -> bool:
        """Give it back and wake who waits for it; False if it was no longer ours."""
        releasing = self._release(keys=[self._keys.lease(lease.thread)], args=[lease.token])
        return bool(await around("lease.release", releasing))

    async def is_newest(self, thread: str, fence: int) -> bool:
        """Whether nobody took the thread since `fence` was given out."""
        return await self._redis.get(self._keys.fence(thread)) == str(fence)

    @contextlib.asynccontextmanager
    async def hold(
        self, thread: str, *, wait: float = 0.0, ttl: float = 15.0, owner: str | None = None
    ) -> AsyncIterator[Lease]:
        """Hold the thread, renewing the lease until the block ends.

        Waits up to `wait` seconds for another owner to let go, then raises ThreadBusy. The block is not stopped when
        the lease is lost: its fence is refused wherever it writes, and it can look at `lease.lost`.
        """
        lease = await self._obtain(thread, owner or secrets.token_hex(8), wait, ttl)
        heart = _Heart(self, lease, ttl)
        try:
            yield lease
        finally:
            await heart.stop()
            try:
                await self.release(lease)
            except RedisError as error:
                # Not worth failing for: it ends by itself.
                log.warning("lease of thread %s not given back (%s)", thread, type(error).__name__)

    async def _obtain(self, thread: str, owner: str, wait: float, ttl: float) -> Lease:
        lease = await self.take(thread, owner, ttl)
        if lease is not None:
            return lease
        if wait > 0:
            deadline = asyncio.get_running_loop().time() + wait
            async with self._redis.pubsub(ignore_subscribe_messages=True) as freed:
                await limited(freed.subscribe(self._keys.lease(thread)))
                while True:
                    # Asked after subscribing, so a release in between is not missed.
                    if (lease := await self.take(thread, owner, ttl)) is not None:
                        return lease
                    left = deadline - asyncio.get_running_loop().time()
                    if left <= 0:
                        break
                    expires = max(await self._redis.pttl(self._keys.lease(thread)), 0) / 1000 + 0.005
                    # In bites below the socket's time limit.
                    await freed.get_message(timeout=min(left, expires, _LONGEST_WAIT))
        raise ThreadBusy(f"thread {thread} is held by another worker")


class _Heart:
    """Renews a lease three times in its life. Most are given back before the first beat, and never have a task."""

    def __init__(self, leases: Leases, lease: Lease, ttl: float) -> None:
        self._leases = leases
        self._lease = lease
        self._ttl = ttl
        self._loop = asyncio.get_running_loop()
        self._until = self._loop.time() + ttl
        self._beats: asyncio.Task[None] | None = None
        self._first = self._loop.call_later(ttl / 3, self._begin)

    async def stop(self) -> None:
        """Not another beat."""
        self._first.cancel()
        beats = self._beats
        if beats is None:
            return
        await end(beats)
        if not beats.cancelled() and (error := beats.exception()) is not None:
            log.error("the heartbeat of thread %s ended early (%s)", self._lease.thread, type(error).__name__)

    def _begin(self) -> None:
        self._beats = self._loop.create_task(self._beat(), name=f"lease {self._lease.thread}")
        self._beats.add_done_callback(self._ended)

    def _ended(self, beats: asyncio.Task[None]) -> None:
        if not beats.cancelled() and beats.exception() is not None:
            # Nobody renews it any more.
            self._lease.lost.set()

    async def _beat(self) -> None:
        while True:
            begun = self._loop.time()
            try:
                if not await self._leases.renew(self._lease, self._ttl):
                    log.warning("lease of thread %s is lost", self._lease.thread)
                    return
                self._until = begun + self._ttl
            except RedisError as error:
                if not is_away(error):
                    raise
                if self._loop.time() > self._until:
                    self._lease.lost.set()
            await asyncio.sleep(self._ttl / 3)


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))
