"""The durable mailboxes: one per thread, each event once, in order."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError
from redis.asyncio import Redis

from bot.letters import microseconds
from bot.notice import Notice
from bot.ready import Held, ReadyStream
from bot.scripts import Script
from graph.errors import SopdeskError, ThreadBusy
from graph.model import Event
from graph.store.crypt import Codec
from graph.store.keys import Keys

log = logging.getLogger(__name__)


class WriteBegun(SopdeskError):
    """What an event has begun can be finished, but not given up."""


class UnreadableEvent(SopdeskError):
    """What is stored in the mailbox is no event."""

    def __init__(self, event_id: str, raw: str) -> None:
        super().__init__(f"the event {event_id} cannot be read")
        self.event_id = event_id
        self.raw = raw


class Begun(NamedTuple):
    """An event in hand. `starts` counts this start and those that ended in a crash, `failures` the errors so far."""

    event: Event
    starts: int
    failures: int


class DeadEvent(BaseModel):
    """An event that was set aside, whole: `raw` is its JSON, `why` the class of the last error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    event: str
    thread: str
    why: str
    failures: int
    raw: str

    def letter(self) -> Event | None:
        """The event itself; None if it cannot be read."""
        try:
            return Event.model_validate_json(self.raw)
        except ValidationError:
            return None


class Inbox:
    """Stores events before they are acknowledged, and gives them out in order."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        *,
        idle: float = 15.0,
        seen_for: timedelta = timedelta(days=3),
        codec: Codec | None = None,
    ) -> None:
        self.stream = ReadyStream(redis, keys, "ready", idle=idle)
        self._redis = redis
        self._keys = keys
        self._codec = codec or Codec()
        self._seen_seconds = round(seen_for.total_seconds())
        self._put = Script(redis, keys, "put")
        self._next = Script(redis, keys, "next_event")
        self._failed = Script(redis, keys, "failed")
        self._settle = Script(redis, keys, "settle")
        self._revive = Script(redis, keys, "revive")
        self._park = Script(redis, keys, "park")

    async def put(self, event: Event, *, dedupe: Sequence[str] = (), receipt_after: float | None = None) -> bool:
        """Store the event; False if its id, or one of the marks in `dedupe`, was seen in the last days.

        Once this returns, the event may be acknowledged. Its `at` becomes Redis's time. If it is not done within
        `receipt_after` seconds, its actor is told privately that it was received. Raises redis errors: not stored, or
        not known to be.
        """
        stored = await self._put(
            event.thread,
            event.id,
            self._codec.seal_object(event.model_dump_json(exclude={"at"})),
            "" if event.said_at is None else microseconds(event.said_at),
            self._seen_seconds,
            "" if receipt_after is None else round(receipt_after * 1000),
            "" if receipt_after is None else _receipt(event).parcel(),
            event.id,
            *dedupe,
        )
        return stored == 1

    async def next(self, thread: str, fence: int) -> Begun | None:
        """Begin the first event of the thread; it stays first until it is finished. None: the mailbox is empty.

        Raises ThreadBusy if the fence is not the newest, UnreadableEvent if what is stored is broken.
        """
        answer = await self._next(thread, str(fence))
        if answer is None:
            return None
        if not isinstance(answer, list):
            raise ThreadBusy(f"thread {thread} was taken over")
        event_id, raw, starts, failures = (str(part) for part in answer)
        try:
            event = Event.model_validate_json(self._codec.open_object(raw))
        except ValidationError:
            # Its text quotes the event, so it goes no further.
            raise UnreadableEvent(event_id, raw) from None
        return Begun(event, int(starts), int(failures))

    async def failed(self, thread: str, event_id: str, fence: int) -> int:
        """Count a failure of the event in hand and return the count. Raises ThreadBusy if it is no longer in hand."""
        failures = await self._failed(thread, event_id, str(fence))
        if not isinstance(failures, int):
            raise ThreadBusy(f"thread {thread} was taken over")
        return failures

    async def settle(self, held: Held) -> bool:
        """Be done with a thread; False if more events have come in, and it is still ours."""
        settled = await self._settle(held.item, held.entry, self.stream.consumer) == 1
        if settled:
            self.stream.let_go(held)
        return settled

    async def waiting(self, thread: str) -> int:
        """How many events of the thread are not done."""
        return int(await self._redis.zcard(self._keys.mailbox(thread)))

    async def dead(self) -> list[DeadEvent]:
        """The events that were set aside."""
        return [self._dead(str(raw)) for raw in await self._redis.hvals(self._keys.dead())]

    async def revive(self, event_id: str) -> bool:
        """Put an event that was set aside back, as if it had just come. False if there is none, or it is unreadable."""
        raw = await self._redis.hget(self._keys.dead(), event_id)
        if raw is None:
            return False
        dead = self._dead(str(raw))
        event = dead.letter()
        if event is None:
            return False
        letter = self._codec.seal_object(event.model_dump_json(exclude={"at"}))
        return await self._revive(dead.thread, event_id, letter) == 1

    async def park(self, event_id: str) -> bool:
        """Give up an event that was set aside, and tell its thread. False if there is none. It is kept among `parked`.
        WriteBegun when its turn has begun a write: begun means committed (law 4)."""
        raw = await self._redis.hget(self._keys.dead(), event_id)
        if raw is None:
            return False
        dead = self._dead(str(raw))
        begun = await self._redis.get(self._keys.begun(dead.thread))
        if begun is not None and json.loads(self._codec.open(str(begun)))["event"]["id"] == event_id:
            raise WriteBegun(f"event {event_id} has begun a payment, or another write, which is finished first: retry it")
        return await self._park(event_id, _parked(dead).parcel()) == 1

    def _dead(self, stored: str) -> DeadEvent:
        dead = DeadEvent.model_validate_json(self._codec.open(stored))
        return dead.model_copy(update={"raw": self._codec.open_object(dead.raw)})


def _receipt(event: Event) -> Notice:
    return Notice(
        id=f"received:{event.id}",
        kind="received",
        thread=event.thread,
        place="user",
        to=event.actor.id,
        once=True,
        payload={"event": event.id, "lang": event.actor.lang, "request": event.request},
    )


def _parked(dead: DeadEvent) -> Notice:
    event = dead.letter()
    actor = event.actor if event is not None else None
    return Notice(
        id=f"parked:{dead.event}",
        kind="parked",
        thread=dead.thread,
        place="thread",
        to=dead.thread,
        once=True,
        payload={"event": dead.event, "actor": actor.id if actor else "", "lang": actor.lang if actor else "zh"},
    )
