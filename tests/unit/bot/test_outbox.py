"""The outbox: each notice once, edited in place, in order, whoever dies."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from bot.inbox import Inbox
from bot.notice import Place
from bot.outbox import Outbox
from bot.timers import Clock
from deploy.local.redis_server import RedisServer
from graph.errors import ThreadBusy
from graph.store.keys import Keys
from graph.store.lease import Leases
from tests.unit.bot.doomed import doomed
from tests.unit.bot.queues import LI, THREAD, event, finish, notice, running, soon, timer_in


class Queues:
    """All queues under one prefix."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self.redis = redis
        self.keys = keys
        self.inbox = Inbox(redis, keys, idle=1.0)
        self.outbox = Outbox(redis, keys, idle=1.0, max_tries=3)
        self.leases = Leases(redis, keys)
        self._events = 0

    async def show(self, *notices: object) -> None:
        """An event is done and leads to these notices."""
        self._events += 1
        await finish(self.inbox, self.outbox, self.leases, f"e{self._events}", *notices)  # type: ignore[arg-type]

    async def words(self, count: int) -> list[object]:
        """Send so many notices; what each said."""
        said: list[object] = []
        for n in range(count):
            delivery = await soon(self.outbox)
            said.append(delivery.notice.payload["words"])
            await self.outbox.sent(delivery, "C1", f"9.{n}")
        return said

    async def nothing_left(self) -> bool:
        """Whether a sender would wait."""
        return await self.outbox.next() is None and await self.redis.xlen(self.keys.stream("sendable")) == 0


@pytest.fixture
def queues(redis: Redis, keys: Keys) -> Queues:
    """Queues of this test's own."""
    return Queues(redis, keys)


async def test_an_old_fence_finishes_nothing(queues: Queues) -> None:
    """A worker that slept through its lease can neither finish its event nor show or time anything."""
    await queues.inbox.put(event("e1"))
    old = await queues.leases.take(THREAD, "sleeper", 0.01)
    assert old is not None
    await queues.inbox.next(THREAD, old.fence)
    async with queues.leases.hold(THREAD, wait=1) as new:
        with pytest.raises(ThreadBusy):
            await queues.outbox.put_and_finish(THREAD, "e1", old.fence, [notice("n1")], [timer_in("t1", 60)])
        assert await queues.inbox.waiting(THREAD) == 1
        assert not await queues.redis.exists(queues.keys.notice("n1"), queues.keys.timers())
        assert await queues.outbox.put_and_finish(THREAD, "e1", new.fence, [notice("n1")], []) == 0


async def test_finishing_twice_is_finishing_once(queues: Queues) -> None:
    """A repeat, after an answer that was lost, neither shows twice nor removes the next event."""
    await queues.inbox.put(event("e1", said=1))
    await queues.inbox.put(event("e2", said=2))
    async with queues.leases.hold(THREAD) as lease:
        await queues.inbox.next(THREAD, lease.fence)
        for _ in range(2):
            assert await queues.outbox.put_and_finish(THREAD, "e1", lease.fence, [notice("n1")], []) == 1
        begun = await queues.inbox.next(THREAD, lease.fence)
        assert begun is not None
        assert begun.event.id == "e2"
    async with queues.outbox.joined():
        assert len(await queues.words(1)) == 1
        assert await queues.nothing_left()


async def test_a_destination_keeps_its_order(queues: Queues) -> None:
    """Notices of one destination are sent as they were queued, one at a time."""
    await queues.show(notice("a", "1"), notice("b", "2"))
    await queues.show(notice("c", "3"))
    async with queues.outbox.joined():
        first = await soon(queues.outbox)
        assert await queues.outbox.next() is None, "a second one is in flight"
        await queues.outbox.sent(first, "C1", "1.1")
        assert await queues.words(2) == ["2", "3"]
        assert await queues.nothing_left()


async def test_destinations_do_not_wait_for_each_other(queues: Queues) -> None:
    """While one destination is being sent to, another's notice is given out."""
    await queues.show(notice("a"), notice("b", to="other"))
    async with queues.outbox.joined():
        both = {(await soon(queues.outbox)).id, (await soon(queues.outbox)).id}
    assert both == {"a", "b"}


async def test_the_same_again_is_not_sent_again(queues: Queues) -> None:
    """A notice that says what it said before is left out, sent or not."""
    await queues.show(notice("card", "80 USD"))
    await queues.show(notice("card", "80 USD"))
    async with queues.outbox.joined():
        assert await queues.words(1) == ["80 USD"]
        await queues.show(notice("card", "80 USD"))
        assert await queues.nothing_left()


async def test_an_edit_goes_where_the_post_stands(queues: Queues) -> None:
    """A notice that says something new is an edit at the remembered place, even if it now names another."""
    await queues.show(notice("card", "waiting"))
    async with queues.outbox.joined():
        post = await soon(queues.outbox)
        assert post.posted is None
        await queues.outbox.sent(post, "C1", "7.7")
        assert await queues.outbox.place_of("card") == Place(channel="C1", ts="7.7")
        await queues.show(notice("card", "done", to="elsewhere"))
        edit = await soon(queues.outbox)
        assert (edit.posted, edit.notice.payload["words"]) == (Place(channel="C1", ts="7.7"), "done")
        await queues.outbox.sent(edit, "C1", "7.7")
        assert await queues.nothing_left()


async def test_what_waits_unsent_is_replaced_in_place(queues: Queues) -> None:
    """A newer version of a notice that was not sent yet takes its place in the queue, and is posted once."""
    await queues.show(notice("card", "old"), notice("b", "behind"))
    await queues.show(notice("card", "new"))
    async with queues.outbox.joined():
        assert await queues.words(2) == ["new", "behind"]
        assert await queues.nothing_left()


async def test_an_edit_waits_behind_its_post(queues: Queues) -> None:
    """What changes while it is being posted is edited after that, and changed back is not edited at all."""
    await queues.show(notice("card", "old"), notice("b", "behind"))
    async with queues.outbox.joined():
        post = await soon(queues.outbox)
        await queues.show(notice("card", "new"))
        await queues.outbox.sent(post, "C1", "7.7")
        assert await queues.words(1) == ["behind"]
        edit = await soon(queues.outbox)
        assert (edit.posted, edit.notice.payload["words"]) == (Place(channel="C1", ts="7.7"), "new")
        await queues.show(notice("card", "newest"))
        await queues.show(notice("card", "new"))
        await queues.outbox.sent(edit, "C1", "7.7")
        assert await queues.nothing_left()


async def test_a_once_notice_is_never_edited(queues: Queues) -> None:
    """A second notice under the id of a `once` notice is ignored, whatever it says."""
    await queues.show(notice("reply", "first", once=True))
    await queues.show(notice("reply", "second", once=True))
    async with queues.outbox.joined():
        assert await queues.words(1) == ["first"]
        await queues.show(notice("reply", "third", once=True))
        assert await queues.nothing_left()


async def test_a_rate_limit_delays_and_keeps_the_order(queues: Queues) -> None:
    """A destination told to wait waits, in order, while another goes on; an uncounted try is not counted."""
    await queues.show(notice("a", "1"), notice("b", "2"), notice("c", "other", to="other"))
    async with queues.outbox.joined(), running(Clock(queues.redis, queues.keys).run):
        held = {}
        for _ in range(2):
            delivery = await soon(queues.outbox)
            held[delivery.id] = delivery
        before = asyncio.get_running_loop().time()
        assert await queues.outbox.retry(held["a"], 0.5, why="ratelimited", counted=False)
        await queues.outbox.sent(held["c"], "C2", "1.1")
        again = await soon(queues.outbox)
        assert asyncio.get_running_loop().time() - before >= 0.5
        assert (again.id, again.tries, again.in_doubt) == ("a", 1, False)
        await queues.outbox.sent(again, "C1", "1.1")
        assert await queues.words(1) == ["2"]


async def test_a_doubt_is_remembered(queues: Queues) -> None:
    """A try whose end is unknown makes the next one look first; a plain failure does not."""
    await queues.show(notice("a"))
    async with queues.outbox.joined(), running(Clock(queues.redis, queues.keys).run):
        await queues.outbox.retry(await soon(queues.outbox), 0.01, why="server_error", in_doubt=True)
        second = await soon(queues.outbox)
        assert (second.tries, second.in_doubt) == (2, True)
        await queues.outbox.retry(second, 0.01, why="refused")
        third = await soon(queues.outbox)
        assert (third.tries, third.in_doubt) == (3, False)


async def test_a_notice_that_never_goes_through_is_set_aside(queues: Queues, caplog: pytest.LogCaptureFixture) -> None:
    """After the last try a notice is kept whole, named in the log without its words, and the next one goes on."""
    await queues.show(notice("bad", "secret words"), notice("good", "fine"))
    async with queues.outbox.joined(), running(Clock(queues.redis, queues.keys).run):
        for tries in (1, 2, 3):
            delivery = await soon(queues.outbox)
            assert (delivery.id, delivery.tries) == ("bad", tries)
            assert await queues.outbox.retry(delivery, 0.01, why="invalid_blocks") == (tries < 3)
        assert await queues.words(1) == ["fine"]
    [kept] = await queues.outbox.unsent()
    assert (kept.notice, kept.why, kept.tries) == ("bad", "invalid_blocks", 3)
    assert "secret words" in kept.raw
    assert "bad is given up" in caplog.text
    assert "secret words" not in caplog.text


async def test_a_newer_version_of_what_was_given_up_is_tried(queues: Queues) -> None:
    """Giving a notice up concerns what it said; its next version is posted."""
    await queues.show(notice("card", "too long"))
    async with queues.outbox.joined():
        await queues.outbox.give_up(await soon(queues.outbox), why="msg_too_long")
        assert await queues.nothing_left()
        await queues.show(notice("card", "short"))
        delivery = await soon(queues.outbox)
        assert (delivery.posted, delivery.tries) == (None, 1)


async def test_a_dead_sender_is_replaced(queues: Queues, redis_server: RedisServer) -> None:
    """What a killed sender had in hand is sent by another, which is told that it may stand there already."""
    await queues.show(notice("a", "1"), notice("b", "2"))
    async with doomed(redis_server.url, queues.keys.prefix, "send") as sender:
        sender.kill()
        async with queues.outbox.joined():
            taken = await soon(queues.outbox, seconds=4)
            assert (taken.id, taken.tries, taken.in_doubt) == ("a", 2, True)
            await queues.outbox.sent(taken, "C1", "1.1")
            assert await queues.words(1) == ["2"]


async def test_a_live_sender_is_not_replaced(queues: Queues) -> None:
    """A slow sender that is alive keeps its notice for longer than the idle time."""
    await queues.show(notice("a"))
    other = Outbox(queues.redis, queues.keys, idle=1.0)
    async with queues.outbox.joined(), other.joined():
        delivery = await soon(queues.outbox)
        with pytest.raises(TimeoutError):
            await soon(other, seconds=2.0)
        assert await queues.outbox.sent(delivery, "C1", "1.1")


async def test_a_late_sender_changes_nothing_of_the_new_one(queues: Queues) -> None:
    """A sender that was taken over is told so; where its message stands is remembered, the other goes on."""
    await queues.show(notice("a"), notice("b"))
    late = await soon(queues.outbox)  # not joined: no heartbeat
    other = Outbox(queues.redis, queues.keys, idle=1.0)
    async with other.joined():
        taken = await soon(other, seconds=4)
        assert not await queues.outbox.sent(late, "C1", "1.1")
        assert await other.place_of("a") == Place(channel="C1", ts="1.1")
        assert await other.sent(taken, "C1", "1.1")
        assert (await soon(other)).id == "b"


async def test_leaving_hands_back_at_once(queues: Queues) -> None:
    """What a sender that stops has in hand goes to another without waiting for the idle time."""
    await queues.show(notice("a"))
    first, second = (Outbox(queues.redis, queues.keys, idle=60.0) for _ in range(2))
    async with first.joined():
        await soon(first)
    async with second.joined():
        assert (await soon(second, seconds=2)).id == "a"


async def test_a_channel_is_paced_over_all_senders(queues: Queues) -> None:
    """Moments of one channel are given out one after another, later after a rate limit; other channels are free."""
    other = Outbox(queues.redis, queues.keys)
    assert await queues.outbox.reserve("C1", every=1.0) == 0
    assert 0.5 < await other.reserve("C1", every=1.0) <= 1.0
    assert await other.reserve("C2", every=1.0) == 0
    await other.hold_back("C1", 30)
    assert 29 < await queues.outbox.reserve("C1", every=1.0) <= 30


async def test_a_late_event_is_receipted_privately(queues: Queues) -> None:
    """An event that is not done in time leads to one private sign of receipt for who caused it."""
    async with queues.outbox.joined(), running(Clock(queues.redis, queues.keys).run):
        await queues.inbox.put(event("click", kind="decision"), receipt_after=0.2)
        told = (await soon(queues.outbox)).notice
        assert (told.id, told.kind, told.place, told.to) == ("received:click", "received", "user", LI.id)
        assert (told.thread, told.payload["event"], told.payload["lang"]) == (THREAD, "click", "zh")


async def test_an_event_done_in_time_is_not_receipted(queues: Queues) -> None:
    """What is answered in time gets no sign of receipt: its clock is gone, and so is a sign that was not sent yet."""
    await queues.inbox.put(event("click"), receipt_after=60)
    await queues.inbox.put(event("slow"), receipt_after=0)
    await Clock(queues.redis, queues.keys).fire()
    assert await queues.redis.llen(queues.keys.outbox(f"user:{LI.id}")) == 1
    async with queues.leases.hold(THREAD) as lease:
        for _ in range(2):
            begun = await queues.inbox.next(THREAD, lease.fence)
            assert begun is not None
            await queues.outbox.put_and_finish(THREAD, begun.event.id, lease.fence, [], [])
    assert await queues.redis.zcard(queues.keys.timers()) == 0
    async with queues.outbox.joined():
        assert await queues.outbox.next() is None
        assert await queues.nothing_left()


async def test_a_notice_that_no_sender_survives_is_set_aside(queues: Queues) -> None:
    """Not at once, for senders die of other things, too: four may for each of its tries. What waits behind it goes on."""
    await queues.show(notice("bad"))
    await queues.show(notice("good"))
    await queues.redis.hset(queues.keys.notice("bad"), "tries", "12")
    assert (await soon(queues.outbox)).id == "good"
    [kept] = await queues.outbox.unsent()
    assert (kept.notice, kept.why, kept.tries) == ("bad", "no_sender_survived", 13)
