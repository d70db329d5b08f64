"""Takes threads that have mail, and works their events off in order: resolve the actor, handle, project, finish."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from bot.aside import DeadEvent
from bot.inbox import Begun, Inbox, UnreadableEvent
from bot.logs import briefly
from bot.notice import Notice
from bot.outbox import Outbox
from bot.ready import Held
from graph.errors import ThreadBusy
from graph.model import Actor, Event, Outcome
from graph.store.connect import BLOCK_SECONDS, Patience, end, is_away, stopped_first, within
from graph.store.crypt import CannotOpen
from graph.store.lease import Leases

log = logging.getLogger(__name__)

_BUSY_SECONDS: Final = 1.0
_STARTS_PER_TRY: Final = 4
"""A start that never came to an end may be the fault of a machine, so it takes more of them to give up."""


class _Later(Exception):
    """No error: the way out of the lease, for the thread to be put off."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


class Worker:
    """Works on up to `concurrency` threads at once, on one event of each.

    `handle(event, fence)` does the work; ThreadBusy from it, or Redis being away, is waited out. Any other error is
    tried again after growing pauses; after `max_tries` the event is set aside, whole, and the thread is told. An event
    that takes longer than `limit` seconds has failed. `project` makes the notices, `actor` completes who it was;
    `given_up(thread, fence)` is told of a thread of which an event is set aside.
    `around` is entered for each event; `beat` is called each time the loop comes round, every few seconds at least.
    """

    def __init__(
        self,
        inbox: Inbox,
        outbox: Outbox,
        leases: Leases,
        *,
        handle: Callable[[Event, int], Awaitable[Outcome]],
        project: Callable[[Outcome], Sequence[Notice]],
        actor: Callable[[Actor], Awaitable[Actor]],
        given_up: Callable[[str, int], Awaitable[None]] | None = None,
        concurrency: int = 16,
        lease_for: float = 15.0,
        max_tries: int = 5,
        backoff: float = 1.0,
        limit: float = 120.0,
        grace: float = 10.0,
        around: Callable[[Event], AbstractContextManager[None]] = lambda _: nullcontext(),
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._leases = leases
        self._handle = handle
        self._project = project
        self._actor = actor
        self._given_up = given_up
        self._concurrency = concurrency
        self._lease_for = lease_for
        self._max_tries = max_tries
        self._backoff = backoff
        self._limit = limit
        self._grace = grace
        self._around = around
        self._beat = beat

    async def run(self, stopping: asyncio.Event) -> None:
        """Work until `stopping`; then finish the events in hand, for `grace` seconds at most, and hand back the rest."""
        async with self._inbox.stream.joined():
            tasks: set[asyncio.Task[None]] = set()
            try:
                while not stopping.is_set():
                    self._beat()
                    free = self._concurrency - len(tasks)
                    if not free:
                        ended = asyncio.wait(tasks, timeout=BLOCK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                        await stopped_first(stopping, ended)
                        continue
                    for held in await stopped_first(stopping, self._inbox.stream.read(free)) or []:
                        task = asyncio.create_task(self._work(held, stopping), name=f"thread {held.item}")
                        tasks.add(task)
                        task.add_done_callback(tasks.discard)
                        task.add_done_callback(_report)
                if tasks:
                    await asyncio.wait(tasks, timeout=self._grace)
            finally:
                await end(*tasks)

    async def _work(self, held: Held, stopping: asyncio.Event) -> None:
        """Empty one mailbox. However that ends, the thread is settled, put off, or left for another to take over."""
        patience = Patience(stopping)
        while not stopping.is_set():
            [ended] = await asyncio.gather(self._empty(held, stopping), return_exceptions=True)
            if ended is None:
                return
            if not isinstance(ended, Exception):
                raise ended
            try:
                if is_away(ended):
                    await patience.pause()
                    continue
                await self._inbox.stream.put_off(held, self._delay(held, ended))
            except Exception as error:
                if is_away(error):
                    continue
                # Without a heartbeat it is taken over after a while.
                self._inbox.stream.let_go(held)
                raise
            return

    def _delay(self, held: Held, ended: Exception) -> float:
        if isinstance(ended, _Later):
            return ended.seconds
        if isinstance(ended, ThreadBusy):
            log.info("thread %s is busy", held.item)
            return _BUSY_SECONDS
        log.error("thread %s could not be worked on (%s)", held.item, briefly(ended))
        return self._backoff * 5

    async def _empty(self, held: Held, stopping: asyncio.Event) -> None:
        while not stopping.is_set():
            owner = self._inbox.stream.consumer
            async with self._leases.hold(held.item, ttl=self._lease_for, owner=owner) as lease:
                while not stopping.is_set() and await self._one(held.item, lease.fence):
                    pass
            if not stopping.is_set() and await self._inbox.settle(held):
                return

    async def _one(self, thread: str, fence: int) -> bool:
        """Work on the first event; False if there is none."""
        try:
            begun = await self._inbox.next(thread, fence)
        except UnreadableEvent as broken:
            await self._set_aside(thread, broken.event_id, fence, why=broken.why, raw=broken.raw)
            return True
        if begun is None:
            return False
        if begun.starts > self._max_tries * _STARTS_PER_TRY:
            await self._give_up(begun, fence, "never_ended", begun.failures)
            return True
        with self._around(begun.event):
            [ended] = await asyncio.gather(self._carry_out(begun.event, fence), return_exceptions=True)
            if isinstance(ended, BaseException):
                await self._after_failure(begun, fence, ended)
        return True

    async def _carry_out(self, event: Event, fence: int) -> None:
        outcome = await within(self._limit, self._resolve_and_handle(event, fence))
        await self._outbox.put_and_finish(
            event.thread, event.id, fence, self._project(outcome), outcome.timers, follow=outcome.follow
        )

    async def _resolve_and_handle(self, event: Event, fence: int) -> Outcome:
        if event.kind != "timer":
            event = event.model_copy(update={"actor": await self._actor(event.actor)})
        return await self._handle(event, fence)

    async def _after_failure(self, begun: Begun, fence: int, error: BaseException) -> None:
        if isinstance(error, ThreadBusy) or is_away(error):
            raise error
        event = begun.event
        if isinstance(error, CannotOpen):
            await self._inbox.require_keys(event.thread, event.id, fence)
        failures = await self._inbox.failed(event.thread, event.id, fence)
        log.error("event %s of thread %s failed (%s), try %d", event.id, event.thread, briefly(error), failures)
        if failures < self._max_tries:
            raise _Later(self._backoff * 2 ** (failures - 1))
        await self._give_up(begun, fence, type(error).__name__, failures)

    async def _give_up(self, begun: Begun, fence: int, why: str, failures: int) -> None:
        event = begun.event
        await self._set_aside(event.thread, event.id, fence, why=why, raw=event.model_dump_json(), failures=failures)

    async def _set_aside(self, thread: str, event_id: str, fence: int, *, why: str, raw: str, failures: int = 0) -> None:
        log.error("event %s of thread %s is set aside (%s)", event_id, thread, why)
        if self._given_up is not None:
            await self._given_up(thread, fence)
        dead = DeadEvent(event=event_id, thread=thread, why=why, failures=failures, raw=raw)
        await self._outbox.put_and_finish(thread, event_id, fence, [dead.failed()], [], set_aside=dead)


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("%s ended unexpectedly (%s)", task.get_name(), briefly(error))
