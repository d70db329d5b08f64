"""The parts as a running service uses them: each tells the watch what it did. The parts themselves know nothing of it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import BaseModel
from redis.asyncio import Redis

from bot.aside import DeadEvent
from bot.inbox import Inbox
from bot.notice import Notice
from bot.outbox import Delivery, Outbox
from bot.ready import Held
from bot.tracing import span
from bot.watch import Watch
from graph.errors import ModelUnavailable, ToolRefused, ToolUnavailable
from graph.llm import Llm, Message
from graph.metering import metered
from graph.model import NOTHING, CaseRow, Closing, Event, Fact, JsonValue, Lang, LogLine, Timer
from graph.store.audit import Audit
from graph.store.cases import Cases
from graph.store.connect import replicas_of
from graph.store.crypt import Codec
from graph.store.journal import Journal
from graph.store.keys import Keys
from graph.store.lease import Lease, Leases
from graph.tools.calling import Effect, ToolDoor, Tries

T = TypeVar("T", bound=BaseModel)
R = TypeVar("R")


class WatchedInbox(Inbox):
    """Counts events as they come in, and their failures."""

    def __init__(self, redis: Redis, keys: Keys, codec: Codec, watch: Watch, idle: float) -> None:
        super().__init__(redis, keys, idle=idle, codec=codec)
        self._events = watch.metrics.events

    async def put(self, event: Event, *, dedupe: Sequence[str] = (), receipt_after: float | None = None) -> bool:
        """See `Inbox.put`."""
        stored = await super().put(event, dedupe=dedupe, receipt_after=receipt_after)
        self._events.labels("stored" if stored else "duplicate").inc()
        return stored

    async def failed(self, thread: str, event_id: str, fence: int) -> int:
        """See `Inbox.failed`."""
        failures = await super().failed(thread, event_id, fence)
        self._events.labels("failed").inc()
        return failures


class WatchedOutbox(Outbox):
    """Counts events as they end, and notices as they go out."""

    def __init__(self, redis: Redis, keys: Keys, codec: Codec, watch: Watch, idle: float, sweeps: Sequence[float]) -> None:
        super().__init__(redis, keys, idle=idle, codec=codec, sweeps=sweeps)
        self._events, self._notices = watch.metrics.events, watch.metrics.notices

    async def put_and_finish(
        self,
        thread: str,
        event_id: str,
        fence: int,
        notices: Sequence[Notice],
        timers: Sequence[Timer],
        *,
        follow: Sequence[Event] = (),
        set_aside: DeadEvent | None = None,
    ) -> int:
        """See `Outbox.put_and_finish`."""
        left = await super().put_and_finish(
            thread, event_id, fence, notices, timers, follow=follow, set_aside=set_aside
        )
        self._events.labels("handled" if set_aside is None else "set_aside").inc()
        return left

    async def sent(self, delivery: Delivery, channel: str, ts: str) -> bool:
        """See `Outbox.sent`."""
        settled = await super().sent(delivery, channel, ts)
        self._notices.labels("edited" if delivery.posted else "sent").inc()
        return settled

    async def retry(
        self, delivery: Delivery, after: float, *, why: str, in_doubt: bool = False, counted: bool = True
    ) -> bool:
        """See `Outbox.retry`."""
        again = await super().retry(delivery, after, why=why, in_doubt=in_doubt, counted=counted)
        if again:
            self._notices.labels("retried").inc()
        return again

    async def _set_aside(
        self, held: Held, notice_id: str, digest: str, raw: str, why: str, tries: int, *, once: bool
    ) -> None:
        await super()._set_aside(held, notice_id, digest, raw, why, tries, once=once)
        self._notices.labels("given_up").inc()


class WatchedLeases(Leases):
    """Counts threads that were taken over while they were worked on."""

    def __init__(self, redis: Redis, keys: Keys, watch: Watch) -> None:
        super().__init__(redis, keys)
        self._lost = watch.metrics.leases_lost

    @asynccontextmanager
    async def hold(
        self, thread: str, *, wait: float = 0.0, ttl: float = 15.0, owner: str | None = None
    ) -> AsyncIterator[Lease]:
        """See `Leases.hold`."""
        async with super().hold(thread, wait=wait, ttl=ttl, owner=owner) as lease:
            try:
                yield lease
            finally:
                if lease.lost.is_set():
                    self._lost.inc()


class WatchedCases(Cases):
    """Counts cases as they end."""

    def __init__(self, redis: Redis, keys: Keys, codec: Codec, audit: Audit, watch: Watch) -> None:
        super().__init__(redis, keys, codec, audit)
        self._cases = watch.metrics.cases

    async def save(
        self,
        row: CaseRow,
        owner: str,
        opener: str,
        state: dict[str, JsonValue] | None,
        *,
        fence: int,
        lines: Sequence[LogLine] = (),
        closing: Closing = NOTHING,
    ) -> None:
        """See `Cases.save`."""
        await super().save(row, owner, opener, state, fence=fence, lines=lines, closing=closing)
        if state is not None:
            self._cases.labels(row.status).inc()


class WatchedJournal(Journal):
    """Counts writes as they begin and end."""

    def __init__(self, redis: Redis, keys: Keys, codec: Codec, watch: Watch) -> None:
        super().__init__(redis, keys, codec, replicas=replicas_of(redis))
        self._effects = watch.metrics.effects

    async def once(self, effect: Effect, send: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """See `Journal.once`."""
        sent = False

        async def counted() -> JsonValue:
            nonlocal sent
            sent = True
            self._effects.labels("begun").inc()
            return await send()

        try:
            result = await super().once(effect, counted)
        except ToolRefused:
            self._effects.labels("refused").inc()
            raise
        except ToolUnavailable as error:
            if error.code == "in_doubt" or not effect.resend:
                self._effects.labels("in_doubt").inc()
            raise
        if sent:
            self._effects.labels("done").inc()
        return result


@dataclass
class WatchedDoor(ToolDoor):
    """Counts and times tool calls, each in a span."""

    watch: Watch = field(default_factory=Watch, kw_only=True)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Fact],
        *,
        lang: Lang,
        at: str,
        effect: Effect | None,
        tries: Tries | None = None,
    ) -> Fact:
        """See `ToolDoor.call`."""
        metrics, begun, outcome = self.watch.metrics, time.monotonic(), "error"
        with span(self.watch.tracer, "tool", tool=name, effect=effect.key if effect else ""):
            try:
                result = await super().call(name, arguments, lang=lang, at=at, effect=effect, tries=tries)
                outcome = "ok"
            except ToolRefused:
                outcome = "refused"
                raise
            except ToolUnavailable as error:
                outcome = "in_doubt" if error.code == "in_doubt" else "unavailable"
                raise
            finally:
                metrics.tool_calls.labels(name, outcome).inc()
                metrics.tool_seconds.labels(name).observe(time.monotonic() - begun)
        return result


class WatchedLlm:
    """Counts calls of the language model, each in a span."""

    def __init__(self, llm: Llm, watch: Watch) -> None:
        self._llm = llm
        self._watch = watch

    async def json(self, messages: Sequence[Message], reply: type[T]) -> T:
        """See `Llm.json`."""
        return await self._counted(self._llm.json(messages, reply))

    async def words(self, messages: Sequence[Message]) -> str:
        """See `Llm.words`."""
        return await self._counted(self._llm.words(messages))

    async def _counted(self, asking: Awaitable[R]) -> R:
        calls, tokens = self._watch.metrics.model_calls, self._watch.metrics.model_tokens
        with span(self._watch.tracer, "model"), metered() as meter:
            try:
                answer = await asking
            except ModelUnavailable as error:
                calls.labels("unavailable" if error.calls else "skipped").inc(max(error.calls, 1))
                raise
            finally:
                tokens.labels("read").inc(meter.read)
                tokens.labels("written").inc(meter.written)
        calls.labels("ok").inc(max(meter.calls, 1))
        return answer
