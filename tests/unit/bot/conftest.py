"""Slack's edge as a whole: a local workspace, real Redis, real queues and real Bolt around a scripted desk."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from redis.asyncio import Redis

from bot.handling import as_it_is
from bot.inbox import Inbox
from bot.notices import notices
from bot.outbox import Outbox
from bot.serving import PATH
from bot.settings import Settings
from bot.slack_edge import SlackEdge
from bot.timers import Clock
from bot.worker import Worker
from deploy.local.workspace import Seed, Workspace
from deploy.local.workspace.model import Message
from graph.store.delegates import Delegates
from graph.store.keys import Keys
from graph.store.lease import Leases
from tests.unit.bot.scripted_desk import ScriptedDesk


@dataclass
class House:
    """Everything that runs, and how to act in it."""

    slack: Workspace
    desk: ScriptedDesk
    edge: SlackEdge
    inbox: Inbox
    outbox: Outbox
    settings: Settings

    async def card(self, channel: str, words: str, thread_ts: str | None = None) -> Message:
        """The bot's newest message in a channel or thread that says these words, once it is there."""

        def found() -> Message | None:
            return next(
                (
                    message
                    for message in reversed(self.slack.messages(channel, thread_ts))
                    if message.bot and words in self.slack.text(message)
                ),
                None,
            )

        message = await self.slack.until(found, timeout=8)
        assert message is not None
        return message

    async def whisper(self, user: str, words: str) -> Message:
        """What only this person sees, once it says these words."""
        message = await self.slack.until(
            lambda: next((each for each in self.slack.ephemerals(user) if words in self.slack.text(each)), None), timeout=8
        )
        assert message is not None
        return message

    async def asked_for_approval(self, channel: str = "C0SUP") -> tuple[str, Message]:
        """A case that waits for a decision: its thread and the card in the level's channel."""
        thread_ts = await self.slack.say("U0LI", "C0DESK", "@sopdesk 给 KL-778 补 80 美元")
        question = await self.card("C0DESK", "还缺", thread_ts)
        await self.slack.click("U0LI", "C0DESK", question.ts, label="现金")
        return thread_ts, await self.card(channel, "批准 80.00 USD")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def running(
    redis: Redis, keys: Keys, seed: Seed | None = None, *, http: bool = False
) -> AsyncIterator[House]:
    """A house with everything running; `http`: signed requests instead of a socket."""
    slack = Workspace(seed, retry_after=(0.0, 0.1, 0.1), patience=5)
    await slack.start()
    settings = Settings.model_validate(
        {
            "slack_bot_token": "xoxb-local",
            "slack_app_token": None if http else "xapp-local",
            "slack_signing_secret": "local-signing-secret",
            "slack_api_url": slack.api_url,
            "sopdesk_http_port": _free_port(),
            "sopdesk_post_interval": 0,
        }
    )
    desk, inbox, outbox = ScriptedDesk(), Inbox(redis, keys), Outbox(redis, keys)
    edge = SlackEdge(settings, desk, inbox, outbox, Delegates(redis, keys))
    worker = Worker(
        inbox, outbox, Leases(redis, keys), handle=edge.handling.handle, project=notices, actor=as_it_is, backoff=0.05
    )
    stopping, ready = asyncio.Event(), asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(edge.listen(stopping, ready, ping_interval=0.3))
        group.create_task(worker.run(stopping))
        group.create_task(edge.sender.run(stopping))
        group.create_task(Clock(redis, keys).run(stopping))
        try:
            async with asyncio.timeout(10):
                await ready.wait()
            if http:
                await slack.use_http(f"http://127.0.0.1:{settings.sopdesk_http_port}{PATH}")
            yield House(slack, desk, edge, inbox, outbox, settings)
        finally:
            stopping.set()
    await slack.stop()


@pytest.fixture
async def house(redis: Redis, keys: Keys) -> AsyncIterator[House]:
    """A house in the workspace as it starts."""
    async with running(redis, keys) as made:
        yield made
