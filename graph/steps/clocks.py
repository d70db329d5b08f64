"""The clocks of an approval: reminded, passed on to the level above, expired. None of them approves."""

from __future__ import annotations

from collections.abc import Mapping

from graph.context import Context
from graph.model import Event, Fact, Goto, Move, Request, Stay, Stop, TrailEntry
from graph.phrases import text
from graph.steps.approval_request import ESCALATE, EXPIRE, REMIND, approval_request, due
from graph.steps.approve_spec import ApproveSpec, Tier
from graph.steps.asking import closed
from graph.steps.base import ByCode
from graph.steps.resubmit import ask_again


def fired(spec: ApproveSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context) -> Move:
    """What a clock of `request` brings about. It goes off once: the clock leaves the request with it."""
    name = (event.timer or "").rpartition("/")[2]
    if name == EXPIRE:
        return _expire(spec, request, event, ctx)
    above = ctx.authority.next_level(request.level or "")
    if name == ESCALATE and above is not None:
        return _pass_on(spec, facts, request, above, event, ctx)
    # Nobody is above any more, since the file was changed: those who have it hear of it again.
    left = [timer for timer in request.timers if timer.id != event.timer]
    return Stay(
        request=request.model_copy(update={"timers": left, "reminded": ctx.now}),
        trail=[TrailEntry(step=request.step, what="remind", at=ctx.now, level=request.level)],
    )


def _pass_on(
    spec: ApproveSpec,
    facts: Mapping[str, Fact],
    request: Request,
    above: str,
    event: Event,
    ctx: Context,
) -> Stay:
    """The same question to the level above, with what the requester was asked. Votes stay with the request they were given
    to."""
    clocks = spec.clocks_of(above) or _without_escalation(spec.clocks_of(request.level or ""))
    made = approval_request(spec, above, request.amount, facts, ctx, clocks, due(request, EXPIRE), request.beside)
    newer = made.model_copy(update={"inquiries": request.inquiries})
    return Stay(
        request=newer,
        trail=[
            TrailEntry(step=request.step, what="pass_on", at=ctx.now, level=above),
            TrailEntry(step=request.step, what="ask", at=ctx.now, level=above, fields=newer.reads),
        ],
        closed=closed(request, event, ctx, "passed"),
    )


def _without_escalation(tier: Tier | None) -> Tier | None:
    return None if tier is None else tier.model_copy(update={"escalate_after": None})


def _expire(spec: ApproveSpec, request: Request, event: Event, ctx: Context) -> Move:
    """Nobody decided, so nothing is paid: the requester is asked, or the file says where to go."""
    ending = closed(request, event, ctx, "expired")
    entry = TrailEntry(step=request.step, what="expire", at=ctx.now, level=request.level)
    if spec.on_expire == "ask":
        again = ask_again(request, ctx)
        asked = TrailEntry(step=request.step, what="ask", at=ctx.now)
        return Stay(request=again, trail=[entry, asked], closed=ending)
    target = spec.on_expire.of(request.level or "") if isinstance(spec.on_expire, ByCode) else None
    if target is not None:
        ctx.commits.revoke(spec.id)
        entry = entry.model_copy(update={"goto": target.goto, "fields": list(target.reset)})
        return Goto(to=target.goto, drop=list(target.reset), trail=[entry], closed=ending)
    return Stop(
        step=request.step,
        why=text("engine.expired"),
        next=text("engine.expired_next"),
        trail=[entry],
        closed=ending,
    )


__all__ = ["ESCALATE", "EXPIRE", "REMIND", "fired"]
