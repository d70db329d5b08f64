"""What a finder found."""

from __future__ import annotations

from dataclasses import dataclass

from graph.model import ProblemCode


@dataclass(frozen=True)
class Found:
    """A value in the text, in canonical writing. `code` says why it cannot be taken as it stands; `denied` that the words
    before it turn it down (不是 …)."""

    start: int
    end: int
    value: str | int
    code: ProblemCode | None = None
    denied: bool = False
