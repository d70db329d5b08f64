"""What the tests of the queues share: events, a handler that writes down, and loops that end with their test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from redis.asyncio import Redis

from bot.inbox import Inbox
from bot.notice import Notice
from bot.outbox import Delivery, Outbox
from bot.worker import Worker
from graph.model import Actor, Event, EventKind, Outcome, Timer
from graph.store.connect import within
from graph.store.crypt import Codec
from graph.store.keys import Keys
from graph.store.lease import Leases

THREAD = "T1:C1:1764500000.000100"
LI = Actor(id="U_LI", name="Li")
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def event(
    event_id: str, thread: str = THREAD, *, said: float | None = None, kind: EventKind = "message", text: str = ""
) -> Event:
    """An event of Li's, said so many seconds after noon."""
    said_at = None if said is None else NOON + timedelta(seconds=said)
    return Event(id=event_id, thread=thread, kind=kind, actor=LI, at=NOON, said_at=said_at, text=text)


def notice(notice_id: str, words: str = "", *, to: str = THREAD, once: bool = False) -> Notice:
    """A notice for a thread."""
    return Notice(id=notice_id, kind="reply", thread=THREAD, place="thread", to=to, once=once, payload={"words": words})


def timer_in(timer_id: str, seconds: float) -> Timer:
    """A timer due so many seconds from now."""
    return Timer(id=timer_id, due=(datetime.now(UTC) + timedelta(seconds=seconds)).isoformat())


async def finish(
    inbox: Inbox,
    outbox: Outbox,
    leases: Leases,
    event_id: str,
    *notices: Notice,
    timers: list[Timer] | None = None,
    thread: str = THREAD,
) -> None:
    """Take an event in and finish it at once with these notices and timers."""
    await inbox.put(event(event_id, thread))
    async with leases.hold(thread) as lease:
        assert await inbox.next(thread, lease.fence) is not None
        await outbox.put_and_finish(thread, event_id, lease.fence, notices, timers or [])


async def soon(outbox: Outbox, seconds: float = 5.0) -> Delivery:
    """The next delivery, within so many seconds."""

    async def one() -> Delivery:
        while (delivery := await outbox.next()) is None:
            pass
        return delivery

    return await within(seconds, one())


class Handler:
    """Writes down what it is given; `then` decides what happens to an event."""

    def __init__(self, then: Callable[[Event], Awaitable[None]] | None = None) -> None:
        self.events: list[Event] = []
        self.begun: list[str] = []
        self._then = then
        self._changed = asyncio.Condition()

    async def __call__(self, given: Event, fence: int) -> Outcome:
        """As the engine's `advance`."""
        self.begun.append(given.id)
        await self._tell()
        if self._then is not None:
            await self._then(given)
        self.events.append(given)
        await self._tell()
        return Outcome(thread=given.thread, event=given.id)

    async def until(self, true: Callable[[], bool], seconds: float = 15.0) -> None:
        """Wait until something written down makes `true` so."""
        async with asyncio.timeout(seconds), self._changed:
            await self._changed.wait_for(true)

    async def until_done(self, count: int, seconds: float = 15.0) -> list[str]:
        """Wait for so many handled events; their ids in order."""
        await self.until(lambda: len(self.events) >= count, seconds)
        return [done.id for done in self.events]

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()


def make_worker(
    redis: Redis,
    keys: Keys,
    handler: Handler,
    *,
    idle: float = 1.0,
    max_tries: int = 3,
    limit: float = 30.0,
    given_up: Callable[[str, int], Awaitable[None]] | None = None,
    codec: Codec | None = None,
) -> Worker:
    """A worker with queues of its own and short times."""
    return Worker(
        Inbox(redis, keys, idle=idle, codec=codec),
        Outbox(redis, keys, idle=idle, codec=codec),
        Leases(redis, keys),
        handle=handler,
        project=lambda outcome: [notice(f"done:{outcome.event}")],
        actor=named,
        given_up=given_up,
        lease_for=idle,
        max_tries=max_tries,
        backoff=0.05,
        limit=limit,
        grace=0.5,
    )


async def named(actor: Actor) -> Actor:
    """A directory that knows everybody by the same name."""
    return actor.model_copy(update={"name": f"{actor.name} Li"})


@asynccontextmanager
async def running(*loops: Callable[[asyncio.Event], Awaitable[None]]) -> AsyncIterator[asyncio.Event]:
    """Run the loops while inside; at the end they are stopped as a process is, and what they raised is raised."""
    stopping = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for loop in loops:
            group.create_task(_run(loop, stopping))
        try:
            yield stopping
        finally:
            stopping.set()


async def _run(loop: Callable[[asyncio.Event], Awaitable[None]], stopping: asyncio.Event) -> None:
    await loop(stopping)
