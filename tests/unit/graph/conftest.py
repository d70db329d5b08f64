"""A desk of its own for each test that wants one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.store.keys import Keys
from tests.unit.graph.builders import Desk, open_desk


@pytest_asyncio.fixture
async def desk(redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path) -> AsyncIterator[Desk]:
    """The shipped procedures on real parts, reading without a model."""
    async with open_desk(redis, redis_server.url, keys, tmp_path) as opened:
        yield opened
