"""A journal for where nothing is written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from graph.model import DoneEffect, JsonValue
from graph.tools.calling import Effect


class NoJournal:
    """Keeps nothing, and refuses every effect; see `graph.tools.calling.Journal`."""

    async def once(self, effect: Effect, send: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """RuntimeError: a dry run writes nothing."""
        raise RuntimeError("a dry run writes nothing")

    async def discard(self, key: str, thread: str, fence: int) -> None:
        """Nothing to forget."""

    async def settled(self, thread: str, fence: int) -> None:
        """Nothing to settle."""

    def was_done(self, thread: str, key: str) -> None:
        """Nothing to store."""

    def done(self, thread: str) -> tuple[DoneEffect, ...]:
        """Nothing."""
        return ()

    async def finish(self, thread: str) -> None:
        """Nothing to store."""

    def stored(self, thread: str, done: tuple[DoneEffect, ...]) -> None:
        """Nothing to store."""
