"""Redis and the back office on a laptop: those that are configured, those of a running demo, or our own."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.settings import Settings
from deploy.local.backoffice import BackOffice
from deploy.local.redis_server import RedisServer
from graph.errors import Misconfigured

_LOCK_SECONDS = 60.0
_LOOK_AGAIN = 0.05


class Running(BaseModel):
    """What a running demo leaves in its state directory, so that the command line joins it."""

    model_config = ConfigDict(extra="ignore")

    pid: int
    redis_url: str
    backoffice_url: str

    @staticmethod
    def file(state: Path) -> Path:
        """Where it stands."""
        return state / "running.json"

    @classmethod
    def find(cls, state: Path) -> Running | None:
        """The demo that runs on this state directory now, or None."""
        try:
            running = cls.model_validate_json(cls.file(state).read_text(encoding="utf-8"))
            os.kill(running.pid, 0)
        except (OSError, ValidationError):
            return None
        return running


@asynccontextmanager
async def on_laptop(settings: Settings, *, join: bool = True) -> AsyncIterator[Settings]:
    """Settings in which Redis and the back office are named and reachable, for as long as the block lasts.

    What is not configured is taken from a demo that runs on the same state directory (`join`), else started here with
    its data under that directory. One command at a time uses it; others wait up to a minute.
    """
    if settings.redis_url is not None and settings.backoffice_url is not None:
        yield settings
        return
    state = settings.sopdesk_state
    running = Running.find(state) if join else None
    if running is not None:
        yield _filled(settings, running.redis_url, running.backoffice_url)
        return
    try:
        state.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Misconfigured(f"{state} cannot be used ({error.strerror}); give another directory with --state") from error
    async with AsyncExitStack() as stack:
        await _locked(stack, state)
        redis_url, backoffice_url = settings.redis_url, settings.backoffice_url
        if redis_url is None:
            redis = RedisServer(state / "redis")
            await redis.start()
            stack.push_async_callback(redis.stop)
            redis_url = redis.url
        if backoffice_url is None:
            backoffice = BackOffice(state / "backoffice.sqlite")
            await backoffice.start()
            stack.push_async_callback(backoffice.stop)
            backoffice_url = backoffice.url
        yield _filled(settings, redis_url, backoffice_url)


def _filled(settings: Settings, redis_url: str, backoffice_url: str) -> Settings:
    return settings.model_copy(
        update={
            "redis_url": settings.redis_url or redis_url,
            "backoffice_url": settings.backoffice_url or backoffice_url,
        }
    )


async def _locked(stack: AsyncExitStack, state: Path) -> None:
    file = stack.enter_context(_opened(state / "lock"))
    for _ in range(round(_LOCK_SECONDS / _LOOK_AGAIN)):
        if _try_lock(file):
            return
        await asyncio.sleep(_LOOK_AGAIN)
    raise Misconfigured(f"another sopdesk has used {state} for a minute; end it or give another --state")


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield file
    finally:
        os.close(file)


def _try_lock(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
