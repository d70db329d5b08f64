"""What a person asked to see: facts, trail, lists. Private, and changes nothing."""

from __future__ import annotations

import asyncio
from typing import Literal

from blocks import Card, case_list, facts_card, trail_card
from blocks.kit import card, section
from blocks.text import push
from bot.around import Around
from bot.channels import Channels
from bot.clients import SlackFailed
from bot.desk import Desk
from bot.directory import Directory, DirectoryUnavailable
from bot.intake import place_of
from graph.model import Actor, CaseRow, Lang, RunView, Text
from graph.phrases import text

WHO_WITHIN = 1.0
"""Seconds to find out who somebody is while they wait."""
View = Literal["facts", "trail"]


class Showing:
    """Makes the cards of private views, in the reader's language."""

    def __init__(self, desk: Desk, directory: Directory, channels: Channels, around: Around) -> None:
        self._desk = desk
        self._directory = directory
        self._channels = channels
        self._around = around

    async def who(self, user: str, team: str) -> Actor | None:
        """The person; None when Slack does not say in time."""
        try:
            async with asyncio.timeout(WHO_WITHIN):
                return await self._directory.actor(user, team)
        except (DirectoryUnavailable, TimeoutError):
            return None

    async def lang(self, user: str, otherwise: Lang = "zh") -> Lang:
        """The person's language; `otherwise` when Slack does not say in time."""
        actor = await self.who(user, "")
        return actor.lang if actor else otherwise

    async def case(self, view: RunView, what: View, lang: Lang, page: int = 0) -> Card:
        """Facts, or a page of the trail."""
        around = await self._around.of(cases=[view.case])
        return facts_card(view, lang, around) if what == "facts" else trail_card(view, lang, page, around)

    async def rows(self, rows: list[CaseRow], lang: Lang, shows: View | None = None) -> Card:
        """A list to pick from: what `shows` names, else the case's card."""
        return case_list(rows, lang, await self._around.of(cases=[row.case for row in rows[:10]]), shows)

    async def may_see(self, view: RunView, actor: Actor) -> bool:
        """Whether this person may see the case from elsewhere: its people, any approver, members of its channel."""
        listed = any(
            actor.id in level.people or set(actor.groups) & set(level.groups) for level in self._desk.levels().values()
        )
        if listed or self._desk.may_act(view, actor):
            return True
        try:
            return await self._channels.has_member(place_of(view.thread)[0], actor.id)
        except SlackFailed:
            return False


def line(words: str) -> Card:
    """One line by itself; `words` are escaped."""
    return card(push(words, ""), section(words))


def edge(key: str, lang: Lang, **values: str | Text) -> Card:
    """A line of this room's own; values are escaped."""
    return line(text(f"edge.{key}", **values).in_(lang))
