"""Leaving alone what fails: one breaker for the whole back office in this process, and one for each channel behind it
that all processes share.

The shared one is our own: the libraries looked at (purgatory, aiobreaker, pybreaker) open connections of their own, go by
the machine's clock, or let every caller through at once when they try again, and none says how long to wait.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from graph.errors import ToolUnavailable

OPEN_AFTER = 5
"""Failures in a row after which a thing is left alone."""
_OPEN_FOR = 10.0


class Breakers(Protocol):
    """Breakers by name, shared by all workers."""

    async def admit(self, name: str) -> None:
        """Nothing, where the thing may be asked. ToolUnavailable `suspended`, with the seconds to wait, where not. While it
        is left alone, one caller at a time is let through when the time has come, to see whether it is well again."""
        ...

    async def note(self, name: str, *, failed: bool, after: int, pause: float) -> float:
        """What came of an admitted call. The seconds for which the thing is left alone now; 0 while it may be asked.
        `after` failures in a row it is left alone for `pause` seconds, and longer each time it fails again."""
        ...


class NoBreakers:
    """Where none are wired: everything may be asked."""

    async def admit(self, name: str) -> None:
        """See `Breakers`."""

    async def note(self, name: str, *, failed: bool, after: int, pause: float) -> float:
        """See `Breakers`."""
        return 0.0


@dataclass
class Breaker:
    """After five failures in a row nothing is asked for ten seconds."""

    clock: Callable[[], float]
    failures: int = 0
    until: float = 0.0

    def check(self) -> None:
        """ToolUnavailable while nothing is asked."""
        if self.failures >= OPEN_AFTER and self.clock() < self.until:
            raise ToolUnavailable("down", "the back office failed several times in a row; it is left alone for a moment")

    def note(self, *, failed: bool) -> None:
        """What came of a call."""
        self.failures = self.failures + 1 if failed else 0
        self.until = self.clock() + _OPEN_FOR
