"""What the language model costs: calls and tokens, counted where they are spent, added up for whoever asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Meter:
    """Calls made, tokens that the model read, tokens that it wrote. An endpoint that names no tokens has none counted."""

    calls: int = 0
    read: int = 0
    written: int = 0

    def add(self, other: Meter) -> None:
        """Count what another meter has counted."""
        self.calls += other.calls
        self.read += other.read
        self.written += other.written


_METER: ContextVar[Meter | None] = ContextVar("sopdesk_meter", default=None)


@contextmanager
def metered() -> Iterator[Meter]:
    """What is spent inside; whoever meters around it counts it, too."""
    meter, around = Meter(), _METER.get()
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)
        if around is not None:
            around.add(meter)


def measure(meter: Meter) -> None:
    """Let what this task spends from here on count for `meter`."""
    _METER.set(meter)


def spend(*, calls: int = 0, read: int = 0, written: int = 0) -> None:
    """Count what was spent just now."""
    if (meter := _METER.get()) is not None:
        meter.add(Meter(calls, read, written))
