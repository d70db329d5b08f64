"""Work that goes on after a delivery was acknowledged. What fails is logged, never lost silently."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine

_log = logging.getLogger(__name__)


class Background:
    """Holds on to tasks until they end."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None], name: str) -> None:
        """Run `work` by itself; `name` is for the log."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def drain(self, timeout: float = 5.0) -> None:
        """Wait for what is under way; what takes longer than `timeout` seconds is given up."""
        if self._tasks:
            _, slow = await asyncio.wait(set(self._tasks), timeout=timeout)
            for task in slow:
                task.cancel()
            await asyncio.gather(*slow, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            _log.warning("given up: %s", task.get_name())
        elif (error := task.exception()) is not None:
            _log.error("failed: %s (%s)", task.get_name(), type(error).__name__, exc_info=error)
