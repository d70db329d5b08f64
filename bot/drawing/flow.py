"""What a picture shows: boxes, and arrows between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["plain", "done", "wrong", "next", "end", "quiet"]
"""How something is coloured: not reached, done right, done wrong, due now, an end, of little weight."""


@dataclass(frozen=True)
class Box:
    """One labelled box. `text` is wrapped to fit; its first line is bold. `id` is unique in a picture."""

    id: str
    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Arrow:
    """An arrow between two boxes, named by id, with a word beside it."""

    source: str
    target: str
    text: str = ""
    tone: Tone = "plain"
