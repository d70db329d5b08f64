"""Outbox -> Slack: each notice posted once, edited in place, in order for each destination."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from blocks import Card
from bot.channels import Channels, ChannelUnknown
from bot.clicks import Origin
from bot.clients import CALL_TIMEOUT, SlackFailed
from bot.intake import place_of
from bot.notice import TAKEN_BACK, Notice, Place
from bot.outbox import Delivery, Outbox
from bot.posting import Posting
from bot.private import Private
from bot.streaming import Reader
from graph.model import Level
from graph.store.connect import BLOCK_SECONDS, end, stopped_first

AT_ONCE = 16
"""Notices on their way at the same time, all to different destinations."""
_UNREACHABLE = ("not_in_channel", "channel_not_found", "is_archived", "restricted_action")
_UNTIL_MENDED = ("invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "missing_scope")
_log = logging.getLogger(__name__)


class Rendering(Protocol):
    """Makes cards of notices."""

    async def card(self, notice: Notice) -> Card:
        """What the notice looks like."""
        ...

    async def unreachable(self, notice: Notice, channel: str) -> Card:
        """The line that says that a card could not go to its level's channel and stands in the thread instead."""
        ...

    def reader(self, notice: Notice) -> Reader | None:
        """For whom its words may be streamed; None where it comes whole."""
        ...

    def origin(self, notice: Notice) -> Origin | None:
        """Where a private notice is shown."""
        ...


class Sender:
    """Posts what the outbox holds. `every`: seconds between two posts in a channel. `around` is entered for each
    delivery, `posted` called after each new message; `beat` each time the loop comes round, every few seconds at least."""

    def __init__(
        self,
        outbox: Outbox,
        posting: Posting,
        private: Private,
        channels: Channels,
        rendering: Rendering,
        levels: Mapping[str, Level],
        every: float = 1.0,
        *,
        grace: float = 6.0,
        around: Callable[[Delivery], AbstractContextManager[None]] = lambda _: nullcontext(),
        beat: Callable[[], None] = lambda: None,
        posted: Callable[[Notice, Place], Awaitable[None]],
    ) -> None:
        self._outbox = outbox
        self._posted = posted
        self._posting = posting
        self._private = private
        self._channels = channels
        self._rendering = rendering
        self._levels = levels
        self._every = every
        self._grace = grace
        self._around = around
        self._beat = beat
        self._under_way: dict[asyncio.Task[None], Delivery] = {}

    async def run(self, stopping: asyncio.Event) -> None:
        """Send until `stopping` is set; what is under way then is given `grace` seconds. The rest is left to another
        sender, for when nothing of ours can still arrive."""
        async with self._outbox.joined():
            while not stopping.is_set():
                self._beat()
                if len(self._under_way) >= AT_ONCE:
                    sent = asyncio.wait(self._under_way, timeout=BLOCK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                    await stopped_first(stopping, sent)
                    continue
                delivery = await stopped_first(stopping, self._outbox.next())
                if delivery is not None:
                    task = asyncio.create_task(self._settle(delivery), name=f"send {delivery.id}")
                    self._under_way[task] = delivery
                    task.add_done_callback(self._under_way.pop)
            await self._finish()

    async def _finish(self) -> None:
        if not self._under_way:
            return
        await asyncio.wait(self._under_way, timeout=self._grace)
        late = dict(self._under_way)
        await end(*late)
        for task, delivery in late.items():
            if task.cancelled():
                await self._outbox.retry(
                    delivery, CALL_TIMEOUT * 1.5, why="the sender stops", in_doubt=True, counted=False
                )

    async def send(self, delivery: Delivery) -> None:
        """Carry out one delivery and tell the outbox how it ended."""
        notice = delivery.notice
        channel = delivery.posted.channel if delivery.posted else ""
        try:
            if notice.kind == TAKEN_BACK:
                await self._take_back(delivery)
                return
            if notice.place == "user":
                await self._private.say(notice.to, self._rendering.origin(notice), await self._rendering.card(notice))
                await self._outbox.sent(delivery, "", "")
                return
            card = await self._rendering.card(notice)
            if delivery.posted is not None and await self._posting.edit(delivery.posted, card):
                await self._outbox.sent(delivery, delivery.posted.channel, delivery.posted.ts)
                return
            channel, thread_ts = await self._where(notice)
            place = await self._found(delivery, channel, thread_ts, card) or await self._post(
                notice, channel, thread_ts, card
            )
            await self._posted(notice, place)
            await self._outbox.sent(delivery, place.channel, place.ts)
        except SlackFailed as error:
            await self._failed(delivery, channel, error)

    async def _take_back(self, delivery: Delivery) -> None:
        """Delete the posts of a notice that do not count; later, if it is not known yet which one does."""
        of = str(delivery.notice.payload["of"])
        counts = await self._outbox.place_of(of)
        if counts is None:
            await self._outbox.retry(delivery, _backoff(delivery.tries), why="not_settled")
            return
        channel, thread_ts = await self._where(delivery.notice)
        for room, thread in dict.fromkeys([(channel, thread_ts), place_of(delivery.notice.thread)]):
            for ts in [ts async for ts in self._posting.all(room, thread, of)]:
                if (place := Place(channel=room, ts=ts)) != counts:
                    _log.warning("notice %s was posted twice; the second post is taken back", of)
                    await self._posting.delete(place)
        await self._outbox.sent(delivery, "", "")

    async def _where(self, notice: Notice) -> tuple[str, str | None]:
        """The channel, and the thread in it. A level without a usable channel: the requester's thread."""
        if notice.place in ("thread", "channel"):
            channel, thread_ts = place_of(notice.to)
            return channel, thread_ts if notice.place == "thread" else None
        if notice.under and (head := await self._outbox.place_of(notice.under)) is not None:
            there = place_of(notice.thread)
            # A card that could not go to its channel stands in the requester's thread; so does what belongs under it.
            return there if head.channel == there[0] else (head.channel, head.ts)
        name = self._channel_name(notice)
        try:
            return (await self._channels.find(name)).id, None
        except ChannelUnknown:
            return await self._instead(notice, name)

    async def _found(self, delivery: Delivery, channel: str, thread_ts: str | None, card: Card) -> Place | None:
        """Where an earlier try that nobody heard the end of left the notice, brought up to date."""
        if not delivery.in_doubt:
            return None
        for room, thread in dict.fromkeys([(channel, thread_ts), place_of(delivery.notice.thread)]):
            ts = await self._posting.find(room, thread, delivery.id)
            if ts is not None:
                _log.info("notice %s stood there already", delivery.id)
                place = Place(channel=room, ts=ts)
                await self._posting.edit(place, card)
                return place
        if thread_ts is not None and self._rendering.reader(delivery.notice) is not None:
            await self._posting.clear(channel, thread_ts, card)
        return None

    async def _post(self, notice: Notice, channel: str, thread_ts: str | None, card: Card) -> Place:
        try:
            return await self._paced(channel, thread_ts, card, notice.id, self._rendering.reader(notice))
        except SlackFailed as error:
            if error.code not in _UNREACHABLE or notice.place != "level" or thread_ts is not None:
                raise
        self._channels.forget(channel)
        channel, thread_ts = await self._instead(notice, self._channel_name(notice))
        return await self._paced(channel, thread_ts, card, notice.id)

    async def _paced(
        self, channel: str, thread_ts: str | None, card: Card, notice_id: str, reader: Reader | None = None
    ) -> Place:
        await asyncio.sleep(await self._outbox.reserve(channel, every=self._every))
        return Place(channel=channel, ts=await self._posting.post(channel, thread_ts, card, notice_id, reader))

    async def _instead(self, notice: Notice, name: str) -> tuple[str, str]:
        """Say in the requester's thread that the level's channel cannot be reached; the card will stand there."""
        _log.error("level %s: the channel %s cannot be posted to; the card stands in the thread", notice.to, name)
        channel, thread_ts = place_of(notice.thread)
        told = f"{notice.id}/unreachable"
        if await self._posting.find(channel, thread_ts, told) is None:
            await self._paced(channel, thread_ts, await self._rendering.unreachable(notice, name), told)
        return channel, thread_ts

    async def _failed(self, delivery: Delivery, channel: str, error: SlackFailed) -> None:
        if error.retry_after is not None:
            if channel:
                await self._outbox.hold_back(channel, error.retry_after)
            await self._outbox.retry(delivery, error.retry_after, why=error.code, counted=False)
        elif error.doubtful:
            await self._outbox.retry(delivery, _backoff(delivery.tries), why=error.code, in_doubt=True)
        elif error.code in _UNTIL_MENDED:
            await self._outbox.retry(delivery, 60.0, why=error.code, counted=False)
        elif error.code in _UNREACHABLE:
            await self._outbox.retry(delivery, 60.0, why=error.code)
        else:
            await self._outbox.give_up(delivery, why=error.code)

    async def _settle(self, delivery: Delivery) -> None:
        with self._around(delivery):
            try:
                await self.send(delivery)
            except Exception as error:  # noqa: BLE001 - one notice that cannot be shown must not stop the others
                _log.exception("notice %s failed (%s)", delivery.id, type(error).__name__)
                await self._try_later(delivery, type(error).__name__)

    async def _try_later(self, delivery: Delivery, why: str) -> None:
        pause = 0.5
        while True:
            try:
                await self._outbox.retry(delivery, _backoff(delivery.tries), why=why, in_doubt=True)
            except Exception as error:  # noqa: BLE001 - Redis is away; leaving would block the destination for good
                _log.warning("notice %s waits for Redis (%s)", delivery.id, type(error).__name__)
                await asyncio.sleep(pause)
                pause = min(pause * 2, 10.0)
            else:
                return

    def _channel_name(self, notice: Notice) -> str:
        level = self._levels.get(notice.to)
        return level.channel if level is not None else notice.to


def _backoff(tries: int) -> float:
    """Seconds before the next try."""
    return float(min(2.0 ** max(tries - 1, 0), 60.0))
