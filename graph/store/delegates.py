"""Who stands in for whom, as approvers said it themselves."""

from __future__ import annotations

from datetime import datetime

from redis.asyncio import Redis

from graph.model import Delegation
from graph.store.keys import Keys


class Delegates:
    """One delegate for each person who is away. What is over is dropped when anything changes."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._key = keys.delegates()

    async def put(self, delegation: Delegation) -> None:
        """Name a delegate, in place of the one named before."""
        over = [one.of for one in await self._all() if one.until <= delegation.since and one.of != delegation.of]
        async with self._redis.pipeline(transaction=True) as pipe:
            if over:
                pipe.hdel(self._key, *over)
            pipe.hset(self._key, delegation.of, delegation.model_dump_json())
            await pipe.execute()

    async def drop(self, of: str) -> Delegation | None:
        """End a delegation before its time; the one that was ended, None where there was none."""
        kept = await self._redis.hget(self._key, of)
        if kept is None:
            return None
        await self._redis.hdel(self._key, of)
        return Delegation.model_validate_json(kept)

    async def standing(self, now: datetime) -> list[Delegation]:
        """The delegations that hold now."""
        return [one for one in await self._all() if now < datetime.fromisoformat(one.until)]

    async def _all(self) -> list[Delegation]:
        return [Delegation.model_validate_json(raw) for raw in await self._redis.hvals(self._key)]
