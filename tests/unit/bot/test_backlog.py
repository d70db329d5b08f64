"""How much waits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from redis.asyncio import Redis

from bot.aside import DeadEvent
from bot.backlog import backlog
from bot.inbox import Inbox
from bot.metrics import Metrics
from bot.outbox import Outbox
from graph.store.breakers import SharedBreakers
from graph.store.figures import Figure
from graph.store.keys import Keys
from graph.store.lease import Leases
from tests.unit.bot.queues import THREAD, event, finish, notice


async def test_what_waits_is_counted(redis: Redis, keys: Keys) -> None:
    """Events by thread with the age of the oldest, and notices; what is done is not counted."""
    inbox, outbox, leases = Inbox(redis, keys), Outbox(redis, keys), Leases(redis, keys)
    assert (await backlog(redis, keys)).model_dump() == {
        "events": 0,
        "threads": 0,
        "oldest_seconds": 0.0,
        "notices": 0,
        "set_aside": 0,
        "unsent": 0,
        "cases_open": 0,
        "left_alone": (),
    }
    said = datetime.now(UTC) - timedelta(seconds=90)
    await finish(inbox, outbox, leases, "done", notice("n1"), notice("n2", to="T1:C1:2"), thread="T1:C1:9")
    await inbox.put(event("e1").model_copy(update={"said_at": said}))
    await inbox.put(event("e2").model_copy(update={"said_at": said + timedelta(seconds=60)}))
    await inbox.put(event("e3", "T1:C1:3"))
    found = await backlog(redis, keys)
    assert (found.events, found.threads, found.notices) == (3, 3, 2)
    assert 89 < found.oldest_seconds < 100
    async with leases.hold(THREAD) as lease:
        assert await inbox.next(THREAD, lease.fence) is not None
        dead = DeadEvent(event="e1", thread=THREAD, why="ValueError", failures=5, raw="{}")
        await outbox.put_and_finish(THREAD, "e1", lease.fence, [], [], set_aside=dead)
    found = await backlog(redis, keys)
    assert (found.events, found.set_aside) == (2, 1)
    assert found.oldest_seconds < 60


async def test_a_channel_that_is_left_alone_is_in_the_figures(redis: Redis, keys: Keys) -> None:
    """By name, in what waits and in the metrics, until it answers again."""
    breakers, metrics = SharedBreakers(redis, keys), Metrics()
    for _ in range(5):
        await breakers.note("channel:stripe", failed=True, after=5, pause=30)
    metrics.look(await backlog(redis, keys))
    assert metrics.value("sopdesk_breaker_open", channel="channel:stripe") == 1
    await breakers.note("channel:stripe", failed=False, after=5, pause=30)
    metrics.look(await backlog(redis, keys))
    assert b"channel:stripe" not in metrics.text()


async def test_the_share_that_needed_a_person_is_a_metric(redis: Redis, keys: Keys) -> None:
    """By procedure, of this week; a week without cases leaves none behind."""
    metrics, now = Metrics(), await backlog(redis, keys)
    metrics.look(now, [Figure(week="2026-W49", sop="refund_arrival", ended=20, needed_person=1)])
    assert metrics.value("sopdesk_week_share_by_person", sop="refund_arrival") == 0.05
    metrics.look(now)
    assert b"refund_arrival" not in metrics.text()
