"""Waiting that ends: for a stop, for Redis to come back, for a task that was told to go."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Coroutine
from typing import Final, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)

_CANCEL_AGAIN_SECONDS: Final = 0.5


class Patience:
    """Growing pauses while Redis is away: 1, 2, 4 … `longest` seconds. They end at once when `stopping` is set."""

    def __init__(self, stopping: asyncio.Event | None = None, *, first: float = 1.0, longest: float = 15.0) -> None:
        self._stopping = stopping or asyncio.Event()
        self._first = first
        self._longest = longest
        self._next = first

    async def pause(self) -> None:
        """Wait, a little longer than the last time."""
        seconds, self._next = self._next, min(self._next * 2, self._longest)
        log.warning("Redis is away; trying again in %.0f s", seconds)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()

    def reset(self) -> None:
        """Redis answered: start from short pauses again."""
        self._next = self._first


async def end(*tasks: asyncio.Future[T]) -> None:
    """Cancel tasks until they have ended; what they raise stays in them.

    Once is not enough: redis-py may return a command's result instead of passing on a cancellation that came at that
    very moment, and a loop around the command would then go on.
    """
    left = {task for task in tasks if not task.done()}
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_CANCEL_AGAIN_SECONDS)


async def stopped_first(stopping: asyncio.Event, reading: Awaitable[T]) -> T | None:
    """The result of a blocking read; None, with the read given up, if `stopping` is set before it has one."""
    read = asyncio.ensure_future(reading)
    stop = asyncio.ensure_future(stopping.wait())
    try:
        await asyncio.wait([read, stop], return_when=asyncio.FIRST_COMPLETED)
        return read.result() if read.done() else None
    finally:
        await end(stop)
        await end(read)


async def within(seconds: float, work: Coroutine[None, None, T]) -> T:
    """The result of `work`. After so many seconds it is ended, and TimeoutError raised."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task], timeout=seconds)
        if not task.done():
            raise TimeoutError(f"took longer than {seconds:g} s")
        return task.result()
    finally:
        await end(task)
