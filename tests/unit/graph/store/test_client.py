"""One time limit for every command: for the wait for its connection, its way and its answer."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager

import pytest
import pytest_asyncio
from redis import exceptions
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.store.client import COMMAND_SECONDS, Client
from graph.store.connect import BLOCK_SECONDS, connect, is_away
from graph.store.keys import Keys
from graph.store.lease import Lease, Leases


@pytest_asyncio.fixture
async def hasty(redis_server: RedisServer) -> AsyncIterator[Client]:
    """A client of two connections that waits for a third of a second."""
    client = connect(redis_server.url, max_connections=2)
    assert isinstance(client, Client)
    client.seconds = 0.3
    yield client
    await client.aclose()


@contextmanager
def stalled(server: RedisServer) -> Iterator[None]:
    """The server takes connections and answers nothing."""
    assert server.pid is not None
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


async def _command(client: Client) -> object:
    return await client.ping()


async def _script(client: Client) -> object:
    return await client.register_script("return 1")()


async def _pipeline(client: Client) -> object:
    async with client.pipeline(transaction=False) as pipe:
        pipe.get("x")
        return await pipe.execute()


async def test_a_read_that_blocks_for_long_and_finds_nothing_is_no_failure(redis_server: RedisServer) -> None:
    """All that wait for work block: an idle desk must not take Redis for away, and sleep when work comes."""
    client = connect(redis_server.url)
    try:
        assert await client.blpop(["nothing"], timeout=BLOCK_SECONDS + 0.5) is None
        assert BLOCK_SECONDS + 0.5 < COMMAND_SECONDS
    finally:
        await client.aclose()


@pytest.mark.parametrize("ask", [_command, _script, _pipeline])
@pytest.mark.parametrize("connected", [True, False])
async def test_a_server_that_stalls_is_away(
    redis_server: RedisServer, hasty: Client, ask: Callable[[Client], Awaitable[object]], connected: bool
) -> None:
    """Whatever is asked of it and however, on a connection of old or a new one; and it answers again once it can."""
    if connected:
        await ask(hasty)
    with stalled(redis_server), pytest.raises(exceptions.TimeoutError, match="did not answer") as error:
        await ask(hasty)
    assert is_away(error.value)
    hasty.seconds = 5.0
    assert await ask(hasty)


async def test_who_waits_for_a_connection_waits_no_longer_either(redis_server: RedisServer, hasty: Client) -> None:
    """Both connections are taken by commands that get no answer; the third caller is told in the same time."""
    await asyncio.gather(hasty.ping(), hasty.ping())
    with stalled(redis_server):
        told = await asyncio.gather(*(hasty.ping() for _ in range(5)), return_exceptions=True)
    assert [type(each) for each in told] == [exceptions.TimeoutError] * 5
    hasty.seconds = 5.0
    assert await asyncio.gather(*(hasty.ping() for _ in range(5))) == [True] * 5


async def test_a_cancelled_command_leaves_a_client_that_works(redis_server: RedisServer, hasty: Client) -> None:
    """Its connection is not used for another's answer."""
    hasty.seconds = 5.0
    await hasty.set("x", "1")
    with stalled(redis_server):
        asking = asyncio.ensure_future(hasty.get("x"))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
    assert await hasty.get("x") == "1"
    assert await hasty.ping() is True


async def test_a_lease_beats_only_once_it_is_held_for_long(redis: Redis, keys: Keys) -> None:
    """A third of its life; until then nothing runs beside the work, and afterwards it is renewed as often as it must."""

    class Told(Leases):
        beats: asyncio.Queue[bool] = asyncio.Queue()

        async def renew(self, lease: Lease, ttl: float) -> bool:
            renewed = await super().renew(lease, ttl)
            self.beats.put_nowait(renewed)
            return renewed

    def beating() -> bool:
        return any(task.get_name() == "lease T" for task in asyncio.all_tasks())

    leases = Told(redis, keys)
    async with asyncio.timeout(10), leases.hold("T", ttl=0.6) as lease:
        assert not beating()
        assert [await leases.beats.get() for _ in range(4)] == [True] * 4
        assert await redis.get(keys.lease("T")) == lease.token
        assert beating()
    assert not beating()
    assert await redis.get(keys.lease("T")) is None
