"""After an approval expired: the requester submits it again, corrects it, or cancels the case."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from graph.context import Context
from graph.model import Event, Fact, Goto, Move, Reply, Request, Stay, TrailEntry
from graph.reading import says_yes
from graph.steps.asking import answer_entry, answer_shown, closed, take

EXPIRED = "expired"
"""The `error` of a question that follows an expiry: its card says what happened."""


def ask_again(request: Request, ctx: Context) -> Request:
    """The question whether what `request` asked for is asked for again."""
    return Request(
        id=ctx.services.next_request(request.step),
        kind="confirm",
        step=request.step,
        made_at=ctx.now,
        amount=request.amount,
        reads=request.reads,
        routes=request.routes,
        facts=request.facts,
        error=EXPIRED,
    )


async def answered(facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context) -> Move:
    """Yes: a new request, with today's tier. A new value for a field: as corrected. Anything else: it waits on."""
    said = says_yes(event.text) if event.kind == "message" else event.values.get("confirm") == "yes"
    if said:
        entry = TrailEntry(step=request.step, what="confirm", at=ctx.now, by=ctx.actor.id)
        return Goto(to=request.step, trail=[entry], closed=closed(request, event, ctx, "answered", answer="yes"))
    taken = await take(request, event, ctx, [name for name in request.reads if name in ctx.fields])
    changed = {name: fact for name, fact in taken.facts.items() if name not in facts or facts[name].value != fact.value}
    if not changed:
        note = Reply(kind="note", code="resubmit", to=ctx.actor.id)
        return Stay(request=request, replies=[note], model_calls=taken.model_calls)
    return Goto(
        to=ctx.services.correct(changed),
        again=False,
        set=changed,
        trail=[answer_entry(request.step, taken, ctx).model_copy(update={"what": "correct"})],
        closed=closed(request, event, ctx, "answered", answer=answer_shown(changed, ctx.fields, ctx)),
        model_calls=taken.model_calls,
    )


def refusal(request: Request, event: Event) -> Reply | None:
    """A typed yes counts only if it was said after the question was put (design 5)."""
    early = event.said_at is not None and event.said_at < datetime.fromisoformat(request.made_at)
    if event.kind == "message" and early and says_yes(event.text):
        return Reply(kind="refused", code="said_before", to=event.actor.id)
    return None
