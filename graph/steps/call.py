"""`call`: a backend interface. What it lacks is asked for; what fails for good holds the case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from graph.context import Context
from graph.errors import SUSPENDED, ApprovalBroken, MissingFact, ToolRefused, ToolUnavailable
from graph.masking import masked_fact
from graph.model import Event, Fact, Goto, Move, Next, Problem, Request, Stay, Stop, TrailEntry
from graph.phrases import both, catalogue, refusal_text, text
from graph.steps.asking import answer_entry, answer_shown, ask_for, closed, stay, take
from graph.steps.base import Argument, ByCode, FactName, LookedUp, StepKind, StepSpec, Target, Targets
from graph.steps.commit import unapproved
from graph.steps.holding import hold, park, pause_of, still_held

SETTLED = "settled_by"
"""In place of a result that only a person knows: who found out that the write happened."""


class CallSpec(StepSpec):
    """`tool` is called with `args`, its result is kept under `save_as`. `repeat` lets a write happen again."""

    kind: Literal["call"]
    tool: str
    args: dict[str, Argument] = {}
    save_as: FactName
    on_error: Targets | None = None
    repeat: bool = False

    def own_reads(self) -> tuple[str, ...]:
        """The facts its arguments name."""
        return tuple(dict.fromkeys(name for value in self.args.values() for name in value.names))

    def known_arguments(self, facts: Mapping[str, Fact]) -> dict[str, Fact]:
        """Its arguments, as far as they are known."""
        found: dict[str, Fact] = {}
        for name, expression in self.args.items():
            try:
                found[name] = expression.value(facts)
            except MissingFact:
                continue
        return found

    def looked_up(self, facts: Mapping[str, Fact]) -> tuple[LookedUp, ...]:
        """Its call. A write's is never made again, whatever stands."""
        return (LookedUp(self.tool, self.save_as, self.known_arguments(facts)),)

    def writes(self) -> tuple[str, ...]:
        """The result's name."""
        return (self.save_as,)

    def targets(self) -> dict[str, ByCode]:
        """Where errors lead."""
        return {"on_error": self.on_error} if self.on_error else {}


class Call(StepKind[CallSpec]):
    """The kind `call`."""

    name = "call"
    spec = CallSpec

    async def run(self, spec: CallSpec, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Call the tool. A required argument that is a field and is not known is asked for."""
        tool = ctx.tools[spec.tool]
        arguments: dict[str, Fact] = {}
        for name, expression in spec.args.items():
            try:
                arguments[name] = expression.value(facts)
            except MissingFact as missing:
                parameter = tool.parameter(name)
                if parameter is not None and not parameter.required:
                    continue
                if missing.name in ctx.fields:
                    return self._ask(spec, missing.name, ctx, ctx.services.heard([missing.name]))
                return hold(spec.id, spec.tool, f"missing:{missing.name}", ctx)
        if any(isinstance(fact.value, dict) and SETTLED in fact.value for fact in arguments.values()):
            # What the write gave is known to a person alone; the agent does by hand what follows from it.
            return Next(trail=[TrailEntry(step=spec.id, what="skip", at=ctx.now, reason="settled")])
        known = None if tool.write else ctx.services.recall(spec.id, spec.tool, arguments)
        if known is not None:
            return Next(
                set={spec.save_as: known}, trail=[TrailEntry(step=spec.id, what="kept", at=ctx.now, tool=spec.tool)]
            )
        try:
            result = await ctx.services.call(spec.id, spec.tool, arguments)
        except ApprovalBroken as broken:
            return unapproved(spec.id, spec.tool, broken, ctx)
        except ToolRefused as refused:
            return self._refused(spec, refused, arguments, ctx)
        except ToolUnavailable as unavailable:
            if unavailable.code == "in_doubt":
                return park(spec.id, spec.tool, ctx)
            elsewhere = spec.on_error if not tool.write and unavailable.code != SUSPENDED else None
            target = elsewhere.of(unavailable.code) if elsewhere else None
            if target is not None:
                return self._back(spec, target, unavailable.code, ctx)
            return hold(spec.id, spec.tool, unavailable.code, ctx, pause=pause_of(unavailable))
        safe = masked_fact(result)
        entry = TrailEntry(
            step=spec.id,
            what="call",
            at=ctx.now,
            tool=spec.tool,
            values={spec.save_as: safe.plain()},
            routes=tool.routes(safe) if tool.routes else [],
        )
        return Next(set={spec.save_as: result}, trail=[entry])

    async def answered(
        self, spec: CallSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """Try again after the back office was waited for, or go on with the field that was asked for: from the first
        step that depends on it, so that nothing is written for what was not checked and approved."""
        if request.kind == "park":
            return await self._settled(spec, request, event, ctx)
        if request.kind == "hold" and event.kind == "timer":
            return await self._retried(spec, facts, request, event, ctx)
        if request.kind == "hold":
            retry = TrailEntry(step=spec.id, what="retry", at=ctx.now, by=ctx.actor.id)
            return Goto(to=spec.id, again=False, trail=[retry], closed=closed(request, event, ctx, "resumed"))
        taken = await take(request, event, ctx)
        ending = closed(request, event, ctx, "answered", answer=answer_shown(taken.facts, ctx.fields, ctx))
        if not taken.facts:
            again = ask_for(spec.id, request.missing, ctx, prompt=request.prompt, problems=taken.problems)
            return stay(again, ctx, taken, closing=ending)
        return Goto(
            to=ctx.services.correct(taken.facts),
            again=False,
            set=taken.facts,
            trail=[answer_entry(spec.id, taken, ctx)],
            closed=ending,
            model_calls=taken.model_calls,
        )

    async def _retried(
        self, spec: CallSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """A clock tried again. While that helps nothing the same hold stays, so that nobody is told every five minutes."""
        move = await self.run(spec, facts, ctx)
        if isinstance(move, Stay) and move.request.kind == "hold":
            return still_held(request, move.request, ctx)
        entry = TrailEntry(step=spec.id, what="retry", at=ctx.now, by=ctx.actor.id)
        ending = closed(request, event, ctx, "resumed")
        return move.model_copy(update={"trail": [entry, *move.trail], "closed": ending})

    async def _settled(self, spec: CallSpec, request: Request, event: Event, ctx: Context) -> Move:
        """A lead found out: the write happened and is not repeated, or it did not and is sent once more."""
        done = event.values.get("outcome") == "paid"
        await ctx.services.settle(spec.id, done=done)
        entry = TrailEntry(
            step=spec.id,
            what="settle",
            at=ctx.now,
            by=ctx.actor.id,
            tool=spec.tool,
            reason=event.reason,
            values={"outcome": event.values.get("outcome", "")},
        )
        ending = closed(request, event, ctx, "resumed", reason=event.reason)
        if not done:
            return Goto(to=spec.id, again=False, trail=[entry], closed=ending)
        by_hand = Fact(type="record", value={SETTLED: Fact(type="text", value=ctx.actor.id)}, by=ctx.actor.id, at=ctx.now)
        return Next(set={spec.save_as: by_hand}, trail=[entry], closed=ending)

    def _ask(self, spec: CallSpec, field: str, ctx: Context, problems: list[Problem]) -> Stay:
        return stay(ask_for(spec.id, [field], ctx, problems=problems), ctx)

    def _back(self, spec: CallSpec, target: Target, code: str, ctx: Context) -> Goto:
        entry = _error(spec, code, ctx).model_copy(update={"goto": target.goto, "fields": list(target.reset)})
        return Goto(to=target.goto, drop=list(target.reset), trail=[entry])

    def _refused(self, spec: CallSpec, refused: ToolRefused, arguments: Mapping[str, Fact], ctx: Context) -> Move:
        target = spec.on_error.of(refused.code) if spec.on_error else None
        if target is not None:
            return self._back(spec, target, refused.code, ctx)
        trail = _error(spec, refused.code, ctx)
        lacking = spec.args.get(refused.argument or "")
        if lacking is not None and lacking.source in ctx.fields:
            asked = self._ask(spec, lacking.source, ctx, [Problem(field=lacking.source, code="now_needed")])
            return asked.model_copy(update={"trail": [trail, *asked.trail]})
        names = [spec.args[name].source for name in arguments if spec.args[name].source in ctx.fields]
        if refused.code == "not_found" and names:
            said = str(arguments[next(name for name in arguments if spec.args[name].source == names[0])].value)
            asked = self._ask(spec, names[0], ctx, [Problem(field=names[0], code="not_found", quote=said)])
            return asked.model_copy(update={"drop": [names[0]], "trail": [trail, *asked.trail]})
        step = catalogue().get(f"tools.{spec.tool}") or both(spec.tool)
        return Stop(
            step=spec.id,
            why=refusal_text(step, refused.code),
            next=text("engine.refused_next"),
            trail=[trail, TrailEntry(step=spec.id, what="stop", at=ctx.now, reason=refused.code)],
        )


def _error(spec: CallSpec, code: str, ctx: Context) -> TrailEntry:
    return TrailEntry(step=spec.id, what="error", at=ctx.now, tool=spec.tool, reason=code)

