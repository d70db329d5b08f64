"""The worker: every event once, in order, whatever breaks."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.inbox import Inbox
from bot.outbox import Outbox
from bot.timers import Clock
from deploy.local.redis_server import RedisServer
from graph.errors import ThreadBusy
from graph.model import Event
from graph.store.connect import connect
from graph.store.keys import Keys
from graph.store.lease import Leases
from tests.unit.bot.doomed import doomed
from tests.unit.bot.queues import THREAD, Handler, event, make_worker, running, soon


@pytest.fixture
def inbox(redis: Redis, keys: Keys) -> Inbox:
    """An inbox of this test's own."""
    return Inbox(redis, keys, idle=1.0)


async def test_fifty_threads_keep_their_order_under_eight_workers(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """Each event of 50 threads is handled once, in its thread's order, however many workers there are."""
    handler = Handler()
    workers = [make_worker(redis, keys, handler, idle=15.0).run for _ in range(8)]
    threads = [f"T1:C1:{n}" for n in range(50)]
    async with running(*workers):
        for n in range(6):
            await asyncio.gather(*(inbox.put(event(f"{thread}/{n}", thread)) for thread in threads))
        await handler.until_done(300, seconds=60)
    order = defaultdict(list)
    for done in handler.events:
        order[done.thread].append(done.id)
    assert order == {thread: [f"{thread}/{n}" for n in range(6)] for thread in threads}


async def test_a_second_event_waits_for_the_first(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """What arrives while an event of its thread is worked on is handled after it; another thread's at once."""
    go = asyncio.Event()

    async def hold_first(given: Event) -> None:
        if given.id == "first":
            await go.wait()

    handler = Handler(hold_first)
    async with running(*(make_worker(redis, keys, handler).run for _ in range(2))):
        await inbox.put(event("first"))
        await handler.until(lambda: handler.begun == ["first"])
        await inbox.put(event("second"))
        await inbox.put(event("elsewhere", "T1:C1:other"))
        assert await handler.until_done(1) == ["elsewhere"]
        assert "second" not in handler.begun
        go.set()
        assert await handler.until_done(3) == ["elsewhere", "first", "second"]


async def test_the_actor_is_completed_and_the_outcome_shown(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """The handler gets the actor as the directory knows them, and what it returns is queued for sending."""
    handler = Handler()
    outbox = Outbox(redis, keys)
    async with outbox.joined(), running(make_worker(redis, keys, handler).run):
        await inbox.put(event("e1"))
        assert (await soon(outbox)).id == "done:e1"
    assert handler.events[0].actor.name == "Li Li"


async def test_a_dead_worker_is_replaced(redis_server: RedisServer, redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """What a killed worker had begun is handled by another within seconds, before what came later."""
    await inbox.put(event("first"))
    async with doomed(redis_server.url, keys.prefix, "work") as process:
        await inbox.put(event("second"))
        process.kill()
        handler = Handler()
        async with running(make_worker(redis, keys, handler).run, Clock(redis, keys).run):
            assert await handler.until_done(2, seconds=6) == ["first", "second"]


async def test_a_slow_worker_is_not_replaced(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """An event that takes longer than the idle time is begun once, as long as its worker lives."""

    async def slowly(_: Event) -> None:
        await asyncio.sleep(2.0)

    handler = Handler(slowly)
    async with running(*(make_worker(redis, keys, handler, idle=0.6).run for _ in range(2)), Clock(redis, keys).run):
        await inbox.put(event("slow"))
        await handler.until_done(1)
    assert handler.begun == ["slow"]


async def test_what_fails_is_tried_again(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """An event whose handling failed is tried again, before the next of its thread."""
    handler: Handler

    async def fail_once(given: Event) -> None:
        if handler.begun.count("flaky") == 1:
            raise RuntimeError

    handler = Handler(fail_once)
    async with running(make_worker(redis, keys, handler).run, Clock(redis, keys).run):
        await inbox.put(event("flaky"))
        await inbox.put(event("next"))
        assert await handler.until_done(2) == ["flaky", "next"]
    assert handler.begun == ["flaky", "flaky", "next"]


async def test_what_always_fails_is_set_aside(
    redis: Redis, keys: Keys, inbox: Inbox, caplog: pytest.LogCaptureFixture
) -> None:
    """After the last try an event is kept whole, the thread is told, the next goes on, and no log quotes a customer."""

    async def fail(given: Event) -> None:
        if given.id == "bad":
            raise ValueError(given.text)

    given_up: list[tuple[str, bool]] = []

    async def gives_up(thread: str, fence: int) -> None:
        given_up.append((thread, await Leases(redis, keys).is_newest(thread, fence)))

    handler = Handler(fail)
    outbox = Outbox(redis, keys)
    worker = make_worker(redis, keys, handler, given_up=gives_up)
    async with outbox.joined(), running(worker.run, Clock(redis, keys).run):
        await inbox.put(event("bad", text="account 6222020200112230"))
        await inbox.put(event("next"))
        assert await handler.until_done(1) == ["next"]
        told = (await soon(outbox)).notice
    assert given_up == [(THREAD, True)]
    assert handler.begun == ["bad", "bad", "bad", "next"]
    assert (told.id, told.kind, told.to) == ("failed:bad", "failed", THREAD)
    [dead] = await inbox.dead()
    assert (dead.event, dead.thread, dead.why, dead.failures) == ("bad", THREAD, "ValueError", 3)
    assert "bad" in caplog.text
    assert "6222020200112230" not in caplog.text


async def test_what_was_set_aside_can_be_revived(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """An event that was set aside is handled, whole, once it is put back; it can be put back once."""
    broken = True

    async def fail(_: Event) -> None:
        if broken:
            raise ValueError

    handler = Handler(fail)
    outbox = Outbox(redis, keys)
    async with outbox.joined(), running(make_worker(redis, keys, handler, max_tries=1).run):
        await inbox.put(event("e1", text="补 80 美元"))
        assert (await soon(outbox)).id == "failed:e1"
        broken = False
        assert await inbox.revive("e1")
        assert not await inbox.revive("e1")
        await handler.until_done(1)
    assert handler.events[0].text == "补 80 美元"


async def test_what_cannot_be_read_is_set_aside(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """A broken entry in a mailbox does not stop the events behind it."""
    await inbox.put(event("broken"))
    await inbox.put(event("next"))
    [first, _] = await redis.zrange(keys.mailbox(THREAD), 0, -1)
    await redis.hset(keys.letters(THREAD), str(first), "{")
    handler = Handler()
    async with running(make_worker(redis, keys, handler).run):
        assert await handler.until_done(1) == ["next"]
    [dead] = await inbox.dead()
    assert (dead.event, dead.why, dead.raw) == ("broken", "unreadable", "{")
    assert not await inbox.revive("broken")


async def test_what_kills_its_workers_is_set_aside(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """An event that was begun again and again, and never came to an end, is given up."""
    await inbox.put(event("deadly"))
    await inbox.put(event("next"))
    async with Leases(redis, keys).hold(THREAD) as lease:
        for _ in range(12):
            await inbox.next(THREAD, lease.fence)
    handler = Handler()
    async with running(make_worker(redis, keys, handler).run):
        assert await handler.until_done(1) == ["next"]
    assert [dead.why for dead in await inbox.dead()] == ["never_ended"]


async def test_what_hangs_has_failed(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """A handler that does not return in time is ended, and the event counts as failed."""

    async def hang(given: Event) -> None:
        if given.id == "stuck":
            await asyncio.Event().wait()

    handler = Handler(hang)
    worker = make_worker(redis, keys, handler, max_tries=2, limit=0.1)
    async with running(worker.run, Clock(redis, keys).run):
        await inbox.put(event("stuck"))
        await inbox.put(event("next"))
        assert await handler.until_done(1) == ["next"]
    assert [(dead.why, dead.failures) for dead in await inbox.dead()] == [("TimeoutError", 2)]


async def test_a_busy_thread_is_tried_again_later(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """While somebody else holds a thread its events wait, and that counts as no failure."""
    handler: Handler

    async def busy_once(_: Event) -> None:
        if len(handler.begun) == 1:
            raise ThreadBusy

    handler = Handler(busy_once)
    async with running(make_worker(redis, keys, handler, max_tries=1).run):
        async with Leases(redis, keys).hold(THREAD):
            await inbox.put(event("e1"))
            assert await redis.blpop([keys.alarm()], timeout=5), "put off until a clock brings it back"
            assert handler.begun == []
        async with running(Clock(redis, keys).run):
            assert await handler.until_done(1) == ["e1"]
    assert handler.begun == ["e1", "e1"]


async def test_a_worker_that_stops_finishes_what_it_has_in_hand(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """A stop lets the event in hand finish, begins no other, and hands the thread back for others at once."""

    async def take_a_moment(_: Event) -> None:
        await asyncio.sleep(0.2)

    first, second = Handler(take_a_moment), Handler()
    for event_id in ("e1", "e2"):
        await inbox.put(event(event_id))
    async with running(make_worker(redis, keys, first, idle=60.0).run):
        await first.until(lambda: first.begun == ["e1"])
    assert [done.id for done in first.events] == ["e1"]
    async with running(make_worker(redis, keys, second, idle=60.0).run):
        assert await second.until_done(1, seconds=3) == ["e2"]


async def test_what_outlasts_the_grace_is_handed_back(redis: Redis, keys: Keys, inbox: Inbox) -> None:
    """An event that does not finish in the time a stop allows is ended, and is the next worker's first."""

    async def hang(_: Event) -> None:
        await asyncio.Event().wait()

    first, second = Handler(hang), Handler()
    await inbox.put(event("e1"))
    async with running(make_worker(redis, keys, first, idle=60.0).run):
        await first.until(lambda: first.begun == ["e1"])
    await inbox.put(event("e0", said=-3600))
    async with running(make_worker(redis, keys, second, idle=60.0).run):
        assert await second.until_done(2, seconds=3) == ["e1", "e0"]


async def test_redis_killed_in_the_middle(tmp_path: Path, keys: Keys) -> None:
    """Redis is killed while events are handled and comes back: all are finished, in order, by the same processes."""
    server = RedisServer(tmp_path)
    await server.start()
    redis = connect(server.url)
    inbox, outbox = Inbox(redis, keys, idle=1.0), Outbox(redis, keys, idle=1.0)
    go = asyncio.Event()

    async def through_the_outage(given: Event) -> None:
        if given.id == "e0" and not go.is_set():
            server.kill()
            go.set()
        await redis.ping()

    handler = Handler(through_the_outage)
    shown: list[str] = []
    try:
        for n in range(5):
            await inbox.put(event(f"e{n}"), receipt_after=60)
        async with outbox.joined(), running(make_worker(redis, keys, handler, max_tries=1).run, Clock(redis, keys).run):
            await go.wait()
            await asyncio.sleep(1.5)  # the outage lasts; every loop meets it
            await server.start()
            await handler.until_done(5, seconds=30)
            while len(shown) < 5:
                delivery = await soon(outbox, seconds=30)
                shown.append(delivery.id)
                await outbox.sent(delivery, "C1", f"1.{len(shown)}")
        assert [done.id for done in handler.events] == [f"e{n}" for n in range(5)]
        assert shown == [f"done:e{n}" for n in range(5)]
        assert await inbox.dead() == []
    finally:
        await redis.aclose()
        await server.stop()
