"""Mailboxes: each event once, in order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from redis.asyncio import Redis

from bot.aside import DeadEvent
from bot.inbox import Inbox, UnreadableEvent
from bot.outbox import Outbox
from graph.errors import ThreadBusy
from graph.store.crypt import Codec
from graph.store.keys import Keys
from graph.store.lease import Lease, Leases
from tests.unit.bot.queues import LI, NOON, THREAD, event


@pytest.fixture
def inbox(redis: Redis, keys: Keys) -> Inbox:
    """An inbox of this test's own."""
    return Inbox(redis, keys, idle=1.0)


@pytest.fixture
async def lease(redis: Redis, keys: Keys) -> Lease:
    """The right to work on the thread."""
    lease = await Leases(redis, keys).take(THREAD, "test", 60)
    assert lease is not None
    return lease


async def begin(inbox: Inbox, lease: Lease) -> str | None:
    """The id of the event that is begun."""
    begun = await inbox.next(THREAD, lease.fence)
    return None if begun is None else begun.event.id


async def test_what_was_put_comes_out_whole(inbox: Inbox, lease: Lease) -> None:
    """An event comes out as it was put in, with the time at which it was stored."""
    put = event("e1", said=1.25, text='补 80 美元 {"at": 0} 🙂')
    before = datetime.now(UTC) - timedelta(milliseconds=2)
    assert await inbox.put(put)
    begun = await inbox.next(THREAD, lease.fence)
    assert begun is not None
    assert begun.event.model_copy(update={"at": put.at}) == put
    assert before <= begun.event.at <= datetime.now(UTC)
    assert begun.event.actor == LI


async def test_an_id_is_taken_in_once(inbox: Inbox) -> None:
    """A redelivery under the same id is refused."""
    assert await inbox.put(event("e1"))
    assert not await inbox.put(event("e1"))
    assert await inbox.waiting(THREAD) == 1


async def test_a_mark_is_taken_in_once(inbox: Inbox) -> None:
    """One message that arrives as two events is taken in once, and so is a later repeat of the refused one."""
    assert await inbox.put(event("mention"), dedupe=["ts:C1:1.2"])
    assert not await inbox.put(event("message"), dedupe=["ts:C1:1.2", "client:7"])
    assert not await inbox.put(event("message"))
    assert not await inbox.put(event("another"), dedupe=["client:7"])
    assert await inbox.waiting(THREAD) == 1


async def test_marks_are_forgotten(redis: Redis, keys: Keys) -> None:
    """What was seen is remembered for as long as was asked, not for good."""
    await Inbox(redis, keys, seen_for=timedelta(hours=2)).put(event("e1"), dedupe=["m"])
    for mark in ("e1", "m"):
        assert 7100 < await redis.ttl(keys.seen(mark)) <= 7200


async def test_those_that_wait_are_ordered_by_when_they_were_said(inbox: Inbox, lease: Lease) -> None:
    """Events that wait together come out in the order of the platform's time, to the microsecond."""
    for event_id, said in (("c", 2.000002), ("a", 1.0), ("b", 2.000001)):
        await inbox.put(event(event_id, said=said))
    order = []
    for _ in range(3):
        begun = await inbox.next(THREAD, lease.fence)
        assert begun is not None
        order.append(begun.event.id)
        await finished(inbox, begun.event.id, lease)
    assert order == ["a", "b", "c"]


async def test_those_said_at_once_keep_their_order_of_arrival(inbox: Inbox, lease: Lease) -> None:
    """Events of the same time come out as they came in."""
    ids = [f"e{n}" for n in range(12)]
    for event_id in ids:
        await inbox.put(event(event_id, said=1.0))
    order = []
    while (current := await begin(inbox, lease)) is not None:
        order.append(current)
        await finished(inbox, current, lease)
    assert order == ids


async def test_what_was_begun_stays_first(inbox: Inbox, lease: Lease) -> None:
    """An event that was begun is not overtaken by one said earlier that arrives later."""
    await inbox.put(event("late", said=5))
    assert await begin(inbox, lease) == "late"
    await inbox.put(event("early", said=1))
    assert await begin(inbox, lease) == "late"
    await finished(inbox, "late", lease)
    assert await begin(inbox, lease) == "early"


async def test_a_start_that_did_not_end_is_counted(inbox: Inbox, lease: Lease) -> None:
    """Beginning an event again counts its starts; a failure that was told begins the count anew."""
    await inbox.put(event("e1"))
    for starts in (1, 2):
        begun = await inbox.next(THREAD, lease.fence)
        assert begun is not None
        assert (begun.starts, begun.failures) == (starts, 0)
    assert await inbox.failed(THREAD, "e1", lease.fence) == 1
    begun = await inbox.next(THREAD, lease.fence)
    assert begun is not None
    assert (begun.starts, begun.failures) == (1, 1)


async def test_an_old_fence_begins_nothing(inbox: Inbox, lease: Lease, redis: Redis, keys: Keys) -> None:
    """A worker whose lease was taken over gets no event."""
    await inbox.put(event("e1"))
    await Leases(redis, keys).take(THREAD, "test", 60)
    with pytest.raises(ThreadBusy):
        await inbox.next(THREAD, lease.fence)


async def test_a_broken_letter_is_named(inbox: Inbox, lease: Lease, redis: Redis, keys: Keys) -> None:
    """What is stored and is no event is reported with its id and what was found."""
    await inbox.put(event("e1"))
    [member] = await redis.hkeys(keys.letters(THREAD))
    await redis.hset(keys.letters(THREAD), member, '{"at":')
    with pytest.raises(UnreadableEvent) as told:
        await inbox.next(THREAD, lease.fence)
    assert (told.value.event_id, told.value.raw) == ("e1", '{"at":')


async def test_a_thread_is_ready_once(inbox: Inbox) -> None:
    """However many events a thread has, one worker gets it, once."""
    for n in range(3):
        await inbox.put(event(f"e{n}"))
    await inbox.put(event("other", "T1:C1:2"))
    async with inbox.stream.joined():
        assert await inbox.stream.read(10) == []
        assert sorted(held.item for held in await inbox.stream.read(10)) == [THREAD, "T1:C1:2"]
        assert await inbox.stream.read(10) == []


async def test_a_thread_with_mail_is_not_settled(inbox: Inbox, lease: Lease) -> None:
    """A thread is given up only when its mailbox is empty; later mail makes it ready anew."""
    await inbox.put(event("e1"))
    async with inbox.stream.joined():
        await inbox.stream.read(1)
        [held] = await inbox.stream.read(1)
        assert not await inbox.settle(held)
        await begin(inbox, lease)
        await finished(inbox, "e1", lease)
        assert await inbox.settle(held)
        await inbox.put(event("e2"))
        assert [again.item for again in await inbox.stream.read(1)] == [THREAD]


async def test_a_time_without_zone_is_refused(inbox: Inbox) -> None:
    """A `said_at` that could mean any of 24 hours is not stored."""
    naive = event("e1").model_copy(update={"said_at": NOON.replace(tzinfo=None)})
    with pytest.raises(ValueError, match="time zone"):
        await inbox.put(naive)


async def finished(inbox: Inbox, event_id: str, lease: Lease) -> None:
    """Finish an event with nothing to show."""
    await Outbox(inbox._redis, inbox._keys).put_and_finish(THREAD, event_id, lease.fence, [], [])


async def test_what_is_put_back_tells_when_it_was_meant(inbox: Inbox, lease: Lease, redis: Redis, keys: Keys) -> None:
    """A click has no time of its own but that of its coming, and keeps it, however often it is put back at another."""
    raw = event("click:1", kind="cancel").model_dump_json()
    for _ in range(2):
        dead = DeadEvent(event="click:1", thread=THREAD, why="ValueError", failures=5, raw=raw)
        await redis.hset(keys.dead(), "click:1", dead.stored(Codec()))
        assert await inbox.revive("click:1")
        begun = await inbox.next(THREAD, lease.fence)
        assert begun is not None
        assert (begun.event.said_at, begun.event.at > NOON) == (NOON, True)
        raw = begun.event.model_dump_json()
        await Outbox(redis, keys).put_and_finish(THREAD, "click:1", lease.fence, [], [])
