"""Breakers in Redis: what one worker saw fail, all leave alone; one at a time tries again."""

from __future__ import annotations

import asyncio
import sys

import pytest
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.errors import ToolUnavailable
from graph.store.breakers import SharedBreakers
from graph.store.keys import Keys
from tests.unit.project import ROOT


class Hand:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


async def fail(breakers: SharedBreakers, times: int = 1) -> float:
    """So many failures of the channel; how long it is left alone after the last."""
    left = 0.0
    for _ in range(times):
        left = await breakers.note("channel:a", failed=True, after=5, pause=30)
    return left


async def wait_of(breakers: SharedBreakers, name: str = "channel:a") -> float | None:
    """How long a caller must wait; None: it may ask."""
    try:
        await breakers.admit(name)
    except ToolUnavailable as error:
        assert error.code == "suspended"
        return error.pause
    return None


async def test_five_failures_in_a_row_close_it_to_all_workers(redis: Redis, keys: Keys) -> None:
    """Four do not; other channels are not meant."""
    clock = Hand()
    first, second = (SharedBreakers(redis, keys, clock) for _ in range(2))
    assert await fail(first, 4) == 0
    assert await wait_of(second) is None
    assert await fail(second) == 30
    assert await wait_of(first) == await wait_of(second) == pytest.approx(30)
    assert await wait_of(first, "channel:b") is None


FAILING = """
import asyncio, sys
from redis.asyncio import Redis
from graph.store.breakers import SharedBreakers
from graph.store.keys import Keys

async def main(url, prefix):
    async with Redis.from_url(url, decode_responses=True) as redis:
        for _ in range(5):
            await SharedBreakers(redis, Keys(prefix)).note("channel:a", failed=True, after=5, pause=30)

asyncio.run(main(*sys.argv[1:]))
"""


async def test_what_another_process_saw_fail_is_left_alone_here(
    redis: Redis, redis_server: RedisServer, keys: Keys
) -> None:
    """A process of its own, by Redis's own time; when it is gone the channel stays left alone."""
    here = SharedBreakers(redis, keys)
    assert await wait_of(here) is None
    other = await asyncio.create_subprocess_exec(sys.executable, "-c", FAILING, redis_server.url, keys.prefix, cwd=ROOT)
    assert await other.wait() == 0
    left = await wait_of(here)
    assert left is not None and 0 < left <= 30
    assert list(await here.left_alone()) == ["channel:a"]


async def test_a_success_between_begins_the_count_anew(redis: Redis, keys: Keys) -> None:
    """In a row means in a row."""
    breakers = SharedBreakers(redis, keys, Hand())
    await fail(breakers, 4)
    await breakers.note("channel:a", failed=False, after=5, pause=30)
    assert await fail(breakers, 4) == 0


async def test_one_caller_at_a_time_tries_again_and_later_each_time(redis: Redis, keys: Keys) -> None:
    """The others wait for what it finds; a success opens the door to all."""
    clock = Hand()
    breakers = SharedBreakers(redis, keys, clock)
    await fail(breakers, 5)
    clock.seconds += 30
    assert await wait_of(breakers) is None
    assert await wait_of(breakers) == pytest.approx(10)
    assert [await fail(breakers) for _ in range(3)] == [60, 120, 120]
    clock.seconds += 120
    assert await wait_of(breakers) is None
    await breakers.note("channel:a", failed=False, after=5, pause=30)
    assert await wait_of(breakers) is None


async def test_a_caller_that_died_while_trying_does_not_close_it_for_good(redis: Redis, keys: Keys) -> None:
    """Its place is free again soon."""
    clock = Hand()
    breakers = SharedBreakers(redis, keys, clock)
    await fail(breakers, 5)
    clock.seconds += 31
    assert await wait_of(breakers) is None
    clock.seconds += 10
    assert await wait_of(breakers) is None


async def test_without_a_clock_redis_tells_the_time(redis: Redis, keys: Keys) -> None:
    """So that workers on two machines agree."""
    breakers = SharedBreakers(redis, keys)
    await fail(breakers, 5)
    left = await wait_of(breakers)
    assert left is not None and 25 < left <= 30


async def test_what_is_left_alone_is_known_by_name(redis: Redis, keys: Keys) -> None:
    """With the seconds that are left; a channel that failed but is not shut is not named, nor one that answers again."""
    clock = Hand()
    breakers = SharedBreakers(redis, keys, clock)
    await breakers.note("channel:b", failed=True, after=5, pause=30)
    await fail(breakers, 5)
    assert await breakers.left_alone() == {"channel:a": 30.0}
    clock.seconds += 40
    assert await breakers.left_alone() == {"channel:a": 0.0}
    await breakers.note("channel:a", failed=False, after=5, pause=30)
    assert await breakers.left_alone() == {}
