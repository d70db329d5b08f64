"""Approving another amount than was asked: amount and decision are one move (item 4 of approvals)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from graph.authority import judge
from graph.context import Context
from graph.errors import MissingFact
from graph.fields import FieldSpec, parse
from graph.model import Event, Fact, Goto, Grant, JsonValue, Next, Problem, Reply, Request, Text, TrailEntry
from graph.phrases import both, fact_money, problem_text, text
from graph.steps.approval_request import kept_out
from graph.steps.asking import closed
from graph.steps.base import Targets
from graph.steps.commit import commit, onward
from graph.steps.inquiry import passed_on
from graph.steps.tiers import Cumulative, Limited, level_for
from graph.steps.votes import acting_for


class Priced(Protocol):
    """What this needs of an `approve` step."""

    @property
    def id(self) -> str: ...
    @property
    def amount(self) -> str: ...
    @property
    def tiers(self) -> Sequence[Limited]: ...
    @property
    def cumulative(self) -> Cumulative | None: ...
    @property
    def separate(self) -> bool: ...
    @property
    def on_approve(self) -> Targets | None: ...


def other_amount(event: Event) -> str:
    """The amount that a decision names; empty when it names none."""
    return event.values.get("amount", "").strip() if event.kind == "decision" and event.verdict == "approve" else ""


def read_amount(raw: str, asked: Fact, spec: FieldSpec | None, name: str) -> Fact | Text:
    """The amount as a fact, or why it is not one: it is positive, in the currency that was asked, and not above it."""
    field = spec or FieldSpec(name=name, type="money", label=Text(zh=name, en=name), currency=asked.currency)
    # An amount that the field itself would not take is told so by its own bounds.
    found = parse(field.model_copy(update={"currency": asked.currency}), raw)
    if isinstance(found, Problem):
        return problem_text(found, field.label)
    if found.currency != asked.currency:
        return text("approving.currency", currency=asked.currency or "")
    if found.decimal() <= 0:
        return text("approving.not_positive")
    if found.decimal() > asked.decimal():
        return text("forms.not_above", amount=fact_money(asked))
    return Fact(type="money", value=found.value, currency=found.currency)


def named(spec: Priced, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context) -> Fact | None:
    """The other amount that a decision names; None where it names none, or the very amount of the request."""
    found = _read(spec, facts, event, ctx)
    return found if isinstance(found, Fact) and not _is_asked(found, request) else None


def wanted(spec: Priced, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context) -> bool:
    """Whether a decision is meant for another amount than the request's, also where it names none that can be read."""
    found = _read(spec, facts, event, ctx)
    return isinstance(found, Text) or (found is not None and not _is_asked(found, request))


def _read(spec: Priced, facts: Mapping[str, Fact], event: Event, ctx: Context) -> Fact | Text | None:
    raw = other_amount(event) if spec.amount in facts else ""
    return read_amount(raw, facts[spec.amount], ctx.fields.get(spec.amount), spec.amount) if raw else None


def _is_asked(found: Fact, request: Request) -> bool:
    return request.amount is not None and found.decimal() == request.amount.decimal()


def refusal(
    spec: Priced, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
) -> Reply | None:
    """Why another amount cannot be approved: it is none, a rule stands against it, or too few would be left to decide."""
    other = _read(spec, facts, event, ctx)
    if other is None:
        return None
    if not isinstance(other, Fact):
        return Reply(kind="refused", code="amount", to=event.actor.id, private=True, text=other)
    why = _stands_against(spec.id, {**facts, spec.amount: other}, ctx) or _too_few(spec, facts, request, event, ctx)
    return None if why is None else Reply(kind="refused", code="against", to=event.actor.id, private=True, text=why)


def covered(spec: Priced, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context) -> list[str]:
    """The levels for which this decision counts: that of the request, for which it was judged, those below it, and those
    above whose tiers this person may decide alone. The right of somebody who is barred counts no more than their own click
    would; where several must approve above, votes that were counted for a lower level are none."""
    out = kept_out(request, facts, ctx.opener.id, ctx.owners, separate=spec.separate)
    able = [
        each
        for each in ctx.authority.levels
        if (ctx.authority.quorum(each) <= 1 or ctx.authority.covers(request.level or "", each))
        and not judge(ctx.authority, each, event.actor, out, (), event.at, event.verdict).code
    ]
    return ["auto", request.level or "", *able]


def _too_few(spec: Priced, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context) -> Text | None:
    """That nobody could approve the amount any more: where several must, whoever has named it is not one of them."""
    other = named(spec, facts, request, event, ctx) if request.quorum > 1 and spec.separate else None
    if other is None:
        return None
    out = {*kept_out(request, facts, ctx.opener.id, ctx.owners, separate=True), event.actor.id}
    tier = level_for(spec.tiers, other.decimal())
    # Of an amount that nobody would have to approve the others are asked where the first one was.
    level = tier if tier not in (None, "auto") else request.level
    return None if ctx.authority.has_anyone(level or "", out) else text("approving.nobody_else")


def _stands_against(step: str, facts: Mapping[str, Fact], ctx: Context) -> Text | None:
    """Why the rules of the checks before `step` do not let these facts pass; None when they do."""
    for name in ctx.services.rules_before(step):
        try:
            against = ctx.rules[name].judge(facts)
        except MissingFact as missing:
            return text("engine.missing_fact", name=missing.name)
        if against is not None:
            return against.why
    return None


async def decide_on(
    spec: Priced, facts: Mapping[str, Fact], request: Request, amount: Fact, event: Event, ctx: Context
) -> Goto:
    """Go over the steps that depend on the amount with the new one. Where the person's rank covers its tier the approval
    goes with it and counts once they are passed (`carried`); else a new request is made at that tier. So it is where
    several must approve: whoever named the amount has set a fact, and others decide. What a person decided is never
    automatic."""
    level, told = request.level or "", amount.model_copy(update={"by": ctx.actor.id, "at": ctx.now})
    new = {**facts, spec.amount: told}
    higher = await commit(
        spec.tiers, spec.cumulative, told, spec.id, new, ctx, covered=covered(spec, facts, request, event, ctx), level=level
    )
    others = [name for name in request.reads if name != spec.amount]
    stands = higher is None and request.quorum <= 1
    if stands:
        bound = ctx.commits.digests(others, facts)
        ctx.commits.grant(spec.id, Grant(actor=ctx.actor, level=level, amount=told, event=event.id, bound=bound))
    said = fact_money(told)
    entry = TrailEntry(
        step=spec.id,
        what="approve" if stands else "raised",
        at=ctx.now,
        by=ctx.actor.id,
        level=higher.level if higher is not None else level,
        reason=event.reason,
        values={spec.amount: told.plain()},
        acting_for=acting_for(request),
    )
    ending = closed(
        request,
        event,
        ctx,
        "approved" if stands else "replaced",
        answer=said,
        reason=event.reason,
        acting_for=acting_for(request),
    )
    given = {spec.amount: told} | (_approver(level, ctx.actor.id, ctx) if stands else {})
    again = ctx.services.correct({spec.amount: told})
    # Of an amount that nobody would have to approve the others are asked where the first one was.
    asked: dict[str, JsonValue] = {_note(spec.id): {"amount": told.essence(), "level": level}}
    notes = {} if stands else {**passed_on(request), **asked}
    return Goto(to=again, again=False, set=given, trail=[entry], closed=ending, notes=notes)


def asked_at(spec: Priced, amount: Fact, ctx: Context) -> str:
    """The level at which the others are asked of an amount that an approver has named, though it would need nobody; ''
    where nobody has named it."""
    kept = ctx.services.notes().get(_note(spec.id))
    if not isinstance(kept, dict) or kept["amount"] != amount.essence():
        return ""
    levels = [each.level for each in spec.tiers if each.level != "auto"]
    return next((each for each in levels if each == kept["level"]), levels[0] if levels else "")


async def raised(
    spec: Priced, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
) -> Goto | None:
    """Put what is approved at stake. Where so much has come beside it that its tier is beyond this person, a new request
    goes to that tier; None when it stands."""
    amount = facts.get(spec.amount)
    if amount is None or request.amount is None:
        return None
    higher = await commit(
        spec.tiers,
        spec.cumulative,
        amount,
        spec.id,
        facts,
        ctx,
        covered=covered(spec, facts, request, event, ctx),
        level=request.level or "",
    )
    if higher is None:
        return None
    entry = TrailEntry(step=spec.id, what="raised", at=ctx.now, by=ctx.actor.id, level=higher.level)
    label = ctx.authority.levels[higher.level].label if higher.level in ctx.authority.levels else both("-")
    told = Reply(
        kind="note", code="raised", to=ctx.actor.id, private=True, values={"level": label.zh, "level_en": label.en}
    )
    ending = closed(request, event, ctx, "passed")
    return Goto(to=spec.id, again=False, trail=[entry], closed=ending, replies=[told], notes=passed_on(request))


def carried(spec: Priced, facts: Mapping[str, Fact], ctx: Context) -> Next | Goto | None:
    """The approval of another amount, come to its step with the facts it was given for: on, or where approving leads; None
    without one. A fact that the new amount made needless may be gone, one that it made necessary may have come; none may
    differ."""
    grant = ctx.commits.granted(spec.id)
    if grant is None:
        return None
    ctx.commits.grant(spec.id, None)
    amount = facts.get(spec.amount)
    now = ctx.commits.digests(list(grant.bound), facts)
    if amount is None or amount.essence() != grant.amount.essence():
        return None
    if any(now[name] != digest for name, digest in grant.bound.items() if name in now):
        return None
    return onward(spec.on_approve, grant.level, Next(set=_approver(grant.level, grant.actor.id, ctx)))


def _note(step: str) -> str:
    return f"named.{step}"


def _approver(level: str, person: str, ctx: Context) -> dict[str, Fact]:
    return {
        "approver": Fact(type="text", value=level, by=person, at=ctx.now),
        "approved_by": Fact(type="text", value=person, by=person, at=ctx.now),
    }
