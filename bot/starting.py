"""The forms of App Home (a new case, a question to the handbook) and `/sop start`: each becomes a thread of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from typing import Final

from slack_sdk.web.async_client import AsyncWebClient

from blocks import Card, form_errors, handbook_form, new_case_form
from blocks.kit import card, section
from blocks.text import md, md_lines, mention, push
from bot.channels import Channels
from bot.clicks import Click, Command, Origin, Submission
from bot.clients import SlackFailed, asked
from bot.desk import Desk
from bot.inbox import Inbox
from bot.intake import moment, stub, thread_id
from bot.plain import said
from bot.posting import Posting
from bot.presses import OPEN_WITHIN, RECEIPT_AFTER
from bot.private import Private
from bot.showing import Showing, edge
from graph.model import Actor, Event, Lang, Level
from graph.phrases import say

STARTS: Final = ("new_case", "handbook")
"""What these forms are for."""
_LOOK_WITHIN: Final = 1.0
"""Seconds to find out where a case may be opened: the trigger of the form lives three."""
_NOT_THERE: Final = ("not_in_channel", "channel_not_found", "is_archived")
_log = logging.getLogger(__name__)


class Starting:
    """Opens the forms, and begins a thread with what was entered: in a channel, or between the person and the bot."""

    def __init__(
        self,
        inbox: Inbox,
        client: AsyncWebClient,
        posting: Posting,
        channels: Channels,
        private: Private,
        showing: Showing,
        levels: Callable[[], dict[str, Level]],
        now: Callable[[], datetime],
        desk: Desk,
    ) -> None:
        self._desk = desk
        self._inbox = inbox
        self._client = client
        self._posting = posting
        self._channels = channels
        self._private = private
        self._showing = showing
        self._levels = levels
        self._now = now

    async def pressed(self, click: Click) -> None:
        """Open the form; who cannot be shown it is told so."""
        lang = await self._showing.lang(click.user)
        asking = click.press.do == "handbook"
        form = handbook_form(lang) if asking else new_case_form(lang, await self._rooms(click.user))
        try:
            opening = self._client.views_open(trigger_id=click.trigger, view=form | {"external_id": click.mark})
            await asked(opening, OPEN_WITHIN)
        except SlackFailed as error:
            _log.warning("the form %s could not be opened (%s)", click.press.do, error.code)
            await self._private.say(click.user, Origin(), edge("not_now", lang))

    async def submitted(self, form: Submission) -> dict[str, str]:
        """What stands against the form, by block; nothing: its thread is there, and its first event stored."""
        lang = await self._showing.lang(form.user)
        words = form.values.get("text", "").strip()
        if not words:
            return form_errors({"text": say("edge.nothing_said", lang)})
        notice = f"start/{form.mark}"
        try:
            channel = await self._room(form)
            if channel is None:
                return form_errors({"channel": say("edge.not_in_channel", lang)})
            await self._begin(form.event_id, form.user, form.team, channel, words, lang, notice)
        except SlackFailed as error:
            _log.warning("a thread could not be begun (%s)", error.code)
            return form_errors({"text": say("edge.not_now", lang)})
        return {}

    async def typed(self, command: Command, actor: Actor) -> Card:
        """The answer to `/sop start NAME …`: a thread in the channel where it was typed, with the case in it."""
        words, lang = said(" ".join(command.words[1:])), actor.lang
        if not self._desk.starts(words):
            known = (f"`{md(name, 40)}` {md(title.in_(lang), 40)}" for name, title in self._desk.startable().items())
            listed = say("edge.between", lang).join(known)
            return edge("start_which" if words else "start_usage", lang, word=md(words, 40), names=listed)
        notice = f"start/{command.trigger}"
        asked_for = f"start {words}"
        event = f"command:{command.trigger}"
        try:
            await self._begin(event, actor.id, command.team, command.channel, asked_for, lang, notice)
        except SlackFailed as error:
            _log.warning("a thread could not be begun (%s)", error.code)
            return edge("start_not_here" if error.code in _NOT_THERE else "not_now", lang)
        return edge("started", lang)

    async def _begin(
        self, event_id: str, user: str, team: str, channel: str, words: str, lang: Lang, notice: str
    ) -> None:
        """Post the head of the thread in the person's name, and put the words into its mailbox. Raises SlackFailed."""
        # Sent again after an answer that was lost, it is the same message.
        ts = await self._posting.find(channel, None, notice)
        ts = ts or await self._posting.post(channel, None, _opening(user, words, lang), notice)
        event = Event(
            id=event_id,
            thread=thread_id(team, channel, ts),
            kind="message",
            actor=stub(user, team),
            at=self._now(),
            said_at=moment(ts),
            text=words,
        )
        await self._inbox.put(event, receipt_after=RECEIPT_AFTER)

    async def _rooms(self, user: str) -> list[tuple[str, str]]:
        """The channels in which both are, those of the approvers apart; none when Slack does not say in time."""
        levels = {level.channel for level in self._levels().values()}
        try:
            async with asyncio.timeout(_LOOK_WITHIN):
                rooms = [each for each in await self._channels.joined() if not {each.name, each.id} & levels]
                there = await asyncio.gather(*(self._channels.has_member(each.id, user) for each in rooms))
        except (SlackFailed, TimeoutError):
            return []
        return [(each.id, f"#{each.name}") for each, member in zip(rooms, there, strict=True) if member]

    async def _room(self, form: Submission) -> str | None:
        """Where the thread is begun: the channel that was chosen, else between the two. None for one they are not in."""
        channel = form.values.get("channel", "") if form.press.do == "new_case" else ""
        if not channel:
            return await self._private.room(form.user)
        return channel if await self._channels.has_member(channel, form.user) else None


def _opening(user: str, words: str, lang: Lang) -> Card:
    said = say("edge.opening", lang, who=mention(user), words=md_lines(words, 1000))
    return card(push(said.replace("\n", " "), ""), section(said))
