"""Asking for fields and taking the answer: shared by every kind that may lack something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.context import Context
from graph.fields import FieldSpec, masked_quote, parse, shown
from graph.masking import masked_fact
from graph.model import ClosedRequest, Event, Fact, Problem, Request, Stay, Text, TrailEntry
from graph.model.requests import Ending
from graph.reading.listening import listen


@dataclass(frozen=True)
class Taken:
    """What an answer gave: facts, what stood against others, and how often the model was asked."""

    facts: dict[str, Fact]
    problems: list[Problem]
    model_calls: int


def ask_for(
    step: str,
    missing: Sequence[str],
    ctx: Context,
    *,
    prompt: Text | None = None,
    problems: Sequence[Problem] = (),
) -> Request:
    """A request for these fields."""
    return Request(
        id=ctx.services.next_request(step),
        kind="ask",
        step=step,
        made_at=ctx.now,
        missing=list(missing),
        prompt=prompt,
        problems=[problem for problem in problems if problem.field in missing],
    )


async def take(request: Request, event: Event, ctx: Context, names: Sequence[str] | None = None) -> Taken:
    """The fields that an event brings: values of a form or a button, or words read with evidence."""
    wanted = [ctx.fields[name] for name in (request.missing if names is None else names)]
    if event.kind == "message":
        reading = await ctx.services.read(event.text, wanted, request.prompt)
        facts = {name: _signed(fact, ctx) for name, fact in reading.fields.items()}
        return Taken(facts, list(reading.problems), reading.model_calls)
    facts, problems = {}, []
    for spec in wanted:
        raw = event.values.get(spec.name, "").strip()
        if not raw:
            continue
        parsed = parse(spec, raw)
        if isinstance(parsed, Problem):
            problems.append(parsed)
        else:
            quote = event.quotes.get(spec.name) or parsed.quote or raw
            facts[spec.name] = _signed(parsed.model_copy(update={"quote": quote}), ctx)
    return Taken(facts, problems, 0)


async def hear(request: Request, event: Event, ctx: Context, answers: Sequence[str], listened: Sequence[str]) -> Taken:
    """What words tell while nothing is asked: `answers` only where the message is about nothing else, for they may end the
    wait; `listened` also by the way. No problem is made of the rest."""
    taken = await take(request, event, ctx, tuple(dict.fromkeys((*answers, *listened))))
    told = listen(event.text, [ctx.fields[name] for name in listened if name not in taken.facts])
    facts = {**taken.facts, **{name: _signed(fact, ctx) for name, fact in told.items()}}
    return Taken(facts, [], taken.model_calls)


def closed(
    request: Request,
    event: Event,
    ctx: Context,
    ending: Ending,
    *,
    answer: str = "",
    reason: str = "",
    acting_for: str = "",
) -> ClosedRequest:
    """The record of how `request` ended. `acting_for` names the approver in whose place it was decided."""
    acts = event.kind != "decision" and ending in ("answered", "withdrawn", "replaced")
    return ClosedRequest(
        request=request,
        ending=ending,
        by=ctx.actor.id,
        name=ctx.actor.name,
        at=ctx.now,
        event=event.id,
        answer=answer,
        reason=reason,
        acting_for=ctx.owner.name if acts and ctx.actor.id != ctx.owner.id else acting_for,
    )


def answer_shown(facts: Mapping[str, Fact], fields: Mapping[str, FieldSpec], ctx: Context) -> str:
    """The answer as the thread may see it, in the thread's language."""
    comma = "，" if ctx.lang == "zh" else ", "
    return comma.join(shown(fields[name], fact).in_(ctx.lang) for name, fact in facts.items())


def answer_entry(step: str, taken: Taken, ctx: Context) -> TrailEntry:
    """The trail's line for an answer; sensitive values and their words are masked."""
    values = {
        name: shown(ctx.fields[name], fact).in_(ctx.lang) if ctx.fields[name].sensitive else fact.plain()
        for name, fact in taken.facts.items()
    }
    quotes = [masked_quote(ctx.fields[name], fact.quote or "") for name, fact in taken.facts.items()]
    return TrailEntry(
        step=step,
        what="answer",
        at=ctx.now,
        by=ctx.actor.id,
        fields=list(taken.facts),
        values=values,
        reason=" · ".join(dict.fromkeys(quote for quote in quotes if quote)),
    )


def _signed(fact: Fact, ctx: Context) -> Fact:
    return fact.model_copy(update={"by": ctx.actor.id, "at": ctx.now})


def known(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """What is known now, masked: a request's card shows it for good, whatever changes later."""
    return {name: masked_fact(fact) for name, fact in facts.items()}


def missing_of(names: Sequence[str], facts: Mapping[str, Fact]) -> list[str]:
    """The names that no fact has a value for."""
    return [name for name in names if name not in facts or facts[name].value in (None, "")]


def stay(request: Request, ctx: Context, taken: Taken | None = None, *, closing: ClosedRequest | None = None) -> Stay:
    """Wait for `request`, keeping what an answer gave."""
    trail = [answer_entry(request.step, taken, ctx)] if taken and taken.facts else []
    trail.append(TrailEntry(step=request.step, what="ask", at=ctx.now, fields=request.missing))
    return Stay(
        request=request,
        set=taken.facts if taken else {},
        trail=trail,
        closed=closing,
        model_calls=taken.model_calls if taken else 0,
    )
