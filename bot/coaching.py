"""`/coach`: opens drills, and shows what came of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel, ConfigDict
from slack_sdk.web.async_client import AsyncWebClient

from blocks import Card, scenarios_card, scores_card
from blocks.text import channel as channel_link
from blocks.text import md, mention
from bot.clicks import Command
from bot.clients import SlackFailed, asked, read
from bot.desk import Desk, Practice
from bot.inbox import Inbox
from bot.intake import stub, thread_id
from bot.practice_report import as_csv, report_card
from bot.showing import Showing, edge, line
from graph.model import Actor, CaseRow, Event, Lang, ScenarioRow
from graph.phrases import say

LISTED, REPORTED = 50, 2000
_PERSON = re.compile(r"<@([A-Z][A-Z0-9]*)(?:\|[^<>]*)?>|([A-Z][A-Z0-9]{2,})")
_ELSEWHERE = ("channel_not_found", "not_in_channel", "is_archived", "restricted_action", "no_permission")


class _Named(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str


class _Opened(BaseModel):
    model_config = ConfigDict(extra="ignore")

    channel: _Named


class _Posted(BaseModel):
    model_config = ConfigDict(extra="ignore")

    channel: str
    ts: str


class Coaching:
    """Answers `/coach …` and the buttons that begin a drill."""

    def __init__(
        self,
        desk: Desk,
        practice: Practice,
        inbox: Inbox,
        showing: Showing,
        posting: AsyncWebClient,
        asking: AsyncWebClient,
        now: Callable[[], datetime],
    ) -> None:
        self._desk = desk
        self._practice = practice
        self._inbox = inbox
        self._showing = showing
        self._posting = posting
        self._asking = asking
        self._now = now

    async def answer(self, command: Command) -> Card:
        """The private answer to `/coach start|list|score|report|help …`."""
        actor = await self._showing.who(command.user, command.team)
        if actor is None:
            return edge("no_rights", "zh")
        word, rest = (*(part for part in command.words[:1]), "")[0].lower(), command.words[1:]
        match word:
            case "start" if rest:
                return await self.start(actor, command.channel, rest[0])
            case "start" | "list":
                return scenarios_card(self._practice.scenarios(), actor.lang)
            case "score":
                return scores_card(await self._desk.cases_of(actor.id, LISTED), actor.lang)
            case "report":
                return await self._report(actor, rest)
            case "help" | "":
                return edge_of("help", actor.lang)
        return edge_of("unknown_command", actor.lang, word=md(word, 40))

    def scenarios(self, lang: Lang) -> Card:
        """What can be practised."""
        return scenarios_card(self._practice.scenarios(), lang)

    async def start(self, actor: Actor, channel: str, name: str) -> Card:
        """Open a drill in a thread of its own: in the channel, or where the bot is not in it, directly."""
        chosen = next((row for row in self._practice.scenarios() if row.name == name.strip("`*_")), None)
        if chosen is None:
            return scenarios_card(self._practice.scenarios(), actor.lang, unknown=name)
        posted = await self._head(actor, channel, chosen)
        event = Event(
            id=f"practise:{actor.team}:{posted.channel}:{posted.ts}",
            thread=thread_id(actor.team, posted.channel, posted.ts),
            kind="practise",
            actor=stub(actor.id, actor.team),
            at=self._now(),
            values={"scenario": chosen.name},
        )
        await self._inbox.put(event)
        where = channel_link(posted.channel) if posted.channel == channel else say("coach.directly", actor.lang)
        return edge_of("started", actor.lang, title=md(chosen.title.in_(actor.lang), 80), where=where)

    async def _head(self, actor: Actor, channel: str, chosen: ScenarioRow) -> _Posted:
        words = say("coach.head", actor.lang, who=mention(actor.id), title=md(chosen.title.in_(actor.lang), 80))
        try:
            return await read(_Posted, self._posting.chat_postMessage(channel=channel, text=words))
        except SlackFailed as error:
            if error.code not in _ELSEWHERE:
                raise
        opened = await read(_Opened, self._asking.conversations_open(users=[actor.id]))
        return await read(_Posted, self._posting.chat_postMessage(channel=opened.channel.id, text=words))

    async def _report(self, actor: Actor, words: tuple[str, ...]) -> Card:
        if not self._desk.may_settle(actor):
            return edge("not_lead", actor.lang)
        rows = await self._practice.drills(REPORTED)
        if words and words[0].lower() == "csv":
            opened = await read(_Opened, self._asking.conversations_open(users=[actor.id]))
            upload = self._asking.files_upload_v2(
                channel=opened.channel.id, content=as_csv(rows), filename="practice.csv", title="practice.csv"
            )
            await asked(upload)
            return edge_of("exported", actor.lang, count=str(len(rows)))
        found = _PERSON.search(" ".join(words))
        return report_card(rows, actor.lang, (found[1] or found[2]) if found else "")


class NoPractice:
    """Where nothing can be practised."""

    def scenarios(self) -> list[ScenarioRow]:
        """None."""
        return []

    async def drills(self, limit: int) -> list[CaseRow]:
        """None."""
        return []


def edge_of(key: str, lang: Lang, **values: str) -> Card:
    """A line of the coach's own; values are escaped."""
    return line(say(f"coach.{key}", lang, **values))
