"""The engine on Redis, the back office and, where one is configured, a language model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import httpx
from pydantic import ValidationError
from redis.asyncio import Redis

from bot.inbox import UsedIn
from bot.logs import note
from bot.settings import Settings
from bot.watch import Watch
from bot.wiring.releasing import Reloading, released
from bot.wiring.standins import StandIns
from bot.wiring.trust import trusted
from bot.wiring.vocabulary import load_library
from bot.wiring.watched import WatchedCases, WatchedDoor, WatchedJournal, WatchedLeases, WatchedLlm
from graph.engine import Engine
from graph.errors import Misconfigured
from graph.library import Library
from graph.llm import Llm
from graph.records import Records
from graph.runner import Runner
from graph.store.audit import Audit
from graph.store.breakers import SharedBreakers
from graph.store.cases import Cases
from graph.store.checkpoint import Checkpoints
from graph.store.claims import Claims
from graph.store.connect import connect, require_durable, require_modules, require_writable
from graph.store.crypt import Codec, require_key
from graph.store.delegates import Delegates
from graph.store.keys import Keys
from graph.store.lease import Leases
from graph.store.readings import Readings
from graph.store.releases import Releases
from graph.store.sections import SectionIndex
from graph.store.stakes import StakeBook
from graph.tools.backoffice import BackOffice
from graph.tools.limits import Limits

_SLOWEST: Final = 10.0
"""Seconds for one request to the back office, should no tool and no setting say less."""


@dataclass(frozen=True)
class DeskParts:
    """What an entry point needs of the engine."""

    settings: Settings
    library: Library
    redis: Redis
    keys: Keys
    codec: Codec
    leases: Leases
    cases: Cases
    audit: Audit
    delegates: StandIns
    reloading: Reloading
    runner: Runner
    backoffice: httpx.AsyncClient

    async def given_up(self, thread: str, fence: int) -> None:
        """An event of the thread is set aside: what only its turn had put at stake or claimed is free."""
        await self.cases.give_up(thread, fence)


@asynccontextmanager
async def open_desk(
    settings: Settings,
    library: Library | None = None,
    *,
    watch: Watch | None = None,
    durable: bool = False,
    calls: bool = True,
) -> AsyncIterator[DeskParts]:
    """The engine, ready to carry cases on; all connections are closed at the end.

    `durable`: Redis must keep what it confirms over a restart. `calls`: it is there to call the back office, not only
    to look. Misconfigured names a setting that is missing or a Redis that lacks what is needed, SopMistakes wrong files.
    """
    if settings.backoffice_url is None and calls:
        raise Misconfigured("BACKOFFICE_URL is not set; it names the back office that the tools call")
    files, watch = library or load_library(settings.sopdesk_sops), watch or Watch()
    slowest = settings.sopdesk_tool_timeout or _SLOWEST
    timeout = httpx.Timeout(slowest, connect=min(5.0, slowest))
    async with (
        open_redis(settings, durable=durable) as (redis, keys, codec),
        _open_saver(settings, codec) as saver,
        httpx.AsyncClient(base_url=settings.backoffice_url or "", timeout=timeout, verify=trusted()) as client,
        open_model(settings) as llm,
    ):
        releases = Releases(redis, keys)
        known, count = await released(files, releases)
        door = WatchedDoor(
            tools=known.words.tools,
            backoffice=BackOffice(client),
            journal=WatchedJournal(redis, keys, codec, watch),
            timeout=settings.sopdesk_tool_timeout,
            retries=settings.sopdesk_tool_retries,
            limits=_limits(settings, known),
            breakers=SharedBreakers(redis, keys),
            watch=watch,
        )
        watched, readings = WatchedLlm(llm, watch) if llm is not None else None, Readings(redis, keys, codec)
        index = SectionIndex(redis, keys, known.handbook.terms)
        stakes, claims = StakeBook(redis, keys), Claims(redis, keys)
        engine = Engine(known, door, watched, readings, settings.sopdesk_timezone, stakes, index, claims)
        audit = Audit(redis, keys, codec)
        cases = WatchedCases(redis, keys, codec, audit, watch)
        runner = Runner(engine, saver, cases, audit, _note)
        delegates = StandIns(Delegates(redis, keys), known.words.authority, audit)
        leases = WatchedLeases(redis, keys, watch)
        reloading = Reloading(engine, files, releases, count)
        kept = leases, cases, audit, delegates
        yield DeskParts(settings, known, redis, keys, codec, *kept, reloading, runner, client)


@asynccontextmanager
async def open_redis(settings: Settings, *, durable: bool = False) -> AsyncIterator[tuple[Redis, Keys, Codec]]:
    """The one server, checked, with the names of its keys and what opens its values. Misconfigured says what it lacks."""
    if settings.redis_url is None:
        raise Misconfigured("REDIS_URL is not set; it names the Redis that keeps everything")
    secret = settings.sopdesk_encryption_key
    codec, keys = Codec.of(secret.get_secret_value() if secret else None), Keys(settings.sopdesk_namespace)
    redis = connect(settings.redis_url)
    try:
        await require_modules(redis)
        await require_writable(redis)
        if durable:
            await require_durable(redis)
        await require_key(redis, keys, codec)
        yield redis, keys, codec
    finally:
        await redis.aclose(close_connection_pool=True)


@asynccontextmanager
async def open_used(settings: Settings, redis: Redis, keys: Keys, codec: Codec) -> AsyncIterator[UsedIn]:
    """What tells in which case an event was used; it only looks."""
    saver = Checkpoints(settings.redis_url or "", settings.sopdesk_namespace, codec)
    try:
        yield Records(saver, Cases(redis, keys, codec)).used_in
    finally:
        await saver.close()


@asynccontextmanager
async def _open_saver(settings: Settings, codec: Codec) -> AsyncIterator[Checkpoints]:
    saver = Checkpoints(settings.redis_url or "", settings.sopdesk_namespace, codec)
    try:
        await saver.prepare()
        yield saver
    finally:
        await saver.close()


def _note(case: str, request: str) -> None:
    note(case=case, request=request)


@asynccontextmanager
async def open_model(settings: Settings) -> AsyncIterator[Llm | None]:
    """The language model that is configured, or None: the code then reads alone."""
    if settings.openai_api_key is None:
        yield None
        return
    from graph.llm.endpoint import OpenAiLlm

    llm = OpenAiLlm(
        model=settings.sopdesk_model,
        api_key=settings.openai_api_key,
        base_url=settings.openai_base_url,
        timeout=settings.sopdesk_model_timeout,
        mode=settings.sopdesk_model_json,
    )
    try:
        yield llm
    finally:
        await llm.close()


def _limits(settings: Settings, known: Library) -> dict[str, Limits]:
    """The limits that are set for single tools. Misconfigured names a tool that does not exist, or a wrong limit."""
    found: dict[str, Limits] = {}
    for name, given in settings.sopdesk_tools.items():
        if name not in known.words.tools:
            tools = ", ".join(sorted(known.words.tools))
            raise Misconfigured(f"SOPDESK_TOOLS: there is no tool {name!r}; allowed: {tools}")
        try:
            found[name] = Limits.model_validate(given)
        except ValidationError as error:
            wrong = error.errors()[0]
            raise Misconfigured(f"SOPDESK_TOOLS: {name}.{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}") from error
    return found
