"""The workspace around a case, as cards need it: channels, mentions, links."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime

from blocks import Offer, Place, Surroundings
from bot.channels import Channels, ChannelUnknown
from bot.clients import SlackFailed
from bot.desk import Delegates
from bot.directory import mention_of
from bot.outbox import Outbox
from graph.model import Delegation, Level

_LOOK_EVERY = 0.1


class Around:
    """Makes Surroundings. What Slack does not tell now is left out: a card without a link is better than none."""

    def __init__(
        self,
        outbox: Outbox,
        channels: Channels,
        levels: Mapping[str, Level],
        leads: Iterable[str],
        offers: Iterable[Offer] = (),
        *,
        delegates: Delegates | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._outbox = outbox
        self._channels = channels
        self._levels = levels
        self._leads = " ".join(f"<!subteam^{lead}>" if lead.startswith("S") else f"<@{lead}>" for lead in leads)
        self._offers = frozenset(offers)
        self._delegates = delegates
        self._now = now

    async def of(self, cases: Iterable[str] = (), requests: Iterable[str] = (), wait: float = 0.0) -> Surroundings:
        """The workspace, with links to the cards of these cases and requests.

        `wait`: seconds to give a request's card that is just being posted elsewhere.
        """
        links: dict[str, str] = {}
        for case in cases:
            if link := await self._link(f"{case}/card"):
                links[case] = link
        for request in requests:
            if link := await self._link_soon(request, wait):
                links[request] = link
        away = await self._delegates.standing(self._now()) if self._delegates is not None else []
        return Surroundings(
            levels={name: await self._place(level, away) for name, level in self._levels.items()},
            links=links,
            leads=self._leads,
            offers=self._offers,
        )

    async def _place(self, level: Level, away: list[Delegation]) -> Place:
        try:
            channel = (await self._channels.find(level.channel)).id
        except (ChannelUnknown, SlackFailed):
            channel = level.channel
        return Place(
            label=level.label,
            channel=channel,
            mention=mention_of(level),
            people=() if level.groups else level.people,
            rank=level.rank,
            away=tuple(each for each in away if level.name in each.levels),
        )

    async def _link_soon(self, request: str, wait: float) -> str | None:
        for pause in (*[_LOOK_EVERY] * round(wait / _LOOK_EVERY), 0.0):
            if link := await self._link(request):
                return link
            await asyncio.sleep(pause)
        return None

    async def _link(self, notice_id: str) -> str | None:
        place = await self._outbox.place_of(notice_id)
        return None if place is None else await self._channels.permalink(place.channel, place.ts)
