"""Redis behind Sentinel: the URL, and a real failover."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from deploy.local.redis_server import RedisServer, find_binary
from graph.errors import Misconfigured
from graph.store.checkpoint import Checkpoints
from graph.store.connect import connect, is_away, require_durable, require_modules
from graph.store.sentinel import Watched, parse
from tests.parts.desk import free_port

HEALTHY_SECONDS = 30.0


def test_a_whole_url_is_read() -> None:
    """Hosts, service, database, user, passwords and TLS are taken from the URL, percent signs decoded."""
    url = "rediss+sentinel://desk:p%40ss@one:5000,[::1]:5001,three/orders/2?sentinel_password=s%20p&ssl_ca_certs=/ca.pem"
    assert parse(url) == Watched(
        sentinels=(("one", 5000), ("::1", 5001), ("three", 26379)),
        service="orders",
        db=2,
        username="desk",
        password="p@ss",
        sentinel_password="s p",
        tls=True,
        ca_certs="/ca.pem",
    )


def test_a_short_url_is_enough() -> None:
    """One host and the service: the port is Sentinel's own, the database 0, nothing is encrypted."""
    assert parse("redis+sentinel://one/orders") == Watched(sentinels=(("one", 26379),), service="orders")


@pytest.mark.parametrize(
    "rest",
    ["one:26379", "one:26379/", "one/orders/x", "one/orders/0/more", "/orders", "one:port/orders", "one/orders?ssl=1"],
)
def test_a_wrong_url_is_refused(rest: str) -> None:
    """What cannot be used is refused by the name of the setting, without the password."""
    with pytest.raises(Misconfigured, match="REDIS_URL") as told:
        connect(f"redis+sentinel://:geheim@{rest}")
    assert "geheim" not in str(told.value)


@dataclass
class Watchers:
    """A primary, its replica, and the Sentinel that watches them."""

    url: str
    sentinel: Redis
    servers: tuple[RedisServer, RedisServer]


@pytest.fixture(scope="module")
async def watchers(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Watchers]:
    """A real Sentinel over two servers with both modules."""
    place = tmp_path_factory.mktemp("sentinel")
    async with RedisServer(place / "one") as one, RedisServer(place / "two") as two:
        host, port = "127.0.0.1", one.url.rpartition(":")[2].partition("/")[0]
        async with Redis.from_url(two.url) as client:
            await client.replicaof(host, port)
        async with sentinel(place, host, port) as watching:
            await until(lambda: watched_replicas(watching))
            at = watching.connection_pool.connection_kwargs["port"]
            yield Watchers(f"redis+sentinel://127.0.0.1:{at}/desk/0", watching, (one, two))


@contextlib.asynccontextmanager
async def sentinel(place: Path, host: str, port: str) -> AsyncIterator[Redis]:
    """A Sentinel in a process of its own."""
    own = free_port()
    settings = place / "sentinel.conf"
    settings.write_text(
        f"port {own}\nbind 127.0.0.1\ndir {place}\nsentinel monitor desk {host} {port} 1\n"
        "sentinel down-after-milliseconds desk 1000\nsentinel failover-timeout desk 5000\n",
        encoding="utf-8",
    )
    binary = await find_binary()
    process = await asyncio.create_subprocess_exec(
        str(binary.server), str(settings), "--sentinel", stdout=asyncio.subprocess.DEVNULL
    )
    client = Redis(host="127.0.0.1", port=own, decode_responses=True)
    try:
        async with asyncio.timeout(HEALTHY_SECONDS):
            while True:
                with contextlib.suppress(RedisError, OSError):
                    await client.ping()
                    break
                await asyncio.sleep(0.05)
        yield client
    finally:
        await client.aclose()
        process.terminate()
        await process.wait()


async def test_a_failover_is_followed(watchers: Watchers) -> None:
    """Clients of text and of checkpoints go on with the new primary, and nothing that was confirmed is lost."""
    client, saver = connect(watchers.url), Checkpoints(watchers.url, "failover")
    with pytest.raises(Misconfigured, match="min-replicas-to-write"):
        await require_durable(client)
    for server in watchers.servers:
        async with Redis.from_url(server.url) as each:
            await each.config_set("min-replicas-to-write", "1")
    await require_durable(client)
    await require_modules(client)
    # It counts its replicas once a second.
    await until(lambda: answers(client.set("before", "1")))
    await saver.prepare()
    assert await client.wait(1, 5000) == 1
    await watchers.sentinel.sentinel_failover("desk")
    await until(lambda: promoted(watchers.servers[1]))
    await until(lambda: answers(client.set("after", "1")))
    await until(lambda: answers(saver.aget_tuple({"configurable": {"thread_id": "t", "checkpoint_ns": ""}})))
    async with Redis.from_url(watchers.servers[1].url, decode_responses=True) as second:
        assert await second.mget("before", "after") == ["1", "1"]
    await saver.close()
    await client.aclose(close_connection_pool=True)


async def test_no_primary_is_being_away(watchers: Watchers) -> None:
    """A service that Sentinel does not know is a matter of waiting, and named when the program starts."""
    client = connect(watchers.url.replace("/desk/", "/other/"))
    with pytest.raises(Misconfigured, match="service other of the Sentinels"):
        await require_modules(client)
    await client.aclose(close_connection_pool=True)


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    """Ask until it is so; Sentinel tells nobody."""
    async with asyncio.timeout(HEALTHY_SECONDS):
        while True:
            if await true():
                return
            await asyncio.sleep(0.05)


async def watched_replicas(watching: Redis) -> bool:
    """Whether the Sentinel knows of a replica."""
    return bool(await watching.sentinel_slaves("desk"))


async def promoted(server: RedisServer) -> bool:
    """Whether a server is the primary. Sentinel cuts all lines to a server that it turns round."""
    async with Redis.from_url(server.url) as client:
        with contextlib.suppress(RedisError, OSError):
            return bool((await client.info("replication"))["role"] == "master")
    return False


async def answers(command: Awaitable[object]) -> bool:
    """Whether a command is carried out; what else it meets must be a matter of waiting."""
    try:
        await command
    except RedisError as error:
        assert is_away(error), error
        return False
    return True
