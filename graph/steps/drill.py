"""`drill`: one message of a trainee per turn, on a simulated customer. Only in procedures that are internal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from graph.coach.card import hint_text, right_text
from graph.coach.customer import begin
from graph.coach.drill import hint, stop
from graph.coach.scenario import Scenario
from graph.coach.state import DrillState
from graph.context import Context
from graph.model import Event, Fact, JsonValue, Move, Next, Reply, Request, Stay, Stop, Text, TrailEntry
from graph.phrases import both, text
from graph.steps.asking import closed
from graph.steps.base import StepKind, StepSpec

NOTE, STARTED = "drill", "practise"
"""Where the drill as it stands, and what the trainee chose at its start, are noted."""


def scenario_name(notes: Mapping[str, JsonValue]) -> str:
    """Which scenario a run practises, by what it noted."""
    kept = notes.get(NOTE) or notes.get(STARTED)
    return str(kept.get("scenario", "")) if isinstance(kept, dict) else ""


class DrillSpec(StepSpec):
    """`scenario` is practised; without it, the one that is named when the drill is started."""

    kind: Literal["drill"]
    scenario: str | None = Field(
        default=None, description="name of a file in scenarios/; without it, any that is asked for"
    )


class Drill(StepKind[DrillSpec]):
    """The kind `drill`."""

    name = "drill"
    spec = DrillSpec
    pauses = True

    async def run(self, spec: DrillSpec, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Open the drill: the customer says why they write."""
        chosen = ctx.services.notes().get(STARTED)
        given = chosen if isinstance(chosen, dict) else {}
        scenario = ctx.scenarios.get(spec.scenario or str(given.get("scenario", "")))
        if scenario is None:
            return _gone(spec, ctx)
        seed = given.get("seed")
        state = begin(scenario, lang=ctx.lang, seed=seed if isinstance(seed, int) else 0)
        entry = TrailEntry(step=spec.id, what="drill", at=ctx.now, by=ctx.actor.id, values={"scenario": scenario.name})
        return _wait(spec, state, state.opening, ctx, trail=[entry])

    async def answered(
        self, spec: DrillSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """A message is judged and answered by the customer; buttons give a hint, look back, or end it."""
        state = DrillState.model_validate(ctx.services.notes()[NOTE])
        scenario = ctx.scenarios.get(state.scenario)
        if scenario is None or scenario.version != state.version:
            return _gone(spec, ctx).model_copy(update={"closed": closed(request, event, ctx, "withdrawn")})
        match event.values.get("drill"):
            case "hint":
                return _aside(request, hint(state), event, hint_text(scenario, state))
            case "right":
                return _aside(request, state, event, right_text(scenario, state))
            case "end":
                after = stop(scenario, state)
            case _:
                after = await ctx.services.practise(scenario, state, event.text)
        ending = closed(request, event, ctx, "answered")
        if not after.over:
            reply = after.turns[-1].reply
            return _wait(spec, after, reply, ctx).model_copy(update={"closed": ending})
        return Next(
            closed=ending,
            notes={NOTE: after.model_dump(mode="json", exclude_defaults=True)},
            trail=[_ended(spec, scenario, after, ctx)],
        )


def _wait(spec: DrillSpec, state: DrillState, words: str, ctx: Context, *, trail: list[TrailEntry] | None = None) -> Stay:
    request = Request(
        id=ctx.services.next_request(spec.id), kind="drill", step=spec.id, made_at=ctx.now, prompt=both(words)
    )
    return Stay(request=request, notes={NOTE: state.model_dump(mode="json", exclude_defaults=True)}, trail=trail or [])


def _aside(request: Request, state: DrillState, event: Event, words: Text) -> Stay:
    """Tell the trainee something privately; the customer still waits."""
    reply = Reply(kind="note", to=event.actor.id, private=True, text=words)
    return Stay(request=request, notes={NOTE: state.model_dump(mode="json", exclude_defaults=True)}, replies=[reply])


def _ended(spec: DrillSpec, scenario: Scenario, state: DrillState, ctx: Context) -> TrailEntry:
    values = {"scenario": scenario.name, "score": state.score}
    return TrailEntry(step=spec.id, what="drill", at=ctx.now, by=ctx.actor.id, values={**values})


def _gone(spec: DrillSpec, ctx: Context) -> Stop:
    """The scenario is not there, or not the one that the drill was begun with: judging by another would be unfair."""
    return Stop(
        step=spec.id,
        why=text("coach.gone"),
        next=text("coach.gone_next"),
        trail=[TrailEntry(step=spec.id, what="stop", at=ctx.now, reason="scenario")],
    )
