"""What a person asked to see: facts, trail, lists. Private, and changes nothing."""

from __future__ import annotations

import asyncio
from typing import Literal

from blocks import Card, audit_card, case_list, facts_card, pending_list, trail_card
from blocks.kit import card, section
from blocks.surroundings import Surroundings
from blocks.text import md, push
from blocks.words import ROWS
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

    async def pending(self, rows: list[CaseRow], lang: Lang) -> Card:
        """What waits for somebody, with links to the cards."""
        return pending_list(rows, lang, await self.around_of(rows))

    async def around_of(self, rows: list[CaseRow]) -> Surroundings:
        """The workspace with links to the cards of what waits in these rows, as far as a list shows them."""
        shown = rows[:ROWS]
        return await self._around.of([row.case for row in shown], [row.request for row in shown if row.request])

    async def audit(self, actor: Actor, case: str, order: str = "", page: int = 0) -> Card:
        """A page of the audit log of a case, or of all cases of an order: for leads and auditors."""
        lang = actor.lang
        if not self._desk.may_audit(actor):
            return edge_of("auditing.only", lang)
        if not case and not order:
            return edge_of("auditing.usage", lang)
        logs = await (self._desk.audit_of_order(order) if order else self._desk.audit(case))
        cases = await self._desk.cases_about(order) if order else [case]
        checked = [await self._desk.audit_breaks(each) for each in cases]
        broken = [each for each in checked if each is not None and (order or each.why != "gone")]
        if not logs and not broken:
            return edge_of("auditing.nothing", lang, what=md(order or case, 40))
        around = await self._around.of()
        return audit_card(
            logs, lang, around, case=case, order=order, broken=broken[0] if broken else None, page=page
        )

    async def may_see(self, view: RunView, actor: Actor) -> bool:
        """Whether this person may see the case from elsewhere: its people, any approver, members of its channel."""
        listed = self._desk.levels_of(actor) or any(each.levels for each in actor.stands_for)
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
    return edge_of(f"edge.{key}", lang, **values)


def edge_of(key: str, lang: Lang, **values: str | Text) -> Card:
    """The same with a phrase of any group."""
    return line(text(key, **values).in_(lang))
