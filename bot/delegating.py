"""`/sop delegate`: who decides in an approver's place while they are away. Both hear of it."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from blocks import Card, delegations_card
from bot.background import Background
from bot.channels import Channels, ChannelUnknown
from bot.clients import SlackFailed
from bot.desk import Delegates, Desk
from bot.directory import Directory, DirectoryUnavailable
from bot.private import Private
from bot.showing import edge
from bot.until import end_of, last_day
from graph.model import Actor, Delegation

_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")
_OFF = ("off", "stop", "取消", "收回")
_log = logging.getLogger(__name__)


class Delegating:
    """Names, ends and lists delegates. Each approver speaks for themselves alone."""

    def __init__(
        self,
        desk: Desk,
        delegates: Delegates,
        directory: Directory,
        channels: Channels,
        private: Private,
        background: Background,
        now: Callable[[], datetime],
    ) -> None:
        self._desk = desk
        self._delegates = delegates
        self._directory = directory
        self._channels = channels
        self._private = private
        self._background = background
        self._now = now

    async def answer(self, words: Sequence[str], actor: Actor) -> Card:
        """The private answer to `/sop delegate [@who until DATE | off | list]`."""
        if not words or words[0].lower() in ("list", "列表"):
            return await self._list(actor)
        if words[0].lower() in _OFF and len(words) == 1:
            return await self._end(actor)
        try:
            return await self._name(words, actor)
        except DirectoryUnavailable:
            return edge("no_rights", actor.lang)

    async def _name(self, words: Sequence[str], actor: Actor) -> Card:
        levels = self._desk.levels_of(actor)
        if not levels:
            return edge("delegate_no_right", actor.lang)
        whom = _MENTION.fullmatch(words[0])
        if whom is None:
            return edge("delegate_usage", actor.lang)
        offset = await self._directory.utc_offset(actor.id)
        day = last_day(words[1:], (self._now() + timedelta(seconds=offset)).date())
        if day is None:
            return edge("delegate_when", actor.lang)
        if whom[1] == actor.id or not await self._directory.is_active(whom[1]):
            return edge("delegate_whom", actor.lang)
        deputy = await self._directory.actor(whom[1])
        if deputy.foreign:
            return edge("delegate_whom", actor.lang)
        delegation = Delegation(
            of=actor.id,
            of_name=actor.name,
            to=deputy.id,
            to_name=deputy.name,
            until=end_of(day, offset).isoformat(),
            since=self._now().isoformat(),
            levels=levels,
        )
        await self._delegates.put(delegation)
        _log.info("%s named %s their delegate until %s", actor.id, deputy.id, delegation.until)
        self._tell(deputy, "delegate_yours", of=actor.name, day=f"{day}")
        unseen = await self._unseen(levels, deputy.id)
        if unseen:
            return edge("delegate_blind", actor.lang, to=deputy.name, day=f"{day}", channels=unseen)
        return edge("delegate_named", actor.lang, to=deputy.name, day=f"{day}")

    async def _unseen(self, levels: Sequence[str], deputy: str) -> str:
        """The channels whose cards the delegate cannot see, as far as Slack tells."""
        known = self._desk.levels()
        names = dict.fromkeys(known[level].channel for level in levels)
        missing: list[str] = []
        for name in names:
            with contextlib.suppress(ChannelUnknown, SlackFailed):
                if not await self._channels.has_member((await self._channels.find(name)).id, deputy):
                    missing.append(f"#{name}")
        return " ".join(missing)

    async def _end(self, actor: Actor) -> Card:
        ended = await self._delegates.drop(actor.id)
        if ended is None:
            return edge("delegate_none", actor.lang)
        _log.info("%s ended the delegation to %s", actor.id, ended.to)
        self._background.start(self._told_the_end(ended), "tell of a delegation's end")
        return edge("delegate_ended", actor.lang, to=ended.to_name)

    async def _list(self, actor: Actor) -> Card:
        mine = [each for each in await self._delegates.standing(self._now()) if actor.id in (each.of, each.to)]
        return delegations_card(mine, actor.id, actor.lang) if mine else edge("delegate_none", actor.lang)

    async def _told_the_end(self, ended: Delegation) -> None:
        try:
            deputy = await self._directory.actor(ended.to)
        except DirectoryUnavailable:
            return
        self._tell(deputy, "delegate_no_longer", of=ended.of_name)

    def _tell(self, to: Actor, key: str, **values: str) -> None:
        self._background.start(self._direct(to, key, values), f"tell {key}")

    async def _direct(self, to: Actor, key: str, values: dict[str, str]) -> None:
        try:
            await self._private.say(to.id, None, edge(key, to.lang, **values))
        except SlackFailed as error:
            _log.warning("%s could not be told (%s)", to.id, error.code)
