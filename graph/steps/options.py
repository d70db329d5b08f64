"""The ways to decide that an approval offers beside a plain yes and no: data of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from graph.context import Context
from graph.model import Event, Fact, Goto, Option, Request, TrailEntry
from graph.model.events import Verdict
from graph.phrases import both
from graph.steps.asking import closed
from graph.steps.base import Argument, FactName, StepId, Transition, Words, surely
from graph.steps.book import granted
from graph.steps.votes import acting_for


class OptionSpec(BaseModel):
    """One button: where it leads is the first of `on` that surely holds; where none does, it is not offered."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    id: StepId
    label: Words = Field(description="the button's words")
    verdict: Verdict = Field(default="approve", description="what it counts as: approve or reject")
    on: Annotated[tuple[Transition, ...], Field(min_length=1, description="where it leads; the first that holds counts")]
    set: dict[FactName, Argument] = Field(default={}, description="facts that the decision makes known")

    def way(self, facts: Mapping[str, Fact]) -> Transition | None:
        """Where it leads now; None where it may not be offered."""
        return next((each for each in self.on if surely(each.when, facts)), None)


def offers(options: Sequence[OptionSpec], facts: Mapping[str, Fact]) -> list[Option]:
    """The buttons that the card shows."""
    return [
        Option(id=each.id, label=both(each.label.zh or each.label.en, each.label.en or each.label.zh), verdict=each.verdict)
        for each in options
        if each.way(facts)
    ]


def chosen(options: Sequence[OptionSpec], request: Request, event: Event) -> OptionSpec | None:
    """The option that an event decides for: the one it names, else the first offered one of its verdict."""
    shown = [each for each in options if each.id in {offer.id for offer in request.options}]
    named = event.values.get("option")
    if named:
        return next((each for each in shown if each.id == named and each.verdict == event.verdict), None)
    return next((each for each in shown if each.verdict == event.verdict), None)


def decided(
    option: OptionSpec,
    way: Transition,
    facts: Mapping[str, Fact],
    request: Request,
    event: Event,
    ctx: Context,
    people: Sequence[str],
) -> Goto:
    """Where an option leads, what it makes known and, where it approves, a fresh count of tries. `people` decided."""
    level, who = request.level or "", ctx.actor.id
    approves = option.verdict == "approve"
    by = {"by": who, "at": ctx.now}
    given = {name: each.value(facts).model_copy(update=by) for name, each in option.set.items()}
    if approves:
        given |= {name: Fact(type="text", value=value, by=who, at=ctx.now) for name, value in _approved(level, people)}
    entry = TrailEntry(
        step=request.step,
        what="approve" if approves else "reject",
        at=ctx.now,
        by=who,
        level=level,
        reason=event.reason,
        goto=way.goto,
        fields=list(way.reset),
        values={"option": option.id},
        acting_for=acting_for(request),
    )
    ending = closed(
        request,
        event,
        ctx,
        "approved" if approves else "rejected",
        answer=option.label.in_(ctx.lang) or option.id,
        reason=event.reason,
        acting_for=acting_for(request),
    )
    notes = granted(ctx) if approves else {}
    return Goto(to=way.goto, drop=list(way.reset), set=given, trail=[entry], closed=ending, notes=notes)


def _approved(level: str, people: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return (("approver", level), ("approved_by", ", ".join(people)))
