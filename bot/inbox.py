"""The durable mailboxes: one per thread, each event once, in order."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import NamedTuple

from redis.asyncio import Redis

from bot.aside import CANNOT_OPEN, UNREADABLE, DeadEvent
from bot.letters import microseconds
from bot.notice import Notice
from bot.ready import Held, ReadyStream
from bot.scripts import Script
from graph.errors import SopdeskError, ThreadBusy
from graph.model import Event
from graph.store.crypt import CannotOpen, Codec, KeyMissing, lacking
from graph.store.keys import Keys

log = logging.getLogger(__name__)

UsedIn = Callable[[str, str], Awaitable[str]]
"""Of a thread and an event in it: the case that the event was used in, '' for none."""


class WriteBegun(SopdeskError):
    """What an event has begun can be finished, but not given up."""


class CarriedOut(SopdeskError):
    """What has been carried out is not given up: its thread would be told to say it again."""


class UnreadableEvent(SopdeskError):
    """What is stored in the mailbox is no event, or opens with no key. `why` says which."""

    def __init__(self, event_id: str, raw: str, why: str) -> None:
        super().__init__(f"the event {event_id} cannot be read")
        self.event_id = event_id
        self.raw = raw
        self.why = why


class Begun(NamedTuple):
    """An event in hand. `starts` counts this start and those that ended in a crash, `failures` the errors so far."""

    event: Event
    starts: int
    failures: int


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

        Raises ThreadBusy if the fence is not the newest, UnreadableEvent if what is stored is broken, KeyMissing if only
        this process cannot open it.
        """
        answer = await self._next(thread, str(fence))
        if answer is None:
            return None
        if not isinstance(answer, list):
            raise ThreadBusy(f"thread {thread} was taken over")
        event_id, raw, starts, failures = (str(part) for part in answer)
        try:
            event = Event.model_validate_json(self._codec.open_object(raw))
        except CannotOpen:
            await self.require_keys(thread, event_id, fence)
            raise UnreadableEvent(event_id, raw, CANNOT_OPEN) from None
        except ValueError:
            # Its text quotes the event, so it goes no further.
            raise UnreadableEvent(event_id, raw, UNREADABLE) from None
        return Begun(event, int(starts), int(failures))

    async def require_keys(self, thread: str, event_id: str, fence: int) -> None:
        """For something of the event in hand that could not be opened: KeyMissing where this process lacks a key that was
        sealed with. The event is not to blame then, and this start of it does not count."""
        missing = await lacking(self._redis, self._keys, self._codec)
        if missing:
            await self._failed(thread, event_id, str(fence), 0)
            raise KeyMissing(missing)

    async def failed(self, thread: str, event_id: str, fence: int) -> int:
        """Count a failure of the event in hand and return the count. Raises ThreadBusy if it is no longer in hand."""
        failures = await self._failed(thread, event_id, str(fence), 1)
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
        """The events that were set aside, those that cannot be opened as well."""
        found = await self._redis.hgetall(self._keys.dead())
        return [DeadEvent.opened(str(event_id), str(raw), self._codec) for event_id, raw in found.items()]

    async def revive(self, event_id: str) -> bool:
        """Put an event that was set aside back, as if it had just come. False if there is none, or it is unreadable;
        CannotOpen if it cannot be opened as long as the key is not back."""
        dead = await self._dead(event_id)
        if dead is None:
            return False
        if dead.obstacle:
            raise CannotOpen(f"event {event_id} cannot be tried again: {dead.obstacle}")
        event = dead.letter()
        if event is None:
            return False
        # Its time is a new one; what it was meant for is told by the old.
        meant = event.model_copy(update={"said_at": event.said_at or event.at})
        letter = self._codec.seal_object(meant.model_dump_json(exclude={"at"}))
        return await self._revive(dead.thread, event_id, letter) == 1

    async def park(self, event_id: str, used_in: UsedIn | None = None) -> DeadEvent | None:
        """Give up an event that was set aside, and tell its thread, where that is known. None if there is none. It is kept
        among `parked`. WriteBegun when its turn has begun a write: begun means committed (law 4). CarriedOut when another
        event has finished it meanwhile. `used_in` looks also into the case that is open."""
        dead = await self._dead(event_id)
        if dead is None:
            return None
        # In this order: what was begun is known as used before it is no longer begun.
        await self._require_not_begun(dead)
        await self._require_not_used(dead, used_in)
        parked = await self._park(event_id, dead.parked().parcel() if dead.thread else "")
        return dead if parked == 1 else None

    async def _require_not_begun(self, dead: DeadEvent) -> None:
        begun = await self._redis.get(self._keys.begun(dead.thread))
        if begun is None:
            return
        try:
            by = json.loads(self._codec.open(str(begun)))["event"]["id"]
        except (CannotOpen, ValueError) as error:
            raise WriteBegun(
                f"event {dead.event} may have begun the payment, or other write, that was begun in its thread: {error}"
            ) from error
        if by == dead.event:
            raise WriteBegun(f"event {dead.event} has begun a payment, or another write, which is finished first: retry it")

    async def _require_not_used(self, dead: DeadEvent, used_in: UsedIn | None) -> None:
        case = ""
        # What only a lost key opens nobody can look into; it must not keep the event here for good.
        with contextlib.suppress(CannotOpen):
            case = await used_in(dead.thread, dead.event) if used_in is not None and dead.thread else ""
        case = case or str(await self._redis.hget(self._keys.used(dead.thread), dead.event) or "")
        if case:
            raise CarriedOut(
                f"event {dead.event} has been carried out, in case {case}; retry it: nothing is done twice, and its thread"
                " is shown the case as it is"
            )

    async def _dead(self, event_id: str) -> DeadEvent | None:
        raw = await self._redis.hget(self._keys.dead(), event_id)
        return None if raw is None else DeadEvent.opened(event_id, str(raw), self._codec)


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
