"""The way to Redis: what is wrong with it is said by name, and nothing is sent twice."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
from redis import exceptions
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.errors import Misconfigured
from graph.store.client import Client
from graph.store.connect import connect, end, is_away, require_modules, stopped_first, within
from graph.store.keys import Keys


async def test_a_good_redis_is_accepted(redis: Redis) -> None:
    """The server that the laptop and the tests use passes the check."""
    await require_modules(redis)


async def test_a_redis_that_does_not_answer_is_named() -> None:
    """Where nothing listens, the message says where and what to do, without the password."""
    client = connect("redis://:geheim@127.0.0.1:1/0")
    with pytest.raises(Misconfigured, match=r"127\.0\.0\.1:1 does not answer.*REDIS_URL") as told:
        await require_modules(client)
    assert "geheim" not in str(told.value)
    await client.aclose()


@pytest.mark.parametrize("url", ["", "http://127.0.0.1", "127.0.0.1:6379"])
def test_a_url_that_is_none_is_refused(url: str) -> None:
    """What is no Redis URL is refused by the name of the setting."""
    with pytest.raises(Misconfigured, match="REDIS_URL"):
        connect(url)


async def test_a_redis_that_may_forget_is_refused(redis: Redis) -> None:
    """A server that evicts keys when memory is short is refused: it would forget payments."""
    await redis.config_set("maxmemory", "1gb")
    await redis.config_set("maxmemory-policy", "allkeys-lru")
    try:
        with pytest.raises(Misconfigured, match="noeviction"):
            await require_modules(redis)
    finally:
        await redis.config_set("maxmemory-policy", "noeviction")
        await redis.config_set("maxmemory", "0")


async def test_a_command_is_sent_once(redis_server: RedisServer, redis: Redis, keys: Keys) -> None:
    """When a stalled server answers too late the caller gets an error, and the command ran once."""
    hasty = connect(redis_server.url)
    assert isinstance(hasty, Client)
    hasty.seconds = 0.3
    await hasty.ping()
    assert redis_server.pid is not None
    os.kill(redis_server.pid, signal.SIGSTOP)
    try:
        with pytest.raises(exceptions.TimeoutError):
            await hasty.xadd(keys.effects(), {"n": "1"})
    finally:
        os.kill(redis_server.pid, signal.SIGCONT)
    await redis.xread({keys.effects(): "0"}, block=5000)
    assert await redis.xlen(keys.effects()) == 1
    await hasty.aclose()


async def test_more_callers_than_connections_wait(redis_server: RedisServer) -> None:
    """Callers beyond the size of the pool wait for a connection rather than fail."""
    small = connect(redis_server.url, max_connections=3)
    assert await asyncio.gather(*(small.ping() for _ in range(200))) == [True] * 200
    await small.aclose()


def test_being_away_is_told_from_other_errors() -> None:
    """Redis being away is recognised inside another error; a refused command is not being away."""
    try:
        try:
            raise exceptions.TimeoutError
        except exceptions.TimeoutError as error:
            raise RuntimeError from error
    except RuntimeError as wrapped:
        assert is_away(wrapped)
    assert not is_away(exceptions.ResponseError("WRONGTYPE"))
    assert not is_away(ValueError())


async def test_a_task_is_ended_though_it_misses_a_cancellation() -> None:
    """A task that loses the first cancellation, as one around redis-py can, is ended all the same."""
    missed = False

    async def stubborn() -> None:
        nonlocal missed
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if missed:
                    raise
                missed = True

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    await end(task)
    assert missed
    assert task.cancelled()


async def test_a_stop_interrupts_a_blocking_read(redis: Redis, keys: Keys) -> None:
    """A read that blocks is given up as soon as a stop is asked for, and the connection stays usable."""
    stopping = asyncio.Event()
    asyncio.get_running_loop().call_later(0.1, stopping.set)
    begun = asyncio.get_running_loop().time()
    assert await stopped_first(stopping, redis.blpop([keys.alarm()], timeout=5)) is None
    assert asyncio.get_running_loop().time() - begun < 1
    assert await redis.ping()


async def test_work_has_a_limit() -> None:
    """Work that takes too long is ended, and says how long it was given."""
    with pytest.raises(TimeoutError, match=r"0\.05 s"):
        await within(0.05, asyncio.sleep(60))
    assert await within(5, asyncio.sleep(0, "done")) == "done"
