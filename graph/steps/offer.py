"""`offer`: what a tool found is laid out, and a person takes one of it, or goes on without."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from graph.context import Context
from graph.errors import MissingFact
from graph.fields.cues import denied_before
from graph.fields.words import Source
from graph.model import Event, Fact, JsonValue, Move, Next, Offered, Problem, Request, Stay, TrailEntry
from graph.reading.offers import picked
from graph.steps.asking import closed
from graph.steps.base import Argument, FactName, StepKind, StepSpec, Words

_ANSWER, _WITHOUT = "offer", "-"
"""The name of what a button answers, and its value for going on without taking anything."""


class Without(BaseModel):
    """Going on without taking anything: the button's label, and words that say as much."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    label: Words = Field(description="what the button says")
    cues: tuple[str, ...] = Field(default=(), description="words that say as much")


class OfferSpec(StepSpec):
    """`of` is the list of records that is laid out; `value`, `label` and `note` name the parts of a record by which it is
    known, that is its name, and that is said beside it. What is taken becomes the fact `save_as`. `remark` is shown before
    the list, `none` instead of `prompt` where it is empty."""

    kind: Literal["offer"]
    of: Argument = Field(description="the list of records that is laid out, such as recommended.plans")
    value: str = Field(description="the part of a record by which it is known")
    label: str = Field(description="the part of a record that is its name")
    note: str = Field(default="", description="the part of a record that is said beside it")
    save_as: FactName = Field(description="the fact that the record becomes which is taken")
    prompt: Words = Field(description="what is said to the list")
    remark: Argument | None = Field(default=None, description="a text to be shown before the list")
    without: Without | None = Field(default=None, description="how to go on without taking anything")
    none: Words = Field(description="what is said where the list is empty")

    def own_reads(self) -> tuple[str, ...]:
        """The list, and the remark."""
        return tuple(dict.fromkeys((*self.of.names, *(self.remark.names if self.remark else ()))))

    def writes(self) -> tuple[str, ...]:
        """What is taken."""
        return (self.save_as,)


class Offer(StepKind[OfferSpec]):
    """The kind `offer`."""

    name = "offer"
    spec = OfferSpec
    pauses = True

    async def run(self, spec: OfferSpec, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Lay the list out and wait, also where it is empty: a correction may fill it."""
        return _laid_out(spec, facts, ctx, [])

    async def answered(
        self, spec: OfferSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """One is taken: on. None, in so many words: on without. Anything else: laid out anew, with what was wrong."""
        told = event.text if event.kind == "message" else event.values.get(_ANSWER, "")
        said = picked(told, request.offers) if event.kind == "message" else None
        values = said.values if said else tuple(each.value for each in request.offers if each.value == told)
        if len(values) == 1:
            return _taken(spec, facts, request, values[0], event, ctx)
        if spec.without and not values and _without(spec.without, told, event):
            label = spec.without.label.in_(ctx.lang)
            entry = TrailEntry(step=spec.id, what="answer", at=ctx.now, by=ctx.actor.id, reason=label)
            return Next(trail=[entry], closed=closed(request, event, ctx, "answered", answer=label))
        code: Literal["several", "denied", "unreadable"] = "several" if values else "unreadable"
        if said and said.denied and not values:
            code = "denied"
        problem = Problem(field=spec.save_as, code=code, quote=told[:80], candidates=list(values))
        again = _laid_out(spec, facts, ctx, [problem])
        return again.model_copy(update={"closed": closed(request, event, ctx, "answered")})


def _laid_out(spec: OfferSpec, facts: Mapping[str, Fact], ctx: Context, problems: list[Problem]) -> Stay:
    found = spec.of.value(facts)
    records = found.value if isinstance(found.value, list) else []
    offers = [
        Offered(value=_word(each, spec.value), label=_word(each, spec.label), note=_word(each, spec.note))
        for each in records
    ]
    request = Request(
        id=ctx.services.next_request(spec.id),
        kind="ask",
        step=spec.id,
        made_at=ctx.now,
        missing=[spec.save_as],
        prompt=spec.prompt if offers else spec.none,
        problems=problems,
        offers=offers,
        remark=_remark(spec, facts),
        without=spec.without.label if spec.without and offers else None,
    )
    return Stay(request=request, trail=[TrailEntry(step=spec.id, what="ask", at=ctx.now, fields=[spec.save_as])])


def _remark(spec: OfferSpec, facts: Mapping[str, Fact]) -> str:
    try:
        return str(spec.remark.value(facts).value) if spec.remark else ""
    except MissingFact:
        return ""


def _word(record: Fact, name: str) -> str:
    part = record.at_path(name) if name else None
    return "" if part is None else str(part.plain())


def _taken(
    spec: OfferSpec, facts: Mapping[str, Fact], request: Request, value: str, event: Event, ctx: Context
) -> Next:
    found = spec.of.value(facts)
    records = found.value if isinstance(found.value, list) else []
    record = next(each for each in records if _word(each, spec.value) == value)
    label = _word(record, spec.label)
    quote = event.text if event.kind == "message" else label
    fact = record.model_copy(update={"by": ctx.actor.id, "at": ctx.now, "quote": quote})
    values: dict[str, JsonValue] = {spec.save_as: label}
    entry = TrailEntry(
        step=spec.id, what="answer", at=ctx.now, by=ctx.actor.id, fields=[spec.save_as], values=values, reason=quote
    )
    return Next(set={spec.save_as: fact}, trail=[entry], closed=closed(request, event, ctx, "answered", answer=label))


def _without(without: Without, told: str, event: Event) -> bool:
    if event.kind != "message":
        return told == _WITHOUT
    norm = Source(told).norm
    hits = [
        match.start()
        for cue in (*without.cues, without.label.zh, without.label.en)
        for match in (re.finditer(_bounded(cue.lower()), norm) if cue else ())
    ]
    return bool(hits) and not all(denied_before(norm, at) for at in hits)


def _bounded(word: str) -> str:
    return rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() else re.escape(word)
