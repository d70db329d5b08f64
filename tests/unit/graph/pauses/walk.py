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

from deploy.local.backoffice import Fault
from graph.fields import FieldSpec
from graph.model import Actor, Lang, Outcome, RequestView, Text
from graph.steps import CallSpec
from tests.unit.graph.builders import CLOCK, ZHOU, Desk, shipped, view

_FILE = Path(__file__).with_name("procedures.yaml")
_PAUSES_AT_MOST = 40
WRITES_FAIL = Fault(mode="down", method="POST", times=None)
"""So that a case waits for the back office, too, once something is to be written."""
LIBRARY = shipped()
Values = dict[str, str]
Move = Callable[["Walk", Outcome], Awaitable[Outcome]]


class Given(BaseModel):
    """What the file says of one walk."""

    model_config = ConfigDict(extra="forbid")

    sop: str = ""
    opening: Text
    values: Values
    english: Values = {}
    other: dict[str, list[str]]
    says: dict[str, Text] = {}
    decides: dict[str, str] = {}
    rejects: list[str] = []
    reread: list[str] = []


@cache
def given() -> dict[str, Given]:
    """The file, checked."""
    found = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {name: Given.model_validate({"sop": name} | entry) for name, entry in found.items() if name != "unwalked"}


@cache
def unwalked() -> dict[str, str]:
    """The procedures without a walk, each with the reason."""
    found: dict[str, str] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))["unwalked"]
    return found


def in_words(spec: FieldSpec, value: str, lang: Lang = "zh") -> str:
    """A value as a person says it."""
    choice = spec.choice(value)
    return value if choice is None else (choice.cues.zh if lang == "zh" else choice.cues.en)[0]


WALKS = sorted(given())
"""The walks; each shipped procedure has one at least."""


@dataclass
class Walk:
    """One run of a procedure with these values. `pauses` are where it waited, in order: the step, the kind of request and
    what was missing; `correctable` are the fields that could be corrected there. `before_writing` are the pauses up to
    which nothing had been written. `fault` is how the back office misbehaves until the case waits for it and is tried
    again. `lang` is what it is opened in."""

    desk: Desk
    name: str
    values: Values
    pauses: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    correctable: list[set[str]] = field(default_factory=list)
    before_writing: list[int] = field(default_factory=list)
    fault: Fault | None = None
    lang: Lang = "zh"

    @property
    def given(self) -> Given:
        """What the file says of it."""
        return given()[self.name]

    async def go(self, at: int = -1, move: Move | None = None) -> Outcome:
        """From the opening to the end; `move` is made at the pause number `at`, before it is answered."""
        outcome = await self.opened()
        for number in range(_PAUSES_AT_MOST):
            if view(outcome).status != "waiting":
                return outcome
            request = waiting(outcome)
            asked = tuple(each.name for each in request.fields)
            self.pauses.append((request.step.id, request.kind, asked))
            self.correctable.append((set(view(outcome).plain) | set(asked)) & set(self.given.other))
            self.before_writing += [] if self.writes() else [number]
            if number == at and move is not None:
                outcome = await move(self, outcome)
                continue
            outcome = await self.answered(outcome)
        raise AssertionError(f"{self.name} does not come to an end: {self.pauses}")

    async def opened(self) -> Outcome:
        """The opening, in a thread of its own."""
        await self.fresh()
        return await self.said()

    async def said(self) -> Outcome:
        """The opening, said where the walk is."""
        said = {name: self.worded(name, self.lang) for name in self.values}
        return await self.desk.say(self.given.opening.in_(self.lang).format(**said))

    def worded(self, name: str, lang: Lang) -> str:
        """A field's value as a person says it in this language."""
        unchanged = self.values[name] == self.given.values[name]
        own = self.given.english.get(name) if lang == "en" and unchanged else None
        return own or in_words(LIBRARY.words.fields[name], self.values[name], lang)

    async def fresh(self) -> None:
        """A thread of its own on an untouched back office, long after all that was paid before."""
        start = next(self.desk.numbers) // 100_000 * 100_000 + 100_000
        self.desk.numbers = itertools.count(start)
        self.desk.thread = f"T1:C1:{start}"
        await self.desk.backoffice.reset()
        if self.fault is not None:
            self.desk.backoffice.faults.add(self.fault)

    async def answered(self, outcome: Outcome) -> Outcome:
        """What waits, answered as the values say: the first missing field, a yes, an approval, the next clock."""
        request, desk = waiting(outcome), self.desk
        match request.kind:
            case "ask" if request.offers:
                first = request.offers[0].value
                return await desk.advance(desk.event("answer", request=request.id, values={"offer": first}))
            case "ask":
                name = request.fields[0].name
                return await desk.advance(desk.event("answer", request=request.id, values={name: self.values[name]}))
            case "confirm":
                return await desk.advance(desk.event("answer", request=request.id, values={"confirm": "yes"}))
            case "approve":
                return await self._decided(outcome, request)
            case "hold":
                desk.backoffice.faults.clear()
                return await desk.advance(desk.event("retry", request=request.id))
            case "park":
                desk.backoffice.faults.clear()
                unpaid = desk.event("settle", ZHOU, request=request.id, values={"outcome": "unpaid"}, reason="looked")
                return await desk.advance(unpaid)
            case "wait" if request.step.id in self.given.says:
                return await desk.say(self.given.says[request.step.id].zh)
            case _ if outcome.timers:
                timer = outcome.timers[0].id
                return await desk.advance(desk.event("timer", CLOCK, id=f"timer:{timer}", timer=timer))
            case kind:
                raise AssertionError(f"{self.name} waits at {request.step.id} for {kind}: say in `walk.py` how it goes on")

    async def _decided(self, outcome: Outcome, request: RequestView) -> Outcome:
        if request.step.id in self.given.rejects and request.id.endswith("/1"):
            return await self.desk.decide(outcome, "reject", self.decider(request), reason="超过政策上限")
        option = next((each for each in request.options if each.id == self.given.decides.get(request.step.id)), None)
        if option is None:
            return await self.desk.decide(outcome, actor=self.decider(request))
        decision = self.desk.decision(outcome, option.verdict, self.decider(request), reason="looked at")
        return await self.desk.advance(decision.model_copy(update={"values": {"option": option.id}}))

    def decider(self, request: RequestView) -> Actor:
        """The first person who may decide."""
        listed = self.desk.engine.library.words.authority.listed(request.level or "")
        person = next(each for each in listed if each not in request.barred)
        return Actor(id=person, name=person)

    def reads(self) -> Counter[str]:
        """What was read of the back office, with what it was asked for, and how often it answered."""
        answered = [call for call in self.desk.backoffice.calls if call.method == "GET" and not call.struck]
        asked = [call for call in answered if not any(part in call.path for part in self.given.reread)]
        return Counter(f"{call.path}?{call.query}" for call in asked)

    def writes(self) -> Counter[str]:
        """What was written to the back office, and how often."""
        calls = self.desk.backoffice.calls
        return Counter(f"{call.method} {call.path}" for call in calls if call.method != "GET" and not call.struck)

    def read_again(self, base: Counter[str]) -> list[str]:
        """What was read more than once; as often as in `base` is no more than the procedure wants."""
        return [call for call, times in self.reads().items() if times > max(1, base[call])]


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
