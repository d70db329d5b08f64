"""`confirm`: shows the key facts. Yes goes on, anything else corrects."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import Field

from graph.context import Context
from graph.model import Event, Fact, Goto, Move, Next, Reply, Request, Stay, TrailEntry
from graph.reading import says_yes
from graph.steps.asking import answer_entry, answer_shown, closed, known, take
from graph.steps.base import ByCode, StepKind, StepSpec, Targets, Words


class ConfirmSpec(StepSpec):
    """`fields` are shown. `on_no` says where a plain no leads."""

    kind: Literal["confirm"]
    fields: tuple[str, ...] = Field(min_length=1)
    prompt: Words | None = None
    on_no: Targets

    def own_reads(self) -> tuple[str, ...]:
        """What is confirmed."""
        return self.fields

    def targets(self) -> dict[str, ByCode]:
        """Where a no leads."""
        return {"on_no": self.on_no}


class Confirm(StepKind[ConfirmSpec]):
    """The kind `confirm`."""

    name = "confirm"
    spec = ConfirmSpec
    pauses = True
    binds = True

    async def run(self, spec: ConfirmSpec, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Show the facts and wait."""
        request = Request(
            id=ctx.services.next_request(spec.id),
            kind="confirm",
            step=spec.id,
            made_at=ctx.now,
            prompt=spec.prompt,
            reads=list(spec.fields),
            routes=ctx.services.routes(spec.id, facts),
            facts=known(facts),
        )
        return Stay(request=request, trail=[TrailEntry(step=spec.id, what="ask", at=ctx.now, fields=list(spec.fields))])

    async def answered(
        self, spec: ConfirmSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """Yes: on. A new value for a field: as corrected. Anything else: no."""
        said = says_yes(event.text) if event.kind == "message" else event.values.get("confirm") == "yes"
        if said:
            entry = TrailEntry(step=spec.id, what="confirm", at=ctx.now, by=ctx.actor.id)
            return Next(trail=[entry], closed=closed(request, event, ctx, "answered", answer="yes"))
        taken = await take(request, event, ctx, [name for name in spec.fields if name in ctx.fields])
        changed = {name: fact for name, fact in taken.facts.items() if name not in facts or facts[name].value != fact.value}
        if changed:
            return Goto(
                to=ctx.services.correct(changed),
                again=False,
                set=changed,
                trail=[answer_entry(spec.id, taken, ctx).model_copy(update={"what": "correct"})],
                closed=closed(request, event, ctx, "answered", answer=answer_shown(changed, ctx.fields, ctx)),
                model_calls=taken.model_calls,
            )
        target = spec.on_no.of("default")
        to, reset = (target.goto, list(target.reset)) if target else (spec.id, [])
        return Goto(
            to=to,
            drop=reset,
            trail=[TrailEntry(step=spec.id, what="confirm", at=ctx.now, by=ctx.actor.id, goto=to, fields=reset)],
            closed=closed(request, event, ctx, "answered", answer="no"),
            model_calls=taken.model_calls,
        )

    def refusal(
        self, spec: ConfirmSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Reply | None:
        """A typed yes counts only if it was said after the question was put (design 5)."""
        early = event.said_at is not None and event.said_at < datetime.fromisoformat(request.made_at)
        if event.kind == "message" and early and says_yes(event.text):
            return Reply(kind="refused", code="said_before", to=event.actor.id)
        return None
