"""Sitting the exam: each utterance goes through the same two doors as in production, `understand` and `extract`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import ValidationError

from graph.errors import SopMistakes
from graph.exam.cases import Case, Outline
from graph.exam.forms import MODES, plain
from graph.exam.guesses import guessed
from graph.exam.marks import Mark, Report, mark
from graph.fields import FieldSpec, parse
from graph.llm import Llm
from graph.model import Fact
from graph.reading import Reading, SopCard, Understood, extract, understand


@dataclass(frozen=True)
class Candidate:
    """What is examined: the desk's procedures and fields, with a model (`name`) or without one."""

    sops: Sequence[SopCard]
    fields: Mapping[str, FieldSpec]
    llm: Llm | None = None
    name: str | None = None
    at_once: int = 4


async def sit(candidate: Candidate, cases: Sequence[Case]) -> Report:
    """The report of all cases. SopMistakes names what a case asks for and the desk does not have."""
    mistakes = [mistake for case in cases for mistake in _mistakes(candidate, case)]
    if mistakes:
        raise SopMistakes(mistakes)
    gate = asyncio.Semaphore(candidate.at_once)

    async def one(case: Case) -> tuple[list[Mark], int]:
        async with gate:
            return await _Desk(candidate, case).marks()

    sat = await asyncio.gather(*(one(case) for case in cases))
    marks = [each for found, _ in sat for each in found]
    return Report.of(candidate.name, cases, marks, sum(calls for _, calls in sat))


class _Desk:
    """One utterance at the desk."""

    def __init__(self, candidate: Candidate, case: Case) -> None:
        self.candidate, self.case = candidate, case
        self.today = case.context.today or date.today()

    async def marks(self) -> tuple[list[Mark], int]:
        """The marks, and how many calls of the model they took."""
        case, calls = self.case, 0
        first = None
        if case.route is not None or case.context.asked is None:
            first = await understand(case.text, self._cards(), self.candidate.llm, today=self.today)
            calls += first.reading.model_calls
        found = [self._routed(first)] if case.route is not None and first is not None else []
        if case.want:
            reading = first.reading if first is not None and first.mode == "sop" else None
            if reading is None or case.context.asked is not None:
                reading = await self._answer()
                calls += reading.model_calls
            why = {problem.field: problem.code for problem in reversed(reading.problems)}
            beside = reading.problems[0].code if reading.stray else ""
            found += [
                mark(case, name, want, reading.fields.get(name), why.get(name, beside)) for name, want in case.want.items()
            ]
        return found, calls

    async def _answer(self) -> Reading:
        """The words as an answer: to the fields just asked for, else to those that the case looks at."""
        case = self.case
        asked = case.context.asked if case.context.asked is not None else tuple(case.want)
        known = {name: parse(self._spec(name), str(value), today=self.today) for name, value in case.context.known.items()}
        facts = {name: fact for name, fact in known.items() if isinstance(fact, Fact)}
        told = [self._spec(name) for name in {**dict.fromkeys(asked), **known}]
        specs = [self._spec(name) for name in asked]
        llm, today, talking = self.candidate.llm, self.today, self._talking()
        return await extract(case.text, specs, None, llm, known=facts, told=told, today=today, talking=talking)

    def _talking(self) -> bool:
        """Whether the open procedure has nothing to be approved; its answers may then hold other talk."""
        open_ = next((card for card in self.candidate.sops if card.name == self.case.context.sop), None)
        return open_ is not None and not open_.approved

    def _routed(self, first: Understood) -> Mark:
        case, got = self.case, first.sop if first.mode == "sop" and first.sop else first.mode
        names = {plain(name) for card in self._cards() if card.name == first.sop for name in _names(card)} or {first.mode}
        right = any(MODES.get(plain(route), plain(route)) in names for route in case.routes)
        return Mark(
            file=case.file,
            line=case.line,
            text=case.text,
            lang=case.lang,
            field="route",
            verdict="routed" if right else "astray",
            want=list(case.routes) if len(case.routes) > 1 else case.routes[0],
            got=got,
            why="" if right else ", ".join(first.choices),
        )

    def _cards(self) -> list[SopCard]:
        context, desk = self.case.context, {card.name: card for card in self.candidate.sops}
        if context.sops is not None:
            return [self._card(outline, desk) for outline in context.sops]
        if context.sop is not None and self.case.route is None and context.sop in desk:
            return [desk[context.sop]]
        return list(desk.values())

    def _card(self, outline: Outline, desk: Mapping[str, SopCard]) -> SopCard:
        if not outline.title.zh and outline.name in desk:
            return desk[outline.name]
        fields = outline.fields or (tuple(self.case.want) if outline.name == self.case.context.sop else ())
        return SopCard(
            name=outline.name,
            title=outline.title,
            description=outline.description,
            fields=tuple(self._spec(name) for name in fields),
        )

    def _spec(self, name: str) -> FieldSpec:
        defined = self.case.context.definitions.get(name)
        if defined and "type" in defined:
            return FieldSpec.model_validate({"label": {"zh": name, "en": name}, **defined, "name": name})
        spec = self.candidate.fields.get(name) or guessed(name)
        if spec is None:
            known = ", ".join(sorted(self.candidate.fields))
            raise LookupError(f"{name!r} is no field of this desk: {known}; give its definition in the context")
        return spec


def _names(card: SopCard) -> set[str]:
    return {card.name, card.title.zh, card.title.en}


def _mistakes(candidate: Candidate, case: Case) -> list[str]:
    desk = _Desk(candidate, case)
    context, found = case.context, []
    for name in {**dict.fromkeys(case.want), **dict.fromkeys(context.asked or ()), **dict.fromkeys(context.known)}:
        try:
            desk._spec(name)
        except (LookupError, ValidationError) as error:
            found.append(f"{case.file}:{case.line}: {error.args[0] if isinstance(error, LookupError) else error}")
    names = {card.name for card in candidate.sops}
    for outline in context.sops or ():
        if not outline.title.zh and outline.name not in names:
            found.append(f"{case.file}:{case.line}: sops: {outline.name!r} has no title, and is no procedure of this desk")
    return found
