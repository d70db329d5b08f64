"""Dialogues as data: what is said or decided in a thread, and what must be true after it. Every mistake has its place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from graph.sources import Source, load, raise_all


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Waits(_Plain):
    """What the case waits for: the kind of request, and whatever else is named here."""

    kind: str
    step: str | None = None
    missing: list[str] | None = None
    level: str | None = None


class StoppedBy(_Plain):
    """What stopped it: the step and, of a check, the rule."""

    step: str
    rule: str = ""


class TurnOf(_Plain):
    """One turn: exactly one of `say`, `decide` and `tick`, and what must be true after it. What is not named is not
    looked at, except that money which has gone out is always named by `payout`.

    `say` are the agent's words. `decide` is the decision on the open approval, by the first person of the level `by`
    (without it, of the card's level) who may; `option` is the label of another button. `tick` lets the clock of the case
    that is next go off. `switch` sets the back office before the turn.

    `facts`: those named have these values; `absent` and `gone` are not known. `calls`: the interfaces called in this turn,
    in order. `skipped`: steps passed over. `payout`: what has gone out so far, by route. `quotes` are the words that a
    truthful model names for each field, `sop` the procedure it names, `model_calls` how often it is asked.
    """

    say: str | None = None
    quotes: dict[str, str] = {}
    sop: str = "compensation"
    pick: list[str] = []
    switch: dict[str, dict[str, str | bool]] = {}
    tick: bool = False
    decide: Literal["approve", "reject"] | None = None
    option: str = ""
    by: str = ""
    reason: str = ""
    facts: dict[str, str] = {}
    absent: list[str] = []
    gone: list[str] = []
    calls: list[str] | None = None
    skipped: list[str] = []
    waits: Waits | None = None
    outcome: Literal["done", "stopped", "cancelled", "answered"] | None = None
    stopped_by: StoppedBy | None = None
    payout: dict[str, str] | None = None
    answer_says: str | None = None
    never_said: list[str] = []
    model_calls: int | None = None


class Guard(_Plain):
    """Something of a procedure that no dialogue can go through: a second line of defence, and why it is never reached."""

    sop: str
    kind: str
    name: str
    why: str


class Dialogue(_Plain):
    """One dialogue, and where it stands: the name of its file and the line."""

    name: str
    file: str
    line: int
    turns: list[TurnOf]


class Dialogues(NamedTuple):
    """What files of dialogues hold."""

    played: list[Dialogue]
    guards: list[Guard]


GUARDS: Final = "guards"
"""The key under which a file lists guards, in place of a dialogue."""


def read_dialogues(paths: Sequence[Path]) -> Dialogues:
    """All dialogues and guards of these files, in order. SopMistakes names every mistake at once. Blocking."""
    found: list[Dialogue] = []
    guards: list[Guard] = []
    sources: list[Source] = []
    names: dict[str, str] = {}
    for path in paths:
        source = load(str(path), path.read_text(encoding="utf-8"))
        sources.append(source)
        if source.found:
            continue
        if not isinstance(source.data, dict):
            source.wrong((), "a file of dialogues maps names to lists of turns")
            continue
        for name, listed in source.data.items():
            if name == GUARDS and isinstance(listed, list):
                read = [source.read(Guard, each, (name, number)) for number, each in enumerate(listed)]
                guards += [each for each in read if each is not None]
                continue
            if names.setdefault(name, str(path)) != str(path):
                source.wrong((name,), f"{name!r} is a dialogue of {names[name]} already; names differ", on_key=True)
            turns = _turns(source, name, listed)
            found.append(Dialogue(name=name, file=path.name, line=source.keys[(name,)].line, turns=turns))
    raise_all(sources)
    return Dialogues(found, guards)


def _turns(source: Source, name: str, listed: object) -> list[TurnOf]:
    if not isinstance(listed, list) or not listed:
        source.wrong((name,), "a dialogue is a list of turns")
        return []
    turns = []
    for number, given in enumerate(listed):
        turn = source.read(TurnOf, given, (name, number))
        if turn is None:
            continue
        if (turn.say is not None) + (turn.decide is not None) + turn.tick != 1:
            source.wrong((name, number), "a turn has one of say, decide and tick")
        turns.append(turn)
    return turns
