"""A real Redis for the whole session; a namespace of its own for each test."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.store.connect import connect
from graph.store.keys import Keys


@pytest_asyncio.fixture(scope="session")
async def redis_server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RedisServer]:
    """One server for all tests; a test that kills one starts its own."""
    async with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest_asyncio.fixture(scope="session")
async def redis(redis_server: RedisServer) -> AsyncIterator[Redis]:
    """A client of the session's server, as the program makes it."""
    client = connect(redis_server.url)
    yield client
    await client.aclose()


@pytest.fixture
def keys() -> Keys:
    """Keys that no other test uses."""
    return Keys(f"test-{secrets.token_hex(6)}")
