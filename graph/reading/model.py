"""What reading gives back, and what it needs to know of a procedure."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph.fields import FieldSpec
from graph.model import Fact, Problem, Text

Mode = Literal["sop", "question", "chat", "unclear"]
Talk = Literal["facts", "trail", "help", "retry", "cancel", "why", "yes", "no", "question"]
#: What an answer says beside the answer: drop it, not now, or something else (another value, a doubt, a question).
Stray = Literal["", "cancel", "wait", "other"]


class SopCard(BaseModel):
    """A procedure as far as words can name it. `approved`: somebody may have to approve what it does. `called` are words
    that ask for it by themselves, `looks`: its own steps change nothing in the back office."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: Text
    description: Text
    fields: tuple[FieldSpec, ...]
    approved: bool = True
    called: tuple[str, ...] = ()
    looks: bool = False
    writes: bool = False

    def __hash__(self) -> int:
        """By name alone: what is worked out of a procedure once is looked up under it for every message."""
        return hash(self.name)

    @property
    def told_money(self) -> bool:
        """Whether it is told an amount."""
        return any(spec.type == "money" for spec in self.fields)


class Reading(BaseModel):
    """What a text says of some fields, and why a field that it touches was not taken.

    Facts have type, value, currency and quote; who said it and when is for the caller to add. Where `stray` is set the
    text goes beyond an answer: nothing of it is taken, and the first problem says why.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fields: dict[str, Fact] = {}
    problems: list[Problem] = []
    stray: Stray = ""
    model_calls: int = 0


class Understood(BaseModel):
    """What a first message wants. `reading` is empty unless a procedure is to start; `choices` are the procedures that come
    near, the nearest first, where it is not clear."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mode: Mode
    sop: str | None = None
    reading: Reading = Reading()
    question: str = ""
    choices: tuple[str, ...] = ()
