"""Real parts for the whole session: a Redis, with a namespace of its own for each test, and a Chromium."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.store.connect import connect
from graph.store.keys import Keys

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync")


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


@pytest_asyncio.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Chromium as found on the machine. Nothing is skipped: without one the browser tests fail and say what to do."""
    found = next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
    if found is None:
        looked = ", ".join(CHROMIUMS)
        pytest.fail(f"no Chromium is installed (looked for {looked}); on Debian: apt-get install chromium fonts-noto-cjk")
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield chromium
        await chromium.close()
