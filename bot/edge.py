"""Everything that Slack delivers, by what it is: parse, store, then let it be acknowledged. Knows no Bolt."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

from blocks import Card
from bot.background import Background
from bot.clicks import click_of, command_of, shortcut_of, submission_of
from bot.coaching import Coaching
from bot.commands import Commands
from bot.desk import Desk
from bot.inbox import Inbox
from bot.intake import message_of
from bot.presses import RECEIPT_AFTER, Presses
from bot.starting import STARTS, Starting
from bot.submissions import Submissions

Body = Mapping[str, object]
_log = logging.getLogger(__name__)


class Edge:
    """One method for each kind of delivery. Each returns once it may be acknowledged, and raises when it must not be."""

    def __init__(
        self,
        desk: Desk,
        inbox: Inbox,
        presses: Presses,
        submissions: Submissions,
        commands: Commands,
        coaching: Coaching,
        starting: Starting,
        background: Background,
        now: Callable[[], datetime],
    ) -> None:
        self._desk = desk
        self._inbox = inbox
        self._presses = presses
        self._submissions = submissions
        self._commands = commands
        self._coaching = coaching
        self._starting = starting
        self._background = background
        self._now = now

    async def event(self, body: Body, bot_user: str) -> None:
        """A message, a mention, or App Home opened."""
        opened = _home_opened_by(body)
        if opened:
            self._background.start(self._commands.publish_home(opened), "publish home")
            return
        incoming = message_of(body, bot_user, self._now())
        if incoming is None:
            return
        # A reply may come before the case that its thread is about: then the thread's mailbox is not empty.
        thread = incoming.event.thread
        if incoming.addressed or (
            incoming.reply and (await self._inbox.waiting(thread) or await self._desk.find(thread) is not None)
        ):
            await self._inbox.put(incoming.event, dedupe=incoming.dedupe, receipt_after=RECEIPT_AFTER)

    async def click(self, body: Body) -> None:
        """A button or a menu."""
        click = click_of(body)
        if click is None:
            _log.warning("a click came whose value is none of ours")
            return
        if click.press.do in STARTS:
            self._background.start(self._starting.pressed(click), "open a form of App Home")
            return
        await self._presses.pressed(click)

    async def form(self, body: Body) -> dict[str, str]:
        """A form: what stands against it by block, or nothing."""
        form = submission_of(body)
        if form is None:
            _log.warning("a form came that is none of ours")
            return {}
        if form.press.do in STARTS:
            return await self._starting.submitted(form)
        return await self._submissions.submitted(form)

    async def shortcut(self, body: Body) -> None:
        """A message shortcut."""
        shortcut = shortcut_of(body)
        if shortcut is not None:
            self._background.start(self._commands.shortcut(shortcut), "shortcut")

    async def command(self, body: Body, respond: Callable[[Card], Awaitable[None]]) -> None:
        """A slash command; `respond` shows a card to whoever typed it."""
        command = command_of(body)
        if command is None:
            return

        async def answer() -> None:
            answering = self._coaching if command.name == "/coach" else self._commands
            await respond(await answering.answer(command))

        self._background.start(answer(), "slash command")


def _home_opened_by(body: Body) -> str:
    event = body.get("event")
    if not isinstance(event, Mapping) or event.get("type") != "app_home_opened" or event.get("tab") != "home":
        return ""
    user = event.get("user")
    return user if isinstance(user, str) else ""
