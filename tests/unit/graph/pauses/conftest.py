"""One desk for all walks: each has a thread of its own and a back office put back."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.store.keys import Keys
from tests.unit.graph.builders import Desk, open_desk


@pytest_asyncio.fixture(scope="session")
async def desk(redis: Redis, redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    """The shipped procedures on real parts, reading without a model."""
    keys = Keys(f"test-{secrets.token_hex(6)}")
    async with open_desk(redis, redis_server.url, keys, tmp_path_factory.mktemp("desk")) as opened:
        yield opened
