"""Before money moves, a replica has the journal's beginning; a Redis that takes no writes is named at the start."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from deploy.local.redis_server import RedisServer
from graph.errors import Misconfigured
from graph.model import JsonValue
from graph.store.connect import connect, is_away, replicas_of, require_writable
from graph.store.journal import Journal
from graph.store.keys import Keys
from graph.tools.calling import Effect
from tests.parts.sentinels import until

EFFECT = Effect(key="k1", digest="d1", thread="T", fence=0, turn={"id": "e1"})


class Pair(NamedTuple):
    """A primary and the replica that follows it."""

    primary: RedisServer
    replica: RedisServer
    client: Redis


@pytest.fixture
async def pair(tmp_path: Path) -> AsyncIterator[Pair]:
    """Two real servers, the second following the first."""
    async with RedisServer(tmp_path / "one") as one, RedisServer(tmp_path / "two") as two:
        client = connect(one.url)
        await client.config_set("repl-diskless-sync-delay", "0")
        await client.set("something", "1")
        await follow(two, one, client)
        yield Pair(one, two, client)
        await client.aclose(close_connection_pool=True)
        # One that is asked to end waits ten seconds for the other.
        one.kill()
        two.kill()


async def follow(replica: RedisServer, primary: RedisServer, client: Redis) -> None:
    """Make one server follow another, and wait until it has what the other has."""
    async with Redis.from_url(replica.url) as following:
        await following.replicaof("127.0.0.1", primary.url.rpartition(":")[2].partition("/")[0])

    async def followed() -> bool:
        return bool(await client.wait(1, 100))

    await until(followed)


async def test_nothing_is_sent_before_a_replica_has_its_beginning(pair: Pair) -> None:
    """With the replica gone the effect waits, as for a Redis that is away; with it there, it is sent once."""
    sent: list[int] = []

    async def send() -> JsonValue:
        sent.append(1)
        return "paid"

    journal = Journal(pair.client, Keys("desk"), replicas=1, confirmed_ms=200)
    pair.replica.kill()
    with pytest.raises(RedisError, match="NOREPLICAS") as told:
        await journal.once(EFFECT, send)
    assert is_away(told.value)
    assert sent == []
    other = Effect(key="k2", digest="d2", thread="T", fence=0, turn={"id": "e1"})
    assert await Journal(pair.client, Keys("desk")).once(other, send) == "paid"
    await pair.replica.start()
    await follow(pair.replica, pair.primary, pair.client)
    assert await journal.once(EFFECT, send) == "paid"
    assert await journal.once(EFFECT, send) == "paid"
    assert len(sent) == 2


async def test_a_redis_that_takes_no_writes_is_named_at_the_start(pair: Pair) -> None:
    """A replica, and a primary with fewer replicas than it wants: both are told apart from a good server."""
    await require_writable(pair.client)
    assert replicas_of(pair.client) == 0
    async with Redis.from_url(pair.replica.url, decode_responses=True) as second:
        with pytest.raises(Misconfigured, match="replica"):
            await require_writable(second)
    await pair.client.config_set("min-replicas-to-write", "2")
    with pytest.raises(Misconfigured, match="1 of 2 replicas"):
        await require_writable(pair.client)


async def test_always_means_that_a_confirmed_write_is_on_disk(tmp_path: Path) -> None:
    """With `appendfsync always`, as the deployment has it, nothing is left to be synced once a write is confirmed."""
    async with RedisServer(tmp_path / "always", appendfsync="always") as server:
        client = connect(server.url)
        await client.set("something", "1")
        # One millisecond is no time to sync in: zero would mean that it was not yet on disk.
        assert (await client.waitaof(1, 0, 1))[0] == 1
        await client.aclose(close_connection_pool=True)
