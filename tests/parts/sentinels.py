"""A real Sentinel over two real servers, and waiting for what it does."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from deploy.local.redis_server import RedisServer, find_binary
from graph.store.connect import is_away
from tests.parts.desk import free_port

HEALTHY_SECONDS = 30.0


@dataclass
class Watchers:
    """A primary, its replica, and the Sentinel that watches them."""

    url: str
    sentinel: Redis
    servers: tuple[RedisServer, RedisServer]


@contextlib.asynccontextmanager
async def watchers(place: Path) -> AsyncIterator[Watchers]:
    """A primary and its replica, both with the modules, under a Sentinel that knows of both."""
    async with RedisServer(place / "one") as one, RedisServer(place / "two") as two:
        host, port = await follow(one, two)
        async with sentinel(place, host, port) as watching:
            await until(lambda: watched_replicas(watching))
            at = watching.connection_pool.connection_kwargs["port"]
            yield Watchers(f"redis+sentinel://127.0.0.1:{at}/desk/0", watching, (one, two))


async def follow(primary: RedisServer, replica: RedisServer) -> tuple[str, str]:
    """Make one the other's replica; host and port of the primary, once they are in step. A Sentinel that is started then
    sees the replica at its first look; the next one comes ten seconds later."""
    host, port = "127.0.0.1", primary.url.rpartition(":")[2].partition("/")[0]
    async with Redis.from_url(primary.url) as first, Redis.from_url(replica.url) as second:
        for client in (first, second):
            await client.config_set("repl-diskless-sync-delay", "0")
        await second.replicaof(host, port)
        await until(lambda: in_step(first))
    return host, port


async def in_step(primary: Redis) -> bool:
    """Whether the replica has all."""
    found = await primary.info("replication")
    return bool(found["connected_slaves"]) and found["slave0"]["state"] == "online"


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


async def turn_over(watching: Redis) -> None:
    """Have the Sentinel promote the replica, once it thinks it good enough: it asks each of them once in a while only."""

    async def begun() -> bool:
        try:
            await watching.sentinel_failover("desk")
        except ResponseError as error:
            assert "NOGOODSLAVE" in str(error), error
            return False
        return True

    await until(begun)


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
