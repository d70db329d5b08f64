"""`approve`: the tier by amount decides the level. A decision is bound to what it decided (law 7)."""

from __future__ import annotations

from collections.abc import Mapping

from graph.authority import Judgement, counting, judge
from graph.context import Context
from graph.model import (
    ANOTHER_AMOUNT,
    Beside,
    Event,
    Fact,
    Goto,
    Move,
    Next,
    Reply,
    Request,
    Stay,
    Stop,
    Text,
    TrailEntry,
)
from graph.phrases import both, text
from graph.steps import another, clocks, inquiry, resubmit
from graph.steps.approval_request import approval_request, kept_out
from graph.steps.approve_spec import ApproveSpec, Tier
from graph.steps.asking import closed
from graph.steps.base import StepKind
from graph.steps.commit import bound, commit, onward
from graph.steps.options import chosen, decided
from graph.steps.votes import acting_for, not_yet, vote, voted

__all__ = ["Approve", "ApproveSpec", "Tier"]


class Approve(StepKind[ApproveSpec]):
    """The kind `approve`."""

    name = "approve"
    spec = ApproveSpec
    pauses = True
    binds = True

    async def run(self, spec: ApproveSpec, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Find the tier; `auto` goes on, every other waits for its level. No tier: the money stays."""
        amount = facts.get(spec.amount)
        known = amount if amount is not None and amount.type == "money" and amount.value is not None else None
        # A first tier without a limit decides whatever the amount, even one that is not known.
        if spec.tiers[0].max is not None and (known is None or known.decimal() <= 0):
            return _stop(spec, ctx, "engine.no_amount")
        if amount is None or known is None:
            return self._ask(spec, spec.tiers[0].level, known, facts, ctx)
        granted = another.carried(spec, facts, ctx)
        if granted is not None:
            return bound(spec.id, granted, facts, ctx)
        named = another.asked_at(spec, known, ctx)
        covered = [] if named else ["auto"]
        weighed = await commit(spec.tiers, spec.cumulative, known, spec.id, facts, ctx, covered=covered, level="auto")
        if weighed is None:
            entry = TrailEntry(step=spec.id, what="auto", at=ctx.now, by="System", level="auto")
            # Whoever approved another amount before has not approved this one.
            automatic = Next(set={"approver": _word("System", "System", ctx)}, drop=["approved_by"], trail=[entry])
            return bound(spec.id, onward(spec.on_approve, "auto", automatic), facts, ctx)
        if weighed.level is None:
            return _stop(spec, ctx, "engine.tier_gap")
        level = named if named and weighed.level == "auto" else weighed.level
        return self._ask(spec, level, known, facts, ctx, weighed.beside)

    def _ask(
        self,
        spec: ApproveSpec,
        level: str,
        amount: Fact | None,
        facts: Mapping[str, Fact],
        ctx: Context,
        beside: Beside | None = None,
    ) -> Stay:
        tier = _tier_of(spec, level, beside.total if beside is not None else amount)
        request = approval_request(spec, level, amount, facts, ctx, tier, beside=beside)
        asked = TrailEntry(step=spec.id, what="ask", at=ctx.now, level=level, fields=request.reads)
        return inquiry.taken_over(Stay(request=request, trail=[asked]), ctx)

    async def answered(
        self, spec: ApproveSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """Approved by as many as it takes: on, with the level and the persons as facts. Rejected: back, with the named
        facts forgotten. A clock went off: see `clocks`; and `resubmit` for the question after an expiry."""
        if request.kind == "confirm":
            return await resubmit.answered(facts, request, event, ctx)
        if event.kind == "timer":
            return clocks.fired(spec, facts, request, event, ctx)
        if event.kind == "inquire":
            return inquiry.ask_requester(request, event, ctx)
        if event.kind == "message":
            return inquiry.take_reply(request, event, ctx)
        option = chosen(spec.options, request, event)
        way, named = (option.way(facts), option.id) if option else (None, "")
        other = another.named(spec, facts, request, event, ctx)
        judged = self._judged(spec, facts, request, event, ctx)
        request = vote(request, event, ctx, judged, named if other is None else ANOTHER_AMOUNT)
        if other is not None:
            return await another.decide_on(spec, facts, request, other, event, ctx)
        if event.verdict != "approve":
            ctx.commits.revoke(spec.id)
            if option is not None and way is not None:
                return decided(option, way, facts, request, event, ctx, [ctx.actor.id])
            return _rejected(spec, request, event, ctx)
        left_out = _left_out(spec, request, facts, ctx)
        approvals = [each.by for each in counting(request.votes, left_out) if each.option == named]
        if len(approvals) < request.quorum:
            return not_yet(request, len(approvals), ctx)
        raised = await another.raised(spec, facts, request, event, ctx)
        if raised is not None:
            return raised
        decision: Next | Goto = (
            decided(option, way, facts, request, event, ctx, approvals)
            if option is not None and way is not None
            else _approved(spec, request, approvals, event, ctx)
        )
        return bound(spec.id, decision, facts, ctx)

    def refusal(
        self, spec: ApproveSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Reply | None:
        """Only a listed person of the level or above, who set none of the facts, decides on unchanged facts."""
        if request.kind == "confirm":
            return resubmit.refusal(request, event)
        if event.kind == "message" and inquiry.waits_for_reply(request):
            return None
        if event.kind not in ("decision", "inquire"):
            return Reply(kind="note", code="stale", to=event.actor.id)
        code = self._judged(spec, facts, request, event, ctx).code
        if not code and request.digest != ctx.services.digest(request.reads, facts):
            code = "changed"
        elif not code and request.options and event.kind == "decision" and chosen(spec.options, request, event) is None:
            code = "stale"
        elif not code and not _says_why(event, bool(request.options)):
            code = "no_reason"
        if not code:
            return another.refusal(spec, facts, request, event, ctx)
        level = _label(request.level or "", ctx)
        values = {"level": level.zh, "level_en": level.en}
        if code in ("voted", "voted_for"):
            votes = counting(request.votes, _left_out(spec, request, facts, ctx))
            return voted(code, request, votes, _option(spec, request, event), event.actor.id, values)
        return Reply(kind="refused", code=code, to=event.actor.id, private=True, values=values)

    def _judged(
        self, spec: ApproveSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Judgement:
        left_out = _left_out(spec, request, facts, ctx)
        meant = another.wanted(spec, facts, request, event, ctx)
        return judge(
            ctx.authority,
            request.level or "",
            event.actor,
            left_out,
            counting(request.votes, left_out),
            event.at,
            None if event.kind == "inquire" else event.verdict,
            ANOTHER_AMOUNT if meant else _option(spec, request, event),
        )


def _tier_of(spec: ApproveSpec, level: str, stake: Fact | None) -> Tier:
    """The tier whose clocks count: a level may have several."""
    own = [each for each in spec.tiers if each.level == level]
    fit = (each for each in own if stake is not None and (each.max is None or stake.decimal() <= each.max))
    return next(fit, own[-1])


def _option(spec: ApproveSpec, request: Request, event: Event) -> str:
    """The id of the option that an event decides for; empty where there are none, or not this one."""
    option = chosen(spec.options, request, event)
    return option.id if option is not None else ""


def _left_out(spec: ApproveSpec, request: Request, facts: Mapping[str, Fact], ctx: Context) -> set[str]:
    return kept_out(request, facts, ctx.opener.id, ctx.owners, separate=spec.separate)


def _says_why(event: Event, with_options: bool) -> bool:
    """A plain approval needs no words; a rejection, another amount, an option and a question do."""
    if event.kind == "inquire":
        return bool(event.text.strip())
    names = another.other_amount(event) or event.values.get("option")
    plain = event.verdict == "approve" and not with_options and not names
    return plain or bool(event.reason.strip())


def _approved(spec: ApproveSpec, request: Request, people: list[str], event: Event, ctx: Context) -> Next | Goto:
    level = request.level or ""
    entry = TrailEntry(
        step=spec.id, what="approve", at=ctx.now, by=ctx.actor.id, level=level, acting_for=acting_for(request)
    )
    given = {"approver": _word(level, ctx.actor.id, ctx), "approved_by": _word(", ".join(people), ctx.actor.id, ctx)}
    ending = closed(request, event, ctx, "approved", acting_for=acting_for(request))
    return onward(spec.on_approve, level, Next(set=given, trail=[entry], closed=ending))


def _rejected(spec: ApproveSpec, request: Request, event: Event, ctx: Context) -> Goto | Stop:
    level = request.level or ""
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
        acting_for=acting_for(request),
    )
    ending = closed(request, event, ctx, "rejected", reason=event.reason, acting_for=acting_for(request))
    if back is None:
        return Stop(
            step=spec.id,
            why=text("engine.rejected", level=_label(level, ctx), reason=both(event.reason)),
            next=text("engine.rejected_next"),
            trail=[entry],
            closed=ending,
        )
    return Goto(to=back.goto, drop=list(back.reset), trail=[entry], closed=ending)


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
