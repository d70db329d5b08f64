"""`check`: rules in code. The first that does not pass stops the run with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from graph.context import Context
from graph.errors import MissingFact
from graph.model import Fact, Goto, Move, Next, Stop, TrailEntry
from graph.phrases import text
from graph.rules import Against
from graph.steps.base import ByCode, StepKind, StepSpec, Targets


class CheckSpec(StepSpec):
    """`rules` are tried in order. `on_fail` leads elsewhere, by the rule's name."""

    kind: Literal["check"]
    rules: tuple[str, ...] = Field(min_length=1)
    on_fail: Targets | None = None

    def targets(self) -> dict[str, ByCode]:
        """Where failing leads."""
        return {"on_fail": self.on_fail} if self.on_fail else {}


class Check(StepKind[CheckSpec]):
    """The kind `check`."""

    name = "check"
    spec = CheckSpec

    async def run(self, spec: CheckSpec, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Try each rule. A rule that lacks a fact counts as one that does not pass."""
        for name in spec.rules:
            try:
                against = ctx.rules[name].judge(facts)
            except MissingFact as missing:
                against = Against(text("engine.missing_fact", name=missing.name), text("engine.missing_fact_next"))
            if against is None:
                continue
            failed = TrailEntry(step=spec.id, what="stop", at=ctx.now, rule=name, reason=against.why.in_(ctx.lang))
            target = spec.on_fail.of(name) if spec.on_fail else None
            if target is not None:
                back = failed.model_copy(update={"what": "check", "goto": target.goto, "fields": list(target.reset)})
                return Goto(to=target.goto, drop=list(target.reset), trail=[back])
            return Stop(step=spec.id, rule=name, why=against.why, next=against.next, trail=[failed])
        return Next(trail=[TrailEntry(step=spec.id, what="check", at=ctx.now, values={"passed": list(spec.rules)})])
