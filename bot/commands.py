"""`/sop …`, the message shortcuts and App Home: private, from the checkpoint, without a model."""

from __future__ import annotations

from collections.abc import Sequence

from slack_sdk.web.async_client import AsyncWebClient

from blocks import Card, home
from blocks.text import md
from bot.around import Around
from bot.clicks import Command, Origin, Shortcut
from bot.clients import asked
from bot.delegating import Delegating
from bot.desk import Desk
from bot.diagrams import Diagrams
from bot.intake import thread_id
from bot.private import Private
from bot.showing import Showing, View, edge
from bot.starting import Starting
from graph.model import Actor, CaseRow, Lang

LISTED = 20
_OVER = ("done", "stopped", "cancelled", "answered")
_SHORTCUTS: dict[str, View] = {"sop_facts": "facts", "sop_trail": "trail"}


class Commands:
    """Answers what is asked outside a thread."""

    def __init__(
        self,
        desk: Desk,
        showing: Showing,
        private: Private,
        around: Around,
        client: AsyncWebClient,
        delegating: Delegating,
        diagrams: Diagrams,
        starting: Starting,
    ) -> None:
        self._desk = desk
        self._showing = showing
        self._private = private
        self._around = around
        self._client = client
        self._delegating = delegating
        self._diagrams = diagrams
        self._starting = starting

    async def answer(self, command: Command) -> Card:
        """The private answer to `/sop start|facts|trail|show|list|pending|audit|delegate|help …`."""
        actor = await self._showing.who(command.user, command.team)
        if actor is None:
            return edge("no_rights", "zh")
        word, case = (*(part for part in command.words[:2]), "", "")[:2]
        match word.lower():
            case "facts" | "trail" as what:
                return await self._view(what, case, actor)
            case "pending":
                return await self._showing.pending(await self._desk.waiting_for(actor), actor.lang)
            case "audit":
                return await self._audit(command.words[1:], actor)
            case "show":
                return await self._diagrams.answer(command.words[1:], actor)
            case "start":
                return await self._starting.typed(command, actor)
            case "list":
                return await self._list(actor)
            case "delegate":
                return await self._delegating.answer(command.words[1:], actor)
            case "help" | "":
                return edge("command_help", actor.lang)
        return edge("unknown_command", actor.lang, word=md(word, 40))

    async def shortcut(self, shortcut: Shortcut) -> None:
        """Show the case of the thread that the message is in. Raises SlackFailed."""
        lang = await self._showing.lang(shortcut.user)
        view = await self._desk.find(thread_id(shortcut.team, shortcut.channel, shortcut.thread_ts))
        what = _SHORTCUTS.get(shortcut.name)
        card = await self._showing.case(view, what, lang) if view and what else edge("no_case_here", lang)
        await self._private.say(
            shortcut.user, Origin(channel=shortcut.channel, thread_ts=shortcut.thread_ts), card
        )

    async def publish_home(self, user: str) -> None:
        """Bring a person's App Home up to date. Raises SlackFailed."""
        # Without rights while Slack does not say who it is: what waits at a level is left out.
        actor = await self._showing.who(user, "") or Actor(id=user, name=user)
        lang, rows = actor.lang, await self._desk.cases_of(user, LISTED)
        waiting = await self._desk.waiting_for(actor)
        listed = {row.case for row in waiting}
        running = [row for row in rows if row.status not in _OVER and row.case not in listed]
        over = [row for row in rows if row.status in _OVER]
        around = await self._around.of(cases=[row.case for row in rows])
        cards = await self._showing.around_of(waiting)
        around = around.model_copy(update={"links": around.links | cards.links})
        view = home(waiting, running, over, around, lang)
        await asked(self._client.views_publish(user_id=user, view=view))

    async def _view(self, what: View, case: str, actor: Actor) -> Card:
        if case:
            return await self._named(what, case.strip("`*_").upper(), actor)
        rows = await self._desk.cases_of(actor.id, LISTED)
        running = [row for row in rows if row.status not in _OVER]
        if len(running) > 1:
            return await self._showing.rows(running, actor.lang, what)
        latest = (running or rows)[:1]
        if not latest:
            return edge("no_cases", actor.lang)
        return await self._named(what, latest[0].case, actor)

    async def _named(self, what: View, case: str, actor: Actor) -> Card:
        view = await self._desk.show(case)
        if view is None:
            return edge("no_such_case", actor.lang, case=md(case, 40))
        if not await self._showing.may_see(view, actor):
            return edge("not_for_you", actor.lang, case=md(case, 40))
        return await self._showing.case(view, what, actor.lang)

    async def _audit(self, words: Sequence[str], actor: Actor) -> Card:
        """`audit CASE` or `audit --order ORDER`. Phones make one long dash of two."""
        about_order = bool(words) and words[0].lstrip("-–—").lower() == "order"
        named = (words[1:] if about_order else words)[:1]
        what = named[0].strip("`*_") if named else ""
        return await self._showing.audit(actor, "" if about_order else what.upper(), what if about_order else "")

    async def _list(self, actor: Actor) -> Card:
        rows: list[CaseRow] = await self._desk.cases_of(actor.id, LISTED)
        lang: Lang = actor.lang
        return await self._showing.rows(rows, lang) if rows else edge("no_cases", lang)
