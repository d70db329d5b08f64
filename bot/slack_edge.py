"""Puts the parts of Slack's edge together. Opens no connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from slack_bolt.async_app import AsyncApp

from blocks import Offer
from bot.apart import Apart
from bot.app import build_app
from bot.around import Around
from bot.background import Background
from bot.channels import Channels
from bot.clients import asking_client, posting_client
from bot.coaching import Coaching, NoPractice
from bot.commands import Commands
from bot.delegating import Delegating
from bot.desk import Delegates, Desk, Practice
from bot.diagrams import Diagrams, Draws, NoDrawings
from bot.directory import Directory, groups_named
from bot.edge import Edge
from bot.handling import Handling
from bot.inbox import Inbox
from bot.outbox import Outbox
from bot.pictures import Pictures
from bot.posting import Posting
from bot.presses import Presses
from bot.private import Private
from bot.render import Renderer
from bot.sender import Sender
from bot.serving import Line, serve
from bot.settings import Settings
from bot.showing import Showing
from bot.starting import Starting
from bot.startup import Report, check, log_report
from bot.submissions import Submissions
from bot.watch import Watch


class SlackEdge:
    """One workspace: `listen` takes in, `handling.handle` is for the worker, `sender.run` posts."""

    def __init__(
        self,
        settings: Settings,
        desk: Desk,
        inbox: Inbox,
        outbox: Outbox,
        delegates: Delegates,
        *,
        practice: Practice | None = None,
        draws: Draws | None = None,
        offers: Iterable[Offer] = (),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        watch: Watch | None = None,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self._settings = settings
        self._desk = desk
        watch = watch or Watch()
        on_limit = watch.metrics.rate_limited.inc
        self._client = asking_client(settings, on_limit=on_limit)
        self._background = Background()
        levels, leads = desk.levels(), desk.leads()
        self._delegates = delegates
        self._now = now
        groups = groups_named(levels.values(), (*leads, *desk.auditors()))
        self.directory = Directory(self._client, groups, delegates=delegates, now=now)
        self.channels = Channels(self._client)
        self.handling = Handling(desk, self.directory)
        around = Around(outbox, self.channels, levels, leads, offers, delegates=delegates, now=now)
        private = Private(self._client)
        showing = Showing(desk, self.directory, self.channels, around)
        pictures = Pictures(self._client)
        posting = Posting(posting_client(settings, on_limit=on_limit), self._client)
        self.sender = Sender(
            outbox,
            posting,
            private,
            self.channels,
            Renderer(around, self.directory, levels, pictures),
            levels,
            settings.sopdesk_post_interval,
            around=watch.post,
            beat=beat,
            posted=Apart(inbox, now).posted,
        )
        coaching = Coaching(
            desk,
            practice or NoPractice(),
            inbox,
            showing,
            posting_client(settings, on_limit=on_limit),
            self._client,
            now,
        )
        presses = Presses(desk, inbox, self._client, showing, private, self._background, now, coaching)
        delegating = Delegating(desk, delegates, self.directory, self.channels, private, self._background, now)
        starting = Starting(inbox, self._client, posting, self.channels, private, showing, desk.levels, now, desk)
        diagrams = Diagrams(desk, draws or NoDrawings(), pictures, showing)
        commands = Commands(desk, showing, private, around, self._client, delegating, diagrams, starting)
        self.app: AsyncApp = build_app(
            settings,
            self._client,
            Edge(
                desk,
                inbox,
                presses,
                Submissions(desk, inbox, self.directory, now),
                commands,
                coaching,
                starting,
                self._background,
                now,
            ),
        )

    async def check(self) -> Report:
        """Ask Slack whether all is there that the files name, and log what is missing, by name."""
        standing = await self._delegates.standing(self._now())
        report = await check(
            self._client,
            self.directory,
            self.channels,
            self._desk.levels(),
            self._desk.leads(),
            standing,
            self._desk.auditors(),
        )
        log_report(report)
        return report

    async def listen(
        self,
        stopping: asyncio.Event,
        ready: asyncio.Event | None = None,
        ping_interval: float = 10.0,
        line: Line | None = None,
    ) -> None:
        """Take in deliveries until `stopping` is set; answers that are under way then are given five seconds."""
        try:
            await serve(self.app, self._settings, stopping, ready, ping_interval, line)
        finally:
            await self._background.drain()
