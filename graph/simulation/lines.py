"""What a dry run tells: one line for each thing that would happen."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from graph.model import JsonValue, Lang, Text
from graph.phrases import say

What = Literal[
    "skip", "read", "stub", "write", "refused", "passed", "against", "asked", "lacking", "confirmed", "denied", "auto",
    "decides", "rejected", "turned_down", "no_tier", "offered", "picks", "waits", "unknown", "down", "endless", "drill",
    "done",
]  # fmt: skip
ENDINGS: Final[frozenset[What]] = frozenset(
    ("against", "lacking", "turned_down", "no_tier", "picks", "unknown", "down", "endless", "drill", "done")
)
"""After these nothing more can be said."""


class Line(BaseModel):
    """One thing that would happen at `step`. `values` fill the phrase; what is sensitive is masked in them.

    `level`, `people`, `channel` and `quorum` say who would decide, `amount` and `beside` on how much and what else counts;
    `tool`, `arguments` and `routes` which write would be sent, and where its money would go.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: str
    what: What
    values: dict[str, str | Text] = {}
    tool: str = ""
    arguments: dict[str, JsonValue] = {}
    result: JsonValue = None
    routes: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    level: str = ""
    people: tuple[str, ...] = ()
    channel: str = ""
    quorum: int = 0
    amount: str = ""
    beside: str = ""
    goto: str = ""


class Simulated(BaseModel):
    """A whole dry run, and how it ended: `done`, or the reason why it could go no further."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sop: str
    lines: tuple[Line, ...]
    ending: What

    def told(self, lang: Lang) -> list[str]:
        """The lines in words, numbered as they would happen."""
        return [f"{number:>2}. {_said(line, lang)}" for number, line in enumerate(self.lines, 1)]


def _said(line: Line, lang: Lang) -> str:
    words = say(f"sim.{line.what}", lang, **line.values)
    more = ""
    if line.routes:
        more += say("sim.routes", lang, routes=" + ".join(line.routes))
    if line.beside:
        more += say("sim.beside", lang, beside=line.beside)
    if line.goto:
        more += say("sim.goes_to", lang, goto=line.goto)
    return (f"{line.step}: " if line.step else "") + words + more
