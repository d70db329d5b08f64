"""What a finder found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Found:
    """A value in the text, in canonical writing."""

    start: int
    end: int
    value: str | int
