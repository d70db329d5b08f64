"""A desk of its own for each test that wants one, and one for all those that can share it."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
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


@pytest_asyncio.fixture(scope="session")
async def common_desk(
    redis: Redis, redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Desk]:
    """One desk for many tests; to open one takes longer than most of them."""
    keys = Keys(f"test-{secrets.token_hex(6)}")
    async with open_desk(redis, redis_server.url, keys, tmp_path_factory.mktemp("desk")) as opened:
        yield opened


@pytest_asyncio.fixture
async def shared_desk(common_desk: Desk) -> Desk:
    """The common desk, as new: a thread of its own, an untouched back office, and long after all that was paid before."""
    start = next(common_desk.numbers) // 100_000 * 100_000 + 100_000
    common_desk.numbers = itertools.count(start)
    common_desk.thread = f"T1:C1:{start}"
    await common_desk.backoffice.reset()
    common_desk.forget_calls()
    return common_desk


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter without LangGraph's interrupt."""
    monkeypatch.setattr("graph.machine.interrupt", lambda _: None)
