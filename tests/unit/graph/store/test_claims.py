"""Claims in Redis: one open case for each value, whoever dies when."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from graph.errors import ThreadBusy
from graph.store.claims import Claims
from graph.store.keys import Keys

ONE, OTHER = "T:C:1", "T:C:2"


async def test_of_many_at_once_one_has_it(redis: Redis, keys: Keys) -> None:
    """Twenty cases claim the same value at the same time; all are told the same holder, which is one of them."""
    cases = [f"C-{number}" for number in range(20)]
    told = await asyncio.gather(*(Claims(redis, keys).take("v", case, f"T:{case}", 1) for case in cases))
    assert len(set(told)) == 1 and told[0] in cases


async def test_whoever_has_it_may_claim_again(redis: Redis, keys: Keys) -> None:
    """A replay claims as before; another is told who has it."""
    claims = Claims(redis, keys)
    assert await claims.take("v", "C-1", ONE, 1) == await claims.take("v", "C-1", ONE, 1) == "C-1"
    assert await claims.take("v", "C-2", OTHER, 1) == "C-1"


@pytest.mark.parametrize(
    ("record", "begun", "age", "holder"),
    [
        ({"record": "…", "its": "1"}, False, 10**6, "C-1"),
        ({"record": "…"}, False, 7200, "C-2"),
        ({"record": "…", "counted": "1"}, False, 0, "C-2"),
        ({"run": "r"}, False, 60, "C-1"),
        ({"run": "r"}, False, 7200, "C-2"),
        ({"run": "r"}, True, 7200, "C-1"),
        ({}, False, 7200, "C-2"),
    ],
    ids=["open", "waits behind another", "over", "first turn", "given up", "write begun", "never was"],
)
async def test_a_stale_claim_is_taken_over(
    record: dict[str, str], begun: bool, age: int, holder: str, redis: Redis, keys: Keys
) -> None:
    """Stale is the claim of a case that is over, or that was not its thread's for an hour and has begun no write."""
    claims = Claims(redis, keys)
    await claims.take("v", "C-1", ONE, 1)
    await redis.hincrby(keys.claim("v"), "at", -age)
    if record:
        await redis.hset(keys.case("C-1"), items=[part for pair in record.items() for part in pair])
    if "its" in record:
        await redis.set(keys.thread(ONE), "C-1")
    if begun:
        await redis.set(keys.begun(ONE), "{}")
    assert await claims.take("v", "C-2", OTHER, 1) == holder


async def test_a_late_worker_claims_nothing(redis: Redis, keys: Keys) -> None:
    """Under a fence that is not the newest."""
    claims = Claims(redis, keys)
    await claims.take("v", "C-1", ONE, 1)
    await redis.set(keys.fence(ONE), "2")
    with pytest.raises(ThreadBusy):
        await claims.take("w", "C-1", ONE, 1)
    assert await claims.take("v", "C-2", OTHER, 1) == "C-1"
    assert await claims.take("w", "C-2", OTHER, 1) == "C-2"
