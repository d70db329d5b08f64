"""A turn that has begun a write, as it is kept until it is stored: what it takes to come to the same write again."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph.model.events import Event
from graph.model.facts import Fact, JsonValue

CallOutcome = Literal["done", "refused", "unavailable"]


class CallEnd(BaseModel):
    """How a call of the back office ended that a turn made before it began a write, or a write that was refused.

    `given` is the digest of its arguments. `code`, `argument` and `pause` (seconds) are those of the error; `attempts` is
    how often it was sent, `milliseconds` how long that took.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: str
    tool: str
    given: str = ""
    outcome: CallOutcome
    result: Fact | None = None
    code: str = ""
    argument: str | None = None
    pause: float | None = None
    attempts: int = 0
    milliseconds: int = 0


class Begun(BaseModel):
    """The event whose turn began the write `effect`, and how the calls of that turn had ended by then. A replay that read
    anew might find the back office away or the order changed, and would never come to the write that it must finish
    (law 4). `planned` is the run of a case that the turn opened, as it was understood: words and procedures may be read
    otherwise by now."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    event: Event
    effect: str
    calls: list[CallEnd] = []
    planned: JsonValue = None
