"""Being spoken to while a clock runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from graph.context import Context
from graph.errors import IncomparableFacts, MissingFact
from graph.model import Event, Fact, Reply, Request, Stay
from graph.steps.asking import Taken, answer_entry, answer_shown
from graph.steps.base import Transition, first_of

Listen = Annotated[
    tuple[str, ...],
    Field(description="fields that words may tell by the way while nothing is done; then `watch` is looked at again"),
]


class OnMessage(BaseModel):
    """What is listened for: `fields` are read from messages about nothing else, with evidence; the first of `on` that holds
    counts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fields: tuple[str, ...] = Field(default=(), description="fields that a message may tell")
    on: tuple[Transition, ...] = Field(default=(), description="where a message leads; nowhere: what it tells is kept")


def way_of(listener: OnMessage | None, facts: Mapping[str, Fact]) -> Transition | None:
    """Where a message leads; None where it leads nowhere."""
    try:
        return first_of(listener.on, facts) if listener else None
    except (MissingFact, IncomparableFacts):
        return None


def still_waiting(request: Request, event: Event) -> Reply:
    """Words do not make the clock run faster; who speaks is told until when the case waits."""
    code, due = ("still_held", "") if request.kind == "hold" else ("waits_until", _due(request))
    return Reply.model_validate({"kind": "note", "code": code, "to": event.actor.id, "values": {"at": due}})


def kept_on(request: Request, event: Event, ctx: Context, taken: Taken) -> Stay:
    """The same request with the clock that it had; what was told is kept, and said to be."""
    reply = still_waiting(request, event)
    if taken.facts:
        what = answer_shown(taken.facts, ctx.fields, ctx)
        reply = Reply(kind="note", code="noted", to=event.actor.id, values={"what": what, "at": _due(request)})
    entries = [answer_entry(request.step, taken, ctx)] if taken.facts else []
    return Stay(request=request, set=taken.facts, trail=entries, model_calls=taken.model_calls, replies=[reply])


def _due(request: Request) -> str:
    return request.timers[0].due if request.timers else ""
