"""`approve`: the tier by amount decides the level. A decision is bound to what it decided (law 7)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from graph.context import Context
from graph.model import Event, Fact, Goto, Move, Next, Reply, Request, Stay, Stop, Text, TrailEntry
from graph.model.events import ReplyCode
from graph.phrases import both, text
from graph.steps.asking import closed, known
from graph.steps.base import ByCode, StepKind, StepSpec, Targets


class Tier(BaseModel):
    """Amounts up to `max` (in the amount's own currency; without `max`, all) are decided at `level`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max: Decimal | None = Field(default=None, gt=0)
    level: str


class ApproveSpec(StepSpec):
    """`tiers` in rising order; `amount` names the fact they look at."""

    kind: Literal["approve"]
    tiers: tuple[Tier, ...] = Field(min_length=1)
    on_reject: Targets | None = None
    on_approve: Targets | None = None
    amount: str = "amount"

    def own_reads(self) -> tuple[str, ...]:
        """The amount."""
        return (self.amount,)

    def writes(self) -> tuple[str, ...]:
        """Who approved."""
        return ("approver", "approved_by")

    def targets(self) -> dict[str, ByCode]:
        """Where decisions lead."""
        given = {"on_reject": self.on_reject, "on_approve": self.on_approve}
        return {key: value for key, value in given.items() if value is not None}


class Approve(StepKind[ApproveSpec]):
    """The kind `approve`."""

    name = "approve"
    spec = ApproveSpec
    pauses = True
    binds = True

    async def run(self, spec: ApproveSpec, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Find the tier; `auto` goes on, every other waits for its level. No tier: the money stays."""
        amount = facts.get(spec.amount)
        if amount is None or amount.type != "money" or amount.value is None or amount.decimal() <= 0:
            return _stop(spec, ctx, "engine.no_amount")
        tier = next((each for each in spec.tiers if each.max is None or amount.decimal() <= each.max), None)
        if tier is None:
            return _stop(spec, ctx, "engine.tier_gap")
        if tier.level == "auto":
            entry = TrailEntry(step=spec.id, what="auto", at=ctx.now, by="System", level="auto")
            # Whoever approved another amount before has not approved this one.
            return Next(set={"approver": _word("System", "System", ctx)}, drop=["approved_by"], trail=[entry])
        ahead = [name for name in ctx.services.ahead(spec.id) if name in facts]
        reads = list(dict.fromkeys((spec.amount, *ahead)))
        request = Request(
            id=ctx.services.next_request(spec.id),
            kind="approve",
            step=spec.id,
            made_at=ctx.now,
            level=tier.level,
            amount=amount,
            reads=reads,
            digest=ctx.services.digest(reads, facts),
            routes=ctx.services.routes(spec.id, facts),
            facts=known(facts),
            error=None if ctx.authority.has_anyone(tier.level, barred(reads, facts, ctx)) else "nobody",
        )
        return Stay(
            request=request, trail=[TrailEntry(step=spec.id, what="ask", at=ctx.now, level=tier.level, fields=reads)]
        )

    async def answered(
        self, spec: ApproveSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """Approved: on, with the level and the person as facts. Rejected: back, with the named facts forgotten."""
        level = request.level or ""
        if event.verdict == "approve":
            entry = TrailEntry(step=spec.id, what="approve", at=ctx.now, by=ctx.actor.id, level=level)
            given = {"approver": _word(level, ctx.actor.id, ctx), "approved_by": _word(ctx.actor.id, ctx.actor.id, ctx)}
            ending = closed(request, event, ctx, "approved")
            target = spec.on_approve.of(level) if spec.on_approve else None
            if target is not None:
                return Goto(to=target.goto, drop=list(target.reset), set=given, trail=[entry], closed=ending)
            return Next(set=given, trail=[entry], closed=ending)
        back = spec.on_reject.of(level) if spec.on_reject else None
        entry = TrailEntry(
            step=spec.id,
            what="reject",
            at=ctx.now,
            by=ctx.actor.id,
            level=level,
            reason=event.reason,
            goto=back.goto if back else None,
            fields=list(back.reset) if back else [],
        )
        ending = closed(request, event, ctx, "rejected", reason=event.reason)
        if back is None:
            return Stop(
                step=spec.id,
                why=text("engine.rejected", level=_label(level, ctx), reason=both(event.reason)),
                next=text("engine.rejected_next"),
                trail=[entry],
                closed=ending,
            )
        return Goto(to=back.goto, drop=list(back.reset), trail=[entry], closed=ending)

    def refusal(
        self, spec: ApproveSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Reply | None:
        """Only a listed person of the level or above, who set none of the facts, decides on unchanged facts."""
        code: ReplyCode = ""
        if event.kind != "decision":
            return Reply(kind="note", code="stale", to=event.actor.id)
        if not ctx.authority.may_decide(request.level or "", event.actor):
            code = "not_listed"
        elif event.actor.id in barred(request.reads, facts, ctx):
            code = "own_facts"
        elif request.digest != ctx.services.digest(request.reads, facts):
            code = "changed"
        elif event.verdict != "approve" and not event.reason.strip():
            code = "no_reason"
        if not code:
            return None
        level = _label(request.level or "", ctx)
        return Reply(
            kind="refused",
            code=code,
            to=event.actor.id,
            private=True,
            values={"level": level.zh, "level_en": level.en},
        )


def setters(reads: list[str], facts: Mapping[str, Fact]) -> set[str]:
    """The people who supplied any of these facts; none of them decides."""
    found = {facts[name].by or "" for name in reads if name in facts}
    return {person for person in found if person and not person.startswith("tool:") and person != "System"}


def barred(reads: list[str], facts: Mapping[str, Fact], ctx: Context) -> set[str]:
    """Who may not decide, though listed: whoever supplied a fact, and whose case it is."""
    return setters(reads, facts) | {ctx.owner.id, ctx.opener.id}


def _word(value: str, by: str, ctx: Context) -> Fact:
    return Fact(type="text", value=value, by=by, at=ctx.now)


def _label(level: str, ctx: Context) -> Text:
    known = ctx.authority.levels.get(level)
    return known.label if known else both(level)


def _stop(spec: ApproveSpec, ctx: Context, key: str) -> Stop:
    return Stop(
        step=spec.id,
        why=text(key, name=spec.amount),
        next=text("engine.missing_fact_next"),
        trail=[TrailEntry(step=spec.id, what="stop", at=ctx.now, reason=key.partition(".")[2])],
    )
