"""Checkpoints through langgraph-checkpoint-redis, under this desk's own prefix."""

from __future__ import annotations

import asyncio
import random

from langgraph.checkpoint.redis.aio import AsyncRedisSaver
from redis.asyncio import BlockingConnectionPool, Redis
from redis.exceptions import ResponseError

_SETUP_TRIES = 8


class Checkpoints(AsyncRedisSaver):
    """The saver of one namespace. It has a connection pool of its own: it wants bytes where all else wants text."""

    def __init__(self, url: str, namespace: str) -> None:
        pool = BlockingConnectionPool.from_url(url, max_connections=32, timeout=20, socket_timeout=15)
        self._client = Redis.from_pool(pool)
        super().__init__(
            redis_client=self._client,
            checkpoint_prefix=f"{namespace}.checkpoint",
            checkpoint_write_prefix=f"{namespace}.checkpoint_write",
        )

    async def prepare(self) -> None:
        """Create the indexes. Several processes may do so at once; one that comes second tries again."""
        for left in reversed(range(_SETUP_TRIES)):
            try:
                await self.asetup()
            except ResponseError as error:
                if "already exists" not in str(error).lower() or not left:
                    raise
                await asyncio.sleep(random.uniform(0.01, 0.1))
            else:
                return

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.aclose(close_connection_pool=True)
