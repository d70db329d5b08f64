"""The world of one crash run: workspace and back office in this process, Redis beside it, deliveries in disorder."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from deploy.local.backoffice import BackOffice
from deploy.local.workspace import Message, Workspace
from deploy.local.workspace.delivery import Attempt, NotAcknowledged, Transport
from deploy.local.workspace.model import Json
from tests.crash.traps import Where

PATIENCE: Final = 60.0
"""Seconds that a person of a crash run waits before the run has failed."""


class Disorder:
    """A way to the bot that delays, shuffles, doubles, and loses the bot's acknowledgements."""

    def __init__(self, inner: Transport, dice: random.Random, *, most: float = 0.15) -> None:
        self._inner = inner
        self._dice = dice
        self._most = most

    async def deliver(self, attempt: Attempt) -> Json | str | None:
        """As the inner one, later, perhaps twice; of an event, the acknowledgement may get lost."""
        await asyncio.sleep(self._dice.uniform(0.0, self._most))
        if self._dice.random() < 0.3:
            copy = replace(attempt, envelope_id=secrets.token_hex(8))
            answer, _ = await asyncio.gather(self._inner.deliver(attempt), self._ignored(copy))
        else:
            answer = await self._inner.deliver(attempt)
        if attempt.kind == "events_api" and attempt.number == 0 and self._dice.random() < 0.2:
            raise NotAcknowledged("timeout")
        return answer

    async def close(self) -> None:
        """Close the inner one."""
        await self._inner.close()

    async def _ignored(self, attempt: Attempt) -> None:
        await asyncio.sleep(self._dice.uniform(0.0, self._most))
        try:
            await self._inner.deliver(attempt)
        except NotAcknowledged:
            return


@dataclass
class Board:
    """What the bot has posted, by the id of its notice. `posts` holds more than one message where it posted twice."""

    workspace: Workspace
    posts: dict[str, list[Message]] = field(default_factory=lambda: defaultdict(list))
    _cases: dict[str, str] = field(default_factory=dict)
    _there: dict[str, asyncio.Event] = field(default_factory=lambda: defaultdict(asyncio.Event))
    _seen: dict[str, str] = field(default_factory=dict)

    async def watch(self) -> None:
        """Take note of each new message; never returns."""
        while True:
            changed = asyncio.ensure_future(self.workspace.world.next_change())
            self.look()
            await changed

    def look(self) -> None:
        """Take note of what is new."""
        for channel, messages in list(self.workspace.world.messages.items()):
            last = self._seen.get(channel, "")
            for message in reversed(messages):
                if message.ts <= last:
                    break
                self._note(message)
            if messages:
                self._seen[channel] = max(last, messages[-1].ts)

    def standing(self) -> dict[str, list[Message]]:
        """As `posts`, without what the bot has taken back."""
        self.look()
        world = self.workspace.world
        return {name: [m for m in each if world.message(m.channel, m.ts)] for name, each in self.posts.items()}

    async def posted(self, notice: str) -> Message:
        """Wait for a notice."""
        await self._until(notice, notice)
        return self.posts[notice][0]

    async def filled(self, number: int) -> None:
        """Wait until so many different notices were posted."""
        await self.workspace.until(lambda: len(self.posts) >= number, PATIENCE)

    async def case_of(self, thread: str) -> str:
        """Wait for the card of a thread's case; the case's id."""
        await self._until(f"card in {thread}", f"the case card of thread {thread}")
        return self._cases[thread]

    async def _until(self, key: str, what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._there[key].wait()
        except TimeoutError:
            raise TimeoutError(f"{what} did not come within {PATIENCE:g} s") from None

    def _note(self, message: Message) -> None:
        notice = notice_of(message)
        if not notice:
            return
        self.posts[notice].append(message)
        self._there[notice].set()
        if notice.endswith("/card") and message.thread_ts:
            self._cases[message.thread_ts] = notice.removesuffix("/card")
            self._there[f"card in {message.thread_ts}"].set()


@dataclass
class Scene:
    """One run's world."""

    workspace: Workspace
    backoffice: BackOffice
    board: Board
    where: Where


def notice_of(message: Message) -> str:
    """The id of the notice that a message of the bot is, or nothing."""
    payload = (message.metadata or {}).get("event_payload")
    notice = payload.get("id") if isinstance(payload, dict) else None
    return notice if isinstance(notice, str) else ""


@asynccontextmanager
async def scene(redis_url: str, directory: Path, dice: random.Random | None = None) -> AsyncIterator[Scene]:
    """A fresh world on this Redis, in a namespace of its own. With `dice`, deliveries come in disorder."""
    backoffice = BackOffice(directory / f"backoffice-{secrets.token_hex(4)}.sqlite", faults=True)
    # Slack gives an event up after three tries in six minutes; here that would be three in a moment.
    workspace = Workspace(retry_after=(0.0,) + (0.2,) * 100)
    await backoffice.start()
    await workspace.start()
    if dice is not None:
        workspace.dispatcher.transport = Disorder(workspace.sockets, dice)
    seed = workspace.world.seed
    where = Where(
        redis_url=redis_url,
        backoffice_url=backoffice.url,
        slack_api_url=workspace.api_url,
        bot_token=seed.bot_token,
        app_token=seed.app_token,
        namespace=f"crash-{secrets.token_hex(6)}",
    )
    board = Board(workspace)
    watching = asyncio.create_task(board.watch(), name="board")
    try:
        yield Scene(workspace, backoffice, board, where)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await workspace.stop()
        await backoffice.stop()
