"""`ask`: asks for what is missing until it is complete; never for what is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from graph.context import Context
from graph.model import Event, Fact, Move, Next, Request, TrailEntry
from graph.steps.asking import answer_entry, answer_shown, ask_for, closed, missing_of, stay, take
from graph.steps.base import StepKind, StepSpec, Words


class AskSpec(StepSpec):
    """`fields` are asked for with `prompt`."""

    kind: Literal["ask"]
    fields: tuple[str, ...] = Field(min_length=1)
    prompt: Words

    def own_reads(self) -> tuple[str, ...]:
        """The fields: what is known is not asked again."""
        return self.fields

    def writes(self) -> tuple[str, ...]:
        """The fields."""
        return self.fields

    def derives(self) -> tuple[str, ...]:
        """Nothing: a person tells them."""
        return ()


class Ask(StepKind[AskSpec]):
    """The kind `ask`."""

    name = "ask"
    spec = AskSpec
    pauses = True

    async def run(self, spec: AskSpec, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Go on when all is known, else ask."""
        missing = missing_of(spec.fields, facts)
        if not missing:
            return Next(trail=[TrailEntry(step=spec.id, what="known", at=ctx.now, fields=list(spec.fields))])
        return stay(ask_for(spec.id, missing, ctx, prompt=spec.prompt, problems=ctx.services.heard(missing)), ctx)

    async def answered(
        self, spec: AskSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """Take what the answer gives; ask anew for the rest."""
        taken = await take(request, event, ctx)
        ending = closed(request, event, ctx, "answered", answer=answer_shown(taken.facts, ctx.fields, ctx))
        missing = missing_of(spec.fields, {**facts, **taken.facts})
        if missing:
            again = ask_for(spec.id, missing, ctx, prompt=spec.prompt, problems=taken.problems)
            return stay(again, ctx, taken, closing=ending)
        return Next(
            set=taken.facts, trail=[answer_entry(spec.id, taken, ctx)], closed=ending, model_calls=taken.model_calls
        )
