"""Approvals counted: several different persons where the level asks for them. One rejection ends it."""

from __future__ import annotations

from graph.authority import Judgement
from graph.context import Context
from graph.model import Decision, Event, Reply, Request, Stay, TrailEntry


def vote(request: Request, event: Event, ctx: Context, judged: Judgement, option: str = "") -> Request:
    """The request with this decision, made by the right that it was judged to have."""
    of = judged.by_right_of
    decision = Decision(
        verdict=event.verdict or "reject",
        by=ctx.actor.id,
        name=ctx.actor.name,
        at=ctx.now,
        event=event.id,
        reason=event.reason,
        of=of.id if of else ctx.actor.id,
        of_name=of.name if of and of.id != ctx.actor.id else "",
        could=[each for each in judged.could if each != ctx.actor.id],
        option=option,
    )
    return request.model_copy(update={"votes": [*request.votes, decision]})


def not_yet(request: Request, count: int, ctx: Context) -> Stay:
    """One more approval came, and it takes more: the request stays open and says so."""
    so_far = {"count": str(count), "quorum": str(request.quorum)}
    return Stay(
        request=request,
        trail=[
            TrailEntry(
                step=request.step,
                what="vote",
                at=ctx.now,
                by=ctx.actor.id,
                level=request.level,
                reason=f"{count}/{request.quorum}",
                acting_for=acting_for(request),
            )
        ],
        replies=[Reply(kind="note", code="counted", to=ctx.actor.id, private=True, values=so_far)],
    )


def acting_for(request: Request) -> str:
    """The name of the person in whose place the last vote came; empty where it was their own."""
    last = request.votes[-1] if request.votes else None
    return last.of_name if last else ""
