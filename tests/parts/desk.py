"""The whole desk for a test: local workspace, back office, model endpoint and bot, on the session's Redis."""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
from collections.abc import AsyncIterator, Container
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pydantic import SecretStr

from bot.serving import PATH
from bot.settings import Settings
from bot.wiring.service import Service, open_service
from bot.wiring.vocabulary import load_library
from deploy.local.backoffice import BackOffice, Call
from deploy.local.workspace import Message, Seed, Workspace
from graph.library import Library
from graph.model import RunView
from tests.parts.model_server import ModelServer

PATIENCE = 15.0
"""Seconds that a test waits for something that should come at once."""


@dataclass
class LiveDesk:
    """What a test acts on. `service` is the running bot; `restart` ends it and starts another on the same Redis."""

    workspace: Workspace
    backoffice: BackOffice
    settings: Settings
    model: ModelServer | None = None
    service: Service | None = None
    library: Library | None = None
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)
    _serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the bot and wait until it listens."""
        self._stopping, ready = asyncio.Event(), asyncio.Event()
        opened: asyncio.Future[Service] = asyncio.get_running_loop().create_future()
        self._serving = asyncio.create_task(self._serve(opened, ready), name="bot")
        async with asyncio.timeout(PATIENCE):
            self.service = await opened
            await ready.wait()
            if self.settings.socket_mode:
                await self.workspace.connected()
            else:
                await self.workspace.use_http(f"http://127.0.0.1:{self.settings.sopdesk_http_port}{PATH}")

    async def _serve(self, opened: asyncio.Future[Service], ready: asyncio.Event) -> None:
        async with open_service(self.settings, self.library) as service:
            opened.set_result(service)
            await service.run(self._stopping, ready, ping_interval=0.3)

    async def stop(self) -> None:
        """End the bot in good order; what crashed in it is raised here."""
        if self._serving is not None:
            self._stopping.set()
            async with asyncio.timeout(PATIENCE):
                await self._serving
        self._serving, self.service = None, None

    async def restart(self) -> None:
        """End the bot, start another."""
        await self.stop()
        await self.start()

    async def view(self, thread_ts: str, channel: str = "C0DESK") -> RunView | None:
        """The thread's latest case."""
        assert self.service is not None
        return await self.service.parts.runner.find(f"T0LOCAL:{channel}:{thread_ts}")

    def notices(self) -> dict[str, Message]:
        """Every message of the bot by the id of its notice."""
        found: dict[str, Message] = {}
        for channel in list(self.workspace.world.channels.values()):
            for message in self.workspace.messages(channel.id):
                payload = (message.metadata or {}).get("event_payload")
                if isinstance(payload, dict) and isinstance(notice := payload.get("id"), str):
                    found[notice] = message
        return found

    async def posted(self, pattern: str, known: Container[str] = ()) -> tuple[str, Message]:
        """Wait for a notice whose id matches, and that is not among the known."""

        def found() -> tuple[str, Message] | None:
            there = self.notices().items()
            return next(((name, each) for name, each in there if name not in known and re.fullmatch(pattern, name)), None)

        hit = await self.workspace.until(found, PATIENCE)
        assert hit is not None
        return hit

    async def card_says(self, words: str, case: str) -> Message:
        """Wait until the case card says this."""

        def found() -> Message | None:
            card = self.notices().get(f"{case}/card")
            return card if card is not None and words in self.workspace.text(card) else None

        card = await self.workspace.until(found, PATIENCE)
        assert card is not None
        return card

    def thread(self, thread_ts: str, channel: str = "C0DESK") -> list[Message]:
        """The messages of a thread, its head first."""
        return self.workspace.messages(channel, thread_ts)

    def calls_since(self, count: int) -> list[Call]:
        """The back office calls after the first `count`."""
        return list(self.backoffice.calls[count:])


@asynccontextmanager
async def live_desk(
    redis_url: str,
    directory: Path,
    *,
    model: ModelServer | None = None,
    seed: Seed | None = None,
    sops: Path | None = None,
    library: Library | None = None,
    http: bool = False,
    model_timeout: float = 5.0,
    start: bool = True,
    tool_timeout: float = 2.0,
    ack_timeout: float = 3.0,
) -> AsyncIterator[LiveDesk]:
    """A running desk, ended in good order. `http`: Slack is listened to by signed requests, not over a socket.

    Time limits are in seconds; `ack_timeout` is how long Slack waits before it delivers again.
    """
    backoffice = BackOffice(directory / "backoffice.sqlite", faults=True)
    workspace = Workspace(seed, retry_after=(0.0, 0.1, 0.1), ack_timeout=ack_timeout)
    await backoffice.start()
    await workspace.start()
    seed = workspace.world.seed
    settings = Settings(
        _env_file=None,
        slack_bot_token=SecretStr(seed.bot_token),
        slack_app_token=None if http else SecretStr(seed.app_token),
        slack_signing_secret=SecretStr(seed.signing_secret) if http else None,
        slack_api_url=workspace.api_url,
        sopdesk_sops=sops,
        sopdesk_http_port=free_port() if http else 0,
        redis_url=redis_url,
        backoffice_url=backoffice.url,
        openai_api_key=SecretStr("scripted") if model else None,
        openai_base_url=model.url if model else None,
        sopdesk_namespace=f"test-{secrets.token_hex(6)}",
        sopdesk_post_interval=0.0,
        sopdesk_tool_timeout=tool_timeout,
        sopdesk_tool_retries=1,
        sopdesk_model_timeout=model_timeout,
    )
    library = library or (None if sops else _shipped())
    desk = LiveDesk(workspace, backoffice, settings, model, library=library)
    try:
        if start:
            await desk.start()
        yield desk
    finally:
        await desk.stop()
        await workspace.stop()
        await backoffice.stop()


@cache
def _shipped() -> Library:
    return load_library(None)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
