"""The engine on Redis, the back office and, where one is configured, a language model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from redis.asyncio import Redis

from bot.settings import Settings
from bot.wiring.vocabulary import load_library
from graph.engine import Engine
from graph.errors import Misconfigured
from graph.library import Library
from graph.llm import Llm, OpenAiLlm
from graph.runner import Runner
from graph.store.audit import Audit
from graph.store.cases import Cases
from graph.store.checkpoint import Checkpoints
from graph.store.connect import connect, require_modules
from graph.store.journal import Journal
from graph.store.keys import Keys
from graph.store.lease import Leases
from graph.tools.backoffice import BackOffice
from graph.tools.calling import ToolDoor


@dataclass(frozen=True)
class DeskParts:
    """What an entry point needs of the engine."""

    settings: Settings
    library: Library
    redis: Redis
    keys: Keys
    leases: Leases
    cases: Cases
    audit: Audit
    runner: Runner


@asynccontextmanager
async def open_desk(settings: Settings, library: Library | None = None) -> AsyncIterator[DeskParts]:
    """The engine, ready to carry cases on; all connections are closed at the end.

    Misconfigured names a setting that is missing or a Redis that lacks what is needed, SopMistakes wrong files.
    """
    if settings.redis_url is None:
        raise Misconfigured("REDIS_URL is not set; it names the Redis that keeps everything")
    if settings.backoffice_url is None:
        raise Misconfigured("BACKOFFICE_URL is not set; it names the back office that the tools call")
    known = library or load_library(settings.sopdesk_sops)
    keys = Keys(settings.sopdesk_namespace)
    redis = connect(settings.redis_url)
    saver = Checkpoints(settings.redis_url, settings.sopdesk_namespace)
    timeout = httpx.Timeout(settings.sopdesk_tool_timeout, connect=min(5.0, settings.sopdesk_tool_timeout))
    try:
        await require_modules(redis)
        await saver.prepare()
        async with httpx.AsyncClient(base_url=settings.backoffice_url, timeout=timeout) as client:
            door = ToolDoor(
                tools=known.words.tools,
                backoffice=BackOffice(client),
                journal=Journal(redis, keys),
                timeout=settings.sopdesk_tool_timeout,
                retries=settings.sopdesk_tool_retries,
            )
            cases, audit = Cases(redis, keys), Audit(redis, keys)
            runner = Runner(Engine(known, door, model_of(settings)), saver, cases, audit)
            yield DeskParts(settings, known, redis, keys, Leases(redis, keys), cases, audit, runner)
    finally:
        await saver.close()
        await redis.aclose(close_connection_pool=True)


def model_of(settings: Settings) -> Llm | None:
    """The language model that is configured, or None: the code then reads alone."""
    if settings.openai_api_key is None:
        return None
    return OpenAiLlm(
        model=settings.sopdesk_model,
        api_key=settings.openai_api_key,
        base_url=settings.openai_base_url,
        timeout=settings.sopdesk_model_timeout,
    )
