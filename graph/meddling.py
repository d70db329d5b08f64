"""What may happen to a waiting run whatever its step: correct, cancel, hand over."""

from __future__ import annotations

from dataclasses import replace

from graph.context import Context
from graph.model import ClosedRequest, Event, Goto, Move, Reply, Request, Stay, Stop, TrailEntry
from graph.phrases import both, text
from graph.sop import Sop
from graph.state import RunState
from graph.steps.asking import answer_entry, answer_shown, closed, take


async def meddle(run: RunState, sop: Sop, request: Request, event: Event, ctx: Context) -> Move | None:
    """The move of a correction, a cancel or a hand-over; None for an event that answers the step. What concerns only the
    cases behind this one leaves it as it is."""
    match event.kind:
        case "queue" | "start":
            return Stay(request=request)
        case "cancel" if event.case and event.case != run.case:
            return Stay(request=request)
        case "cancel":
            return _cancel(request, event, ctx)
        case "correct":
            return await _correct(run, sop, request, event, ctx)
        case "hand_over" if event.to is not None:
            return _hand_over(run, request, event, ctx)
        case _:
            return None


def _cancel(request: Request, event: Event, ctx: Context) -> Stop:
    reason = event.reason or event.text
    entry = TrailEntry(step=request.step, what="cancel", at=ctx.now, by=ctx.actor.id, reason=reason)
    return Stop(
        status="cancelled",
        step=request.step,
        why=text("engine.cancelled", name=ctx.actor.name, reason=both(reason)),
        trail=[entry],
        closed=_withdrawn(request, event, ctx),
    )


async def _correct(run: RunState, sop: Sop, request: Request, event: Event, ctx: Context) -> Move:
    """New values for fields that people tell this procedure. Only the steps that depend on them run again; a request
    built on them falls. Where nothing is new, the request stays open."""
    taken = await take(request, event, ctx, [name for name in sop.told if name in event.values])
    changed = {
        name: fact for name, fact in taken.facts.items() if name not in run.facts or run.facts[name].value != fact.value
    }
    if not changed:
        run.replies = [Reply(kind="note", to=event.actor.id, private=True, text=text("engine.unchanged"))]
        return Stay(request=request)
    entry = answer_entry(request.step, replace(taken, facts=changed), ctx).model_copy(update={"what": "correct"})
    if request.kind == "approve" and set(changed) <= set(sop.listened) - set(request.reads):
        # What is listened for is looked at once the decision is there, which it does not touch.
        what = answer_shown(changed, ctx.fields, ctx)
        note = Reply(kind="note", code="noted", to=event.actor.id, values={"what": what})
        return Stay(request=request, set=changed, trail=[entry], replies=[note])
    return Goto(
        to=ctx.services.correct(changed),
        again=False,
        set=changed,
        trail=[entry],
        closed=_withdrawn(request, event, ctx).model_copy(
            update={"ending": "replaced", "answer": answer_shown(changed, ctx.fields, ctx)}
        ),
    )


def _hand_over(run: RunState, request: Request, event: Event, ctx: Context) -> Stay:
    to = event.to or ctx.actor
    run.owner = to
    run.names = {**run.names, to.id: to.name}
    note = TrailEntry(
        step=request.step,
        what="hand_over",
        at=ctx.now,
        by=ctx.actor.id,
        reason=event.reason,
        values={"to": to.id},
    )
    return Stay(request=request, trail=[note])


def _withdrawn(request: Request, event: Event, ctx: Context) -> ClosedRequest:
    return closed(request, event, ctx, "withdrawn", reason=event.reason)
