"""Where dialogues are played: the engine on a Redis and a local back office of their own, with a clock that they move."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

import httpx
from pydantic import BaseModel, ValidationError

from bot.cli.words import Words
from bot.notices import notices
from bot.settings import Settings
from bot.wiring.engine import DeskParts, open_desk
from deploy.local.backoffice import BackOffice, Fault, OrderWish
from deploy.local.redis_server import RedisServer, RedisServerError
from graph.dialogues.format import Dialogue
from graph.dialogues.play import CannotPlay, PlayClock, Played, play
from graph.errors import Misconfigured, ModelUnavailable
from graph.library import Library
from graph.llm import Message
from graph.model import Event, Fact, Lang, Outcome
from graph.prompts import ChooseReply
from graph.runner import Runner
from graph.tools.calling import Effect, ToolDoor, Tries

R = TypeVar("R", bound=BaseModel)
_SECONDS = 30.0
"""For one dialogue; none takes as long as one."""


@dataclass
class HeardDoor(ToolDoor):
    """Notes which interfaces were called, in order."""

    heard: list[str] = field(default_factory=list, kw_only=True)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Fact],
        *,
        lang: Lang,
        at: str,
        effect: Effect | None,
        tries: Tries | None = None,
    ) -> Fact:
        """See `ToolDoor.call`."""
        self.heard.append(name)
        return await super().call(name, arguments, lang=lang, at=at, effect=effect, tries=tries)


@dataclass
class ScriptedPicks:
    """A model that picks actions by name and is away for everything else, so that the code reads alone."""

    left: list[str]

    async def json(self, messages: Sequence[Message], reply: type[R]) -> R:
        """The next pick; an empty name leaves it to the order of the file."""
        action = self.left.pop(0) if self.left and reply is ChooseReply else ""
        if not action:
            raise ModelUnavailable("this model only picks", calls=0)
        return reply.model_validate({"action": action, "arguments": {}})

    async def words(self, messages: Sequence[Message]) -> str:
        """None."""
        raise ModelUnavailable("this model only picks", calls=0)


class LocalStage:
    """One dialogue's desk; see `graph.dialogues.play.Stage`."""

    def __init__(self, parts: DeskParts, door: HeardDoor, clock: PlayClock, backoffice: BackOffice) -> None:
        self._parts = parts
        self._backoffice = backoffice
        self._door = door
        self.clock = clock

    @property
    def runner(self) -> Runner:
        """The engine's door."""
        return self._parts.runner

    @property
    def called(self) -> Sequence[str]:
        """The interfaces called so far."""
        return self._door.heard

    async def advance(self, event: Event) -> list[Outcome]:
        """Carry the event out under a lease as a worker would, and what follows from it."""
        found: list[Outcome] = []
        async with self._parts.leases.hold(event.thread, wait=5.0) as lease:
            waiting = [event]
            while waiting:
                found.append(await self.runner.advance(waiting.pop(0), lease.fence))
                waiting += found[-1].follow
        return found

    def pick(self, actions: Sequence[str]) -> None:
        """Let a model pick these actions, one after the other; without any there is no model."""
        self.runner.engine.llm = ScriptedPicks(list(actions)) if actions else None

    async def words_of(self, outcomes: Sequence[Outcome]) -> str:
        """All that people would read of these outcomes."""
        words = Words(self._parts.library.words.authority)
        return "\n".join([await words.of(notice) for each in outcomes for notice in notices(each)])

    async def switch(self, states: Mapping[str, Mapping[str, str | bool]]) -> None:
        """Set the back office: `orders/NUMBER` as `OrderWish`, `faults/PATH` as a `Fault` of what is asked under that path,
        everything else by its path under `/switch/`."""
        for what, wish in states.items():
            kind, _, name = what.partition("/")
            try:
                if kind == "orders":
                    await self._backoffice.change_order(name, OrderWish.model_validate(wish))
                elif kind == "faults":
                    self._backoffice.faults.add(Fault.model_validate({"path_prefix": f"/{name}", **wish}))
                else:
                    (await self._parts.backoffice.post(f"/switch/{what}", json=dict(wish))).raise_for_status()
            except (ValidationError, httpx.HTTPError) as error:
                raise CannotPlay(f"switch {what}: {error}") from error


async def play_all(dialogues: Sequence[Dialogue], settings: Settings, library: Library) -> list[Played]:
    """Play each dialogue on a desk as new. Nothing outside this machine is asked, whatever the settings name. Misconfigured
    says what to install where there is no Redis to start."""
    played: list[Played] = []
    with tempfile.TemporaryDirectory(prefix="sopdesk-test-") as folder:
        async with own_redis(Path(folder)) as url:
            for number, dialogue in enumerate(dialogues):
                alone = _alone(settings, url, f"dialogue{number}")
                async with _stage(alone, library, Path(folder) / "backoffice.sqlite") as stage:
                    async with asyncio.timeout(_SECONDS):
                        played.append(await play(dialogue, stage))
    return played


@asynccontextmanager
async def own_redis(folder: Path) -> AsyncIterator[str]:
    """The URL of a Redis whose data is thrown away. Misconfigured says what to install where there is none."""
    server = RedisServer(folder / "redis", appendfsync="no")
    try:
        await server.start()
    except RedisServerError as error:
        raise Misconfigured(str(error)) from error
    try:
        yield server.url
    finally:
        await server.stop()


@asynccontextmanager
async def _stage(settings: Settings, library: Library, database: Path) -> AsyncIterator[LocalStage]:
    clock = PlayClock()
    backoffice = BackOffice(database, faults=True, clock=lambda: clock.now)
    await backoffice.start()
    try:
        await backoffice.reset()
        there = settings.model_copy(update={"backoffice_url": backoffice.url})
        async with open_desk(there, library) as parts:
            known = parts.runner.engine.door
            door = HeardDoor(known.tools, known.backoffice, known.journal, known.timeout, retries=0)
            parts.runner.engine.door = door
            yield LocalStage(parts, door, clock, backoffice)
            await parts.redis.flushdb()
    finally:
        await backoffice.stop()


def _alone(settings: Settings, redis_url: str, namespace: str) -> Settings:
    """Settings that reach nothing outside, and are the same for everybody."""
    return settings.model_copy(
        update={
            "redis_url": redis_url,
            "sopdesk_namespace": namespace,
            "sopdesk_encryption_key": None,
            "openai_api_key": None,
            "sopdesk_timezone": ZoneInfo("UTC"),
        }
    )
