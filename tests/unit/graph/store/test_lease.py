"""Leases: one holder at a time, under a number that only rises."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from graph.errors import ThreadBusy
from graph.store.keys import Keys
from graph.store.lease import Lease, Leases

THREAD = "T1:C1:1"


@pytest.fixture
def leases(redis: Redis, keys: Keys) -> Leases:
    """Leases of this test's own."""
    return Leases(redis, keys)


async def test_one_owner_at_a_time(leases: Leases) -> None:
    """A thread that is held is not given to another owner until it is released."""
    first = await leases.take(THREAD, "a", 60)
    assert first is not None
    assert await leases.take(THREAD, "b", 60) is None
    assert await leases.take("T1:C1:2", "b", 60) is not None
    assert await leases.release(first)
    assert await leases.take(THREAD, "b", 60) is not None


async def test_of_many_at_once_one_gets_it(leases: Leases) -> None:
    """Of twenty owners who ask at once exactly one gets the thread."""
    got = await asyncio.gather(*(leases.take(THREAD, f"owner{n}", 60) for n in range(20)))
    assert sum(lease is not None for lease in got) == 1


async def test_an_owner_whose_name_begins_like_anothers_is_another(leases: Leases) -> None:
    """An owner is recognised by the whole name."""
    assert await leases.take(THREAD, "worker-10", 60)
    assert await leases.take(THREAD, "worker-1", 60) is None


async def test_fences_rise(leases: Leases, redis: Redis, keys: Keys) -> None:
    """Every taking has a higher fence, also after the record of the last one is gone."""
    fences = []
    for n in range(5):
        lease = await leases.take(THREAD, "a", 60)
        assert lease is not None
        fences.append(lease.fence)
        if n == 3:
            await redis.delete(keys.fence(THREAD))
    assert fences == sorted(set(fences))


async def test_only_the_newest_fence_counts(leases: Leases) -> None:
    """Once the thread was taken again, the earlier fence is not the newest."""
    old = await leases.take(THREAD, "a", 60)
    assert old is not None
    assert await leases.is_newest(THREAD, old.fence)
    new = await leases.take(THREAD, "a", 60)
    assert new is not None
    assert not await leases.is_newest(THREAD, old.fence)
    assert await leases.is_newest(THREAD, new.fence)
    assert not await leases.is_newest("never taken", old.fence)


async def test_a_lease_ends_by_itself_and_is_not_given_back_twice(leases: Leases) -> None:
    """After its time a lease is free for others; its old holder can neither renew nor release it."""
    old = await leases.take(THREAD, "a", 0.02)
    assert old is not None
    async with leases.hold(THREAD, wait=2) as new:
        assert not await leases.renew(old, 60)
        assert old.lost.is_set()
        assert not await leases.release(old)
        assert await leases.is_newest(THREAD, new.fence)


async def test_holding_renews(leases: Leases) -> None:
    """A held lease outlives its time, and is free once the block ends."""
    async with leases.hold(THREAD, ttl=0.2) as lease:
        await asyncio.sleep(0.6)
        assert not lease.lost.is_set()
        with pytest.raises(ThreadBusy):
            async with leases.hold(THREAD):
                pass
    assert await leases.take(THREAD, "b", 60) is not None


async def test_a_holder_learns_that_the_lease_is_lost(leases: Leases, redis: Redis, keys: Keys) -> None:
    """When somebody else has the thread, the holder is told, and leaves the other's lease alone."""
    async with leases.hold(THREAD, ttl=0.2) as lease:
        await redis.delete(keys.lease(THREAD))
        other = await leases.take(THREAD, "other", 60)
        assert other is not None
        async with asyncio.timeout(2):
            await lease.lost.wait()
    assert await leases.is_newest(THREAD, other.fence)
    assert await redis.get(keys.lease(THREAD)) == other.token


async def test_a_lease_that_nobody_renews_any_more_is_lost(
    leases: Leases, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The heartbeat ended by an error: the holder is told while the lease still has time, and the log names the error."""

    async def broken(lease: Lease, ttl: float) -> bool:
        raise ResponseError("no such script")

    monkeypatch.setattr(leases, "renew", broken)
    async with leases.hold(THREAD, ttl=0.2) as lease, asyncio.timeout(2):
        await lease.lost.wait()
    assert "ended early (ResponseError)" in caplog.text


async def test_who_waits_is_woken_by_the_release(leases: Leases) -> None:
    """Somebody who waits for a thread gets it as soon as it is released, long before the lease would end."""
    holding = await leases.take(THREAD, "a", 60)
    assert holding is not None

    async def wait_for_it() -> float:
        async with leases.hold(THREAD, wait=10):
            return asyncio.get_running_loop().time()

    waiting = asyncio.create_task(wait_for_it())
    await asyncio.sleep(0.1)  # let it subscribe
    released = asyncio.get_running_loop().time()
    await leases.release(holding)
    assert await waiting - released < 0.5


async def test_waiting_ends(leases: Leases) -> None:
    """Who waits in vain is told that the thread is busy, when the time is over."""
    await leases.take(THREAD, "a", 60)
    begun = asyncio.get_running_loop().time()
    with pytest.raises(ThreadBusy, match=THREAD):
        async with leases.hold(THREAD, wait=0.3):
            pass
    assert 0.3 <= asyncio.get_running_loop().time() - begun < 1
