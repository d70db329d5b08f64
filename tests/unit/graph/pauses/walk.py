"""A walk through a procedure from its opening to its end, with a move at one of its pauses."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from graph.fields import FieldSpec
from graph.model import Actor, Outcome, RequestView
from graph.steps import CallSpec
from tests.unit.graph.builders import CLOCK, LI, Desk, shipped, view

_FILE = Path(__file__).with_name("procedures.yaml")
_PAUSES_AT_MOST = 40
LIBRARY = shipped()
Values = dict[str, str]
Move = Callable[["Walk", Outcome], Awaitable[Outcome]]


class Given(BaseModel):
    """What the file says of one procedure."""

    model_config = ConfigDict(extra="forbid")

    opening: str
    values: Values
    other: dict[str, list[str]]


@cache
def given() -> dict[str, Given]:
    """The file, checked."""
    found = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {name: Given.model_validate(entry) for name, entry in found.items() if name != "elsewhere"}


@cache
def elsewhere() -> frozenset[str]:
    """The procedures whose pauses are walked by tests of their own."""
    return frozenset(yaml.safe_load(_FILE.read_text(encoding="utf-8"))["elsewhere"])


def in_words(spec: FieldSpec, value: str) -> str:
    """A value as a person says it."""
    choice = spec.choice(value)
    return choice.cues.zh[0] if choice is not None else value


PROCEDURES = sorted(name for name in LIBRARY.sops if name in given())
"""The shipped procedures that are walked."""


@dataclass
class Walk:
    """One run of a procedure with these values. `pauses` are where it waited, in order: the step and what was missing;
    `correctable` are the fields that could be corrected there."""

    desk: Desk
    sop: str
    values: Values
    pauses: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    correctable: list[set[str]] = field(default_factory=list)

    async def go(self, at: int = -1, move: Move | None = None) -> Outcome:
        """From the opening to the end; `move` is made at the pause number `at`, before it is answered."""
        outcome = await self.opened()
        for number in range(_PAUSES_AT_MOST):
            if view(outcome).status != "waiting":
                return outcome
            request = waiting(outcome)
            asked = tuple(each.name for each in request.fields)
            self.pauses.append((request.step.id, asked))
            self.correctable.append((set(view(outcome).plain) | set(asked)) & set(given()[self.sop].other))
            if number == at and move is not None:
                outcome = await move(self, outcome)
                continue
            outcome = await self.answered(outcome)
        raise AssertionError(f"{self.sop} does not come to an end: {self.pauses}")

    async def opened(self) -> Outcome:
        """The opening, in a thread of its own."""
        await self.fresh()
        return await self.said()

    async def said(self) -> Outcome:
        """The opening, said where the walk is."""
        fields = LIBRARY.words.fields
        said = {name: in_words(fields[name], value) for name, value in self.values.items()}
        return await self.desk.say(given()[self.sop].opening.format(**said))

    async def fresh(self) -> None:
        """A thread of its own on an untouched back office, long after all that was paid before."""
        start = next(self.desk.numbers) // 100_000 * 100_000 + 100_000
        self.desk.numbers = itertools.count(start)
        self.desk.thread = f"T1:C1:{start}"
        await self.desk.backoffice.reset()
        self.desk.forget_calls()

    async def answered(self, outcome: Outcome) -> Outcome:
        """What waits, answered as the values say: the first missing field, a yes, an approval, the next clock."""
        request = waiting(outcome)
        match request.kind:
            case "ask":
                name = request.fields[0].name
                given_ = {name: self.values[name]}
                return await self.desk.advance(self.desk.event("answer", request=request.id, values=given_))
            case "confirm":
                return await self.desk.advance(self.desk.event("answer", request=request.id, values={"confirm": "yes"}))
            case "approve":
                return await self.desk.decide(outcome, actor=self.decider(request))
            case _ if outcome.timers:
                timer = outcome.timers[0].id
                return await self.desk.advance(self.desk.event("timer", CLOCK, id=f"timer:{timer}", timer=timer))
            case kind:
                raise AssertionError(f"{self.sop} waits at {request.step.id} for {kind}: say in `walk.py` how it goes on")

    def decider(self, request: RequestView) -> Actor:
        """The first person who may decide."""
        listed = self.desk.engine.library.words.authority.listed(request.level or "")
        person = next(each for each in listed if each not in request.barred)
        return Actor(id=person, name=person)

    def reads(self) -> Counter[str]:
        """What was read of the back office, and how often."""
        return Counter(call for call in self.desk.called() if call.startswith("GET "))

    def writes(self) -> Counter[str]:
        """What was written to the back office, and how often."""
        return Counter(call for call in self.desk.called() if not call.startswith("GET "))


def waiting(outcome: Outcome) -> RequestView:
    """The request that waits."""
    request = view(outcome).open_request()
    assert request is not None, view(outcome).status
    return request


def settled(outcome: Outcome) -> dict[str, object]:
    """How a run ended: status, rule, routes, and its facts without what writes gave, which has numbers of its own. A run
    that a rule stopped may have been told more than one that was stopped at once; that is left out."""
    shown = view(outcome)
    sop, tools = LIBRARY.sops[shown.sop], LIBRARY.words.tools
    written = {each.save_as for each in sop.steps if isinstance(each, CallSpec) and tools[each.tool].write}
    told = set(sop.told) if shown.status == "stopped" else set()
    return {
        "status": shown.status,
        "rule": shown.stopped.rule if shown.stopped else None,
        "routes": shown.result.routes if shown.result else None,
        "facts": {name: value for name, value in shown.plain.items() if name not in written | told},
    }


def correction(name: str, value: str, *, english: bool = False) -> str:
    """The sentence that corrects one field."""
    spec = LIBRARY.words.fields[name]
    words = in_words(spec, value)
    return f"change the {spec.label.en} to {words}" if english else f"{spec.label.zh}改成 {words}"


async def corrected(walk: Walk, _: Outcome, *, name: str, value: str, english: bool = False) -> Outcome:
    """The words that correct one field."""
    outcome = await walk.desk.say(correction(name, value, english=english), actor=LI)
    walk.values = {**walk.values, name: value}
    return outcome



