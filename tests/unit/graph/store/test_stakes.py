"""Stakes: an amount is put at stake only on what was looked at, and counts until its window is over."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from redis.asyncio import Redis

from graph.errors import ThreadBusy
from graph.model import CaseRow, Closing, Headline, Reserved, Stake, StakeEnd, Text
from graph.store.cases import Cases
from graph.store.keys import Keys
from graph.store.stakes import StakeBook

WINDOW = 30 * 86400


def reserved(run: str, amount: str = "40", *, keep: int = WINDOW, **given: object) -> Reserved:
    """A stake of one run on one order."""
    base = {"run": run, "step": "approval", "amount": amount, "currency": "USD", "at": "2026-09-04T06:00:00+00:00"}
    stake = Stake.model_validate(base | {"level": "auto", "event": "e1"} | given)
    return Reserved(by="order_id", value="KL-1", keep=keep, stake=stake)


@pytest.fixture
def book(redis: Redis, keys: Keys) -> StakeBook:
    """A book of this test's own."""
    return StakeBook(redis, keys)


async def ttl(redis: Redis, keys: Keys) -> int:
    """The seconds that the one subject is kept for; -1 for good."""
    [name] = [str(key) async for key in redis.scan_iter(match=f"{keys.prefix}:stake:*")]
    assert "KL-1" not in name
    return int(await redis.ttl(name))


@pytest.fixture
def cases(redis: Redis, keys: Keys) -> Cases:
    """The cases with which stakes come to their end."""
    return Cases(redis, keys)


async def ended(cases: Cases, *ends: StakeEnd, fence: int = 1, held: Sequence[Reserved] = ()) -> None:
    """What a turn came to is stored, and this with it; `held` is what its run knows of."""
    title = Headline(amount=None, way=None, title=Text(zh="补偿", en="compensation"))
    at = "2026-09-04T06:00:00+00:00"
    row = CaseRow(case="C-1", thread="T", status="waiting", headline=title, updated_at=at)
    await cases.save(row, "U1", "U1", None, fence=fence, closing=Closing(stakes=ends, held=held))


def paid(run: str, *, keep: int = WINDOW, receipt: str = "") -> StakeEnd:
    """A stake that was paid."""
    mine = reserved(run, keep=keep)
    return StakeEnd(mine, mine.stake.model_copy(update={"paid": True, "receipt": receipt}))


async def test_of_two_who_looked_at_the_same_one_reserves(book: StakeBook) -> None:
    """The other looks again and sees the first one's stake; nothing is lost in between."""
    seen = await book.look("order_id", "KL-1")
    assert (seen.version, seen.held) == (0, [])
    got = await asyncio.gather(*(book.reserve(reserved(f"r{n}"), seen.version, f"T{n}", 1) for n in range(20)))
    assert sorted(got) == [False] * 19 + [True]
    again = await book.look("order_id", "KL-1")
    assert (again.version, len(again.held)) == (1, 1)
    assert await book.reserve(reserved("late"), again.version, "T", 1)
    assert len((await book.look("order_id", "KL-1")).held) == 2


async def test_a_run_has_one_stake_for_each_step(book: StakeBook) -> None:
    """The same again takes the place of the first; another order's is another's."""
    assert await book.reserve(reserved("r"), 0, "T", 1)
    assert await book.reserve(reserved("r", "30"), 1, "T", 1)
    assert [each.amount for each in (await book.look("order_id", "KL-1")).held] == ["30"]
    assert (await book.look("order_id", "KL-2")).held == []
    assert (await book.look("case", "KL-1")).held == []


async def test_an_old_fence_reserves_and_settles_nothing(book: StakeBook, redis: Redis, keys: Keys) -> None:
    """Who slept through the end of a lease is refused."""
    await redis.set(keys.fence("T"), "9")
    mine, cases = reserved("r"), Cases(redis, keys)
    with pytest.raises(ThreadBusy):
        await book.reserve(mine, 0, "T", 8)
    assert await book.reserve(mine, 0, "T", 9)
    for end in (StakeEnd(mine), StakeEnd(mine, mine.stake.model_copy(update={"paid": True}))):
        with pytest.raises(ThreadBusy):
            await ended(cases, end, fence=8)
    assert [each.paid for each in (await book.look("order_id", "KL-1")).held] == [False]


async def test_what_is_reserved_is_kept_for_good_and_what_is_paid_for_its_window(
    book: StakeBook, cases: Cases, redis: Redis, keys: Keys
) -> None:
    """Only once nothing waits any more; the longest window that was asked for counts."""
    await book.reserve(reserved("a"), 0, "T", 1)
    await book.reserve(reserved("b", keep=3600), 1, "T", 1)
    await ended(cases, paid("a", receipt="RA1"), held=[reserved("a"), reserved("b", keep=3600)])
    assert await ttl(redis, keys) == -1
    await ended(cases, paid("b", keep=3600))
    assert WINDOW - 60 < await ttl(redis, keys) <= WINDOW
    assert [each.receipt for each in (await book.look("order_id", "KL-1")).held] == ["RA1", ""]


async def test_a_stake_is_given_back_once_and_never_when_it_was_paid(book: StakeBook, cases: Cases) -> None:
    """Both may be done again; each change is a new version, so that nobody reserves on what is no longer so."""
    await book.reserve(reserved("a"), 0, "T", 1)
    for _ in range(2):
        await ended(cases, StakeEnd(reserved("a")))
        assert (await book.look("order_id", "KL-1")).model_dump()["version"] == 2
    assert not await book.reserve(reserved("b"), 0, "T", 1)
    assert await book.reserve(reserved("b"), 2, "T", 1)
    for _ in range(2):
        await ended(cases, paid("b"))
        await ended(cases, StakeEnd(reserved("b")))
    held = (await book.look("order_id", "KL-1")).held
    assert [(each.run, each.paid) for each in held] == [("b", True)]
    await ended(cases, StakeEnd(reserved("nobody")))
    assert len((await book.look("order_id", "KL-1")).held) == 1


async def test_what_the_run_does_not_know_of_is_given_back_once_its_turn_is_stored(
    book: StakeBook, cases: Cases, redis: Redis, keys: Keys
) -> None:
    """A turn reserved it and broke off. What another thread has reserved on the same subject, what the run holds and what
    was paid stay."""
    for version, run in enumerate(("lost", "held", "paid")):
        assert await book.reserve(reserved(run), version, "T", 1)
    assert await book.reserve(reserved("other"), 3, "U", 1)
    await ended(cases, paid("paid"), held=[reserved("held")])
    assert sorted(each.run for each in (await book.look("order_id", "KL-1")).held) == ["held", "other", "paid"]
    assert await redis.exists(keys.staked("T"), keys.staked("U")) == 1
    await ended(cases)
    assert sorted(each.run for each in (await book.look("order_id", "KL-1")).held) == ["held", "other", "paid"]


async def test_only_whoever_has_the_thread_gives_it_up(book: StakeBook, cases: Cases, redis: Redis, keys: Keys) -> None:
    """One that slept through the end of its lease gives nothing back."""
    assert await book.reserve(reserved("a"), 0, "T", 1)
    await redis.set(keys.fence("T"), "2")
    with pytest.raises(ThreadBusy):
        await cases.give_up("T", 1)
    assert [each.run for each in (await book.look("order_id", "KL-1")).held] == ["a"]
    await cases.give_up("T", 2)
    assert (await book.look("order_id", "KL-1")).held == []


async def test_a_look_from_before_everything_was_given_back_is_refused(
    book: StakeBook, cases: Cases, redis: Redis, keys: Keys
) -> None:
    """The version goes on though nothing is left: who looked then would overlook what came since."""
    assert await book.reserve(reserved("a"), 0, "T", 1)
    looked = (await book.look("order_id", "KL-1")).version
    await cases.give_up("T", 1)
    assert await book.reserve(reserved("b"), (await book.look("order_id", "KL-1")).version, "U", 1)
    assert not await book.reserve(reserved("c"), looked, "V", 1)
    assert await redis.ttl(keys.staked("T")) == -2


async def test_what_was_paid_counts_though_its_reservation_was_lost(book: StakeBook, cases: Cases) -> None:
    """And stays as it was paid first."""
    for receipt in ("RA1", "RA2"):
        await ended(cases, paid("a", receipt=receipt))
    assert [(each.amount, each.paid, each.receipt) for each in (await book.look("order_id", "KL-1")).held] == [
        ("40", True, "RA1")
    ]
