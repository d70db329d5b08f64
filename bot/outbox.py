"""The durable outbox: each notice posted once and edited in place, in order for each destination."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError
from redis.asyncio import Redis
from redis.exceptions import RedisError

from bot.aside import DeadEvent
from bot.letters import KEPT_SECONDS, letters
from bot.notice import Notice, Place
from bot.overtaken import SWEEPS, put_right
from bot.ready import Held, ReadyStream
from bot.scripts import Answer, Script
from bot.timers import timer_args
from graph.errors import ThreadBusy
from graph.model import Event, Timer
from graph.store.connect import is_away
from graph.store.crypt import Codec
from graph.store.keys import Keys

log = logging.getLogger(__name__)
_SENDERS_PER_TRY: Final = 4
"""So many senders may die over a notice for each try that it has; they may have died of something else."""

class Delivery(NamedTuple):
    """A notice in hand. `posted` is where it stands and is to be edited; None: it is to be posted.

    `tries` counts this one. `in_doubt`: an earlier try may have posted it, so look before posting. `overtook`: whoever had
    it went silent, and may post or edit it yet.
    """

    notice: Notice
    digest: str
    posted: Place | None
    tries: int
    in_doubt: bool
    held: Held
    overtook: bool = False

    @property
    def id(self) -> str:
        """The notice's id."""
        return self.notice.id


class UnsentNotice(BaseModel):
    """A notice that was given up, whole, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    notice: str
    destination: str
    why: str
    tries: int
    raw: str


class Outbox:
    """What is to be shown, from the moment an event is done until Slack has it."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        *,
        idle: float = 15.0,
        max_tries: int = 8,
        keep: timedelta = timedelta(days=90),
        keep_once: timedelta = timedelta(days=7),
        sweeps: Sequence[float] = SWEEPS,
        codec: Codec | None = None,
    ) -> None:
        self.stream = ReadyStream(redis, keys, "sendable", idle=idle)
        self._redis = redis
        self._keys = keys
        self._codec = codec or Codec()
        self._max_tries = max_tries
        self._keep = round(keep.total_seconds())
        self._keep_once = round(keep_once.total_seconds())
        self._sweeps = sweeps
        self._finish = Script(redis, keys, "finish")
        self._next = Script(redis, keys, "next_notice")
        self._settle = Script(redis, keys, "settle_notice")
        self._retry = Script(redis, keys, "retry_notice")
        self._pace = Script(redis, keys, "pace")

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
        """In one step: the event is done, its notices are queued, its timers set and what follows it is in its mailbox,
        once. Returns the events left.

        A notice that says what was said under its id before is left out. A timer that has fired is not set again.
        `set_aside` is the record to keep of an event that is given up. Raises ThreadBusy, and does nothing, if the
        fence is not the newest.
        """
        left = await self._finish(
            thread,
            event_id,
            str(fence),
            f"[{','.join(notice.parcel() for notice in notices)}]",
            timer_args(thread, list(timers)),
            set_aside.stored(self._codec) if set_aside is not None else "",
            self._keep_once,
            letters(follow, self._codec),
            KEPT_SECONDS,
        )
        if not isinstance(left, int):
            raise ThreadBusy(f"thread {thread} was taken over before event {event_id} was finished")
        return left

    @asynccontextmanager
    async def joined(self) -> AsyncIterator[None]:
        """Be a sender: what `next` gives out stays ours while inside, and is handed back at the end."""
        async with self.stream.joined():
            yield

    async def next(self) -> Delivery | None:
        """The next notice to send, of a destination that nothing is on its way to.

        Blocks for up to five seconds, then returns None; also while Redis is away, after a growing pause.
        """
        for held in await self.stream.read(1):
            try:
                return await self._taken(held)
            except RedisError as error:
                # Without a heartbeat it is taken over after a while.
                self.stream.let_go(held)
                if not is_away(error):
                    raise
        return None

    async def _taken(self, held: Held) -> Delivery | None:
        answer = await self._next(held.item, held.entry, self.stream.consumer)
        if not isinstance(answer, list):
            self.stream.let_go(held)
            return None
        notice_id, raw, digest, channel, ts, tries, doubt = (str(part) for part in answer)
        try:
            notice = Notice.model_validate_json(raw)
        except ValidationError:
            await self._set_aside(held, notice_id, digest, raw, "unreadable", int(tries), once=False)
            return None
        posted = Place(channel=channel, ts=ts) if ts else None
        delivery = Delivery(notice, digest, posted, int(tries), doubt != "0", held, doubt == "2")
        if delivery.tries > self._max_tries * _SENDERS_PER_TRY:
            # Its senders died before they could say what went wrong.
            await self.give_up(delivery, why="no_sender_survived")
            return None
        return delivery

    async def sent(self, delivery: Delivery, channel: str, ts: str) -> bool:
        """It stands in Slack at `channel` and `ts` (empty for what cannot be edited).

        False: another sender took over, or posted it in between. What this one did too late is then put right: a second
        post is taken back, and the thread shows its state once more. The same is done some time after another sender was
        overtaken: it may have slept, have done something too late, and not have lived to tell.
        """
        notice, had = delivery.notice, delivery.posted.ts if delivery.posted else ""
        keep = self._keep_once if notice.once else self._keep
        sweeps = f"[{','.join(self._swept(notice))}]" if delivery.overtook and ts else "[]"
        place = delivery.digest, channel, ts, keep
        settled = await self._settled(delivery.held, notice.id, *place, "", had, put_right(notice), sweeps)
        return settled == 1

    async def retry(
        self, delivery: Delivery, after: float, *, why: str, in_doubt: bool = False, counted: bool = True
    ) -> bool:
        """Try again after so many seconds; its destination waits until then. False: tried too often, given up.

        `in_doubt`: it may have been posted. `counted=False` for what is no fault of the notice, such as a rate limit.
        `why` is logged and must name no content.
        """
        if counted and delivery.tries >= self._max_tries:
            await self.give_up(delivery, why=why)
            return False
        log.warning("notice %s is tried again in %.1f s (%s, try %d)", delivery.id, after, why, delivery.tries)
        await self._retry(
            delivery.held.item,
            delivery.held.entry,
            self.stream.consumer,
            delivery.id,
            round(after * 1000),
            int(in_doubt),
            int(counted),
            put_right(delivery.notice),
        )
        self.stream.let_go(delivery.held)
        return True

    async def give_up(self, delivery: Delivery, *, why: str) -> None:
        """Set it aside, whole; what waits behind it goes on. `why` is logged and must name no content."""
        raw = delivery.notice.model_dump_json()
        await self._set_aside(
            delivery.held, delivery.id, delivery.digest, raw, why, delivery.tries, once=delivery.notice.once
        )

    async def unsent(self) -> list[UnsentNotice]:
        """The notices that were given up, oldest first."""
        return [UnsentNotice.model_validate_json(raw) for raw in await self._redis.lrange(self._keys.unsent(), 0, -1)]

    async def place_of(self, notice_id: str) -> Place | None:
        """Where a notice stands; None if it is not posted, or cannot be edited."""
        channel, ts = await self._redis.hmget(self._keys.notice(notice_id), ["channel", "ts"])
        return Place(channel=channel, ts=ts) if channel and ts else None

    async def reserve(self, channel: str, *, every: float = 1.0) -> float:
        """Take the channel's next free moment, over all senders; the seconds to wait until it."""
        return int(str(await self._pace(channel, round(every * 1000), 0))) / 1000

    async def hold_back(self, channel: str, seconds: float) -> None:
        """Nobody posts to the channel for so long."""
        await self._pace(channel, round(seconds * 1000), 1)

    def _swept(self, notice: Notice) -> list[str]:
        return [sweep for seconds in self._sweeps if (sweep := put_right(notice, after=round(seconds * 1000)))]

    async def _set_aside(
        self, held: Held, notice_id: str, digest: str, raw: str, why: str, tries: int, *, once: bool
    ) -> None:
        log.error("notice %s is given up after %d tries (%s)", notice_id, tries, why)
        record = UnsentNotice(notice=notice_id, destination=held.item, why=why, tries=tries, raw=raw).model_dump_json()
        keep = self._keep_once if once else self._keep
        await self._settled(held, notice_id, digest, "", "", keep, record, "", "", "[]")

    async def _settled(self, held: Held, *settling: str | int) -> Answer:
        answer = await self._settle(held.item, held.entry, self.stream.consumer, *settling)
        self.stream.let_go(held)
        return answer
