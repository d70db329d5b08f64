"""The actions of a `choose` step, and the door that judges what was picked."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field, model_validator

from graph.context import Pick
from graph.errors import MissingFact
from graph.json_text import canonical
from graph.model import Fact, JsonValue
from graph.steps.base import Argument, Condition, FactName, LookedUp, Targets, Transition, surely
from graph.steps.durations import Duration

Given = Mapping[str, Fact]


class Parameter(Protocol):
    """An argument of a tool."""

    @property
    def name(self) -> str: ...
    @property
    def required(self) -> bool: ...


class Tool(Protocol):
    """What the door needs to know of a tool: its schema."""

    @property
    def parameters(self) -> Sequence[Parameter]: ...
    def parameter(self, name: str) -> Parameter | None: ...
    def takes(self, name: str, value: JsonValue) -> bool: ...


REASON = "reason"
"""The one argument that an action without a tool may be given: words for the person who is called."""
_LONGEST_REASON = 300


class Action(BaseModel):
    """One action: a tool whose result `on` judges, or, under a `name` of its own, a way to another step."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    tool: str | None = Field(default=None, description="the interface that is called")
    name: FactName | None = Field(default=None, description="the name of an action without a tool")
    args: dict[str, Argument] = Field(default={}, description="the tool's arguments: facts, paths into them, literals")
    save_as: FactName | None = Field(default=None, description="the fact that holds the tool's result")
    when: Condition | None = Field(default=None, description="offered only where this surely holds")
    on: Annotated[tuple[Transition, ...], Field(min_length=1, description="where it leads; the first that holds counts")]
    limit: int | None = Field(default=None, ge=1, description="how often at most, until a person approves of more")
    cooldown: Duration | None = Field(default=None, description="the least time between two tries: 30s, 2m, 12h, 3d")
    on_error: Targets | None = Field(default=None, description="where errors lead, by code; else `on_exhausted`")

    @model_validator(mode="after")
    def _whole(self) -> Action:
        if (self.tool is None) == (self.name is None):
            raise ValueError("an action has a tool, or a name of its own")
        if (self.tool is None) != (self.save_as is None):
            raise ValueError("a tool's result is kept under save_as; an action without a tool has none")
        return self

    @property
    def called(self) -> str:
        """The name under which it is offered."""
        return self.tool or self.name or ""

    def names(self) -> tuple[str, ...]:
        """The facts it looks at before it is taken."""
        return (*(self.when.names if self.when else ()), *(name for each in self.args.values() for name in each.names))

    def looked_up(self, facts: Given) -> LookedUp | None:
        """Its call."""
        own = self.own(facts, None)
        return LookedUp(self.tool, self.save_as, own) if self.tool and self.save_as and own is not None else None

    def own(self, facts: Given, tool: Tool | None) -> dict[str, Fact] | None:
        """Its arguments in this case; None while one that the tool needs is not known."""
        found: dict[str, Fact] = {}
        for name, expression in self.args.items():
            try:
                found[name] = expression.value(facts)
            except MissingFact:
                parameter = tool.parameter(name) if tool else None
                if parameter is None or parameter.required:
                    return None
        return found


def offered(actions: tuple[Action, ...], facts: Given, tools: Mapping[str, Tool]) -> dict[str, dict[str, Fact]]:
    """The actions that apply in this case, by name, each with the arguments that are the case's own."""
    found: dict[str, dict[str, Fact]] = {}
    for action in actions:
        own = action.own(facts, tools.get(action.tool or ""))
        if own is not None and surely(action.when, facts):
            found[action.called] = own
    return found


def against(pick: Pick, open_: Mapping[str, Mapping[str, Fact]], tools: Mapping[str, Tool]) -> str | None:
    """The door: why a pick is refused, as a code; None when it is one of those offered, with the case's own arguments."""
    if pick.action not in open_:
        return "not_offered"
    own, tool = open_[pick.action], tools.get(pick.action)
    if tool is None:
        known = set(pick.arguments) <= {REASON} and len(str(pick.arguments.get(REASON, ""))) <= _LONGEST_REASON
        return None if known else "unknown_argument"
    for name, value in pick.arguments.items():
        if tool.parameter(name) is None:
            return "unknown_argument"
        if not tool.takes(name, value):
            return "malformed"
        if name not in own or own[name].plain() != value:
            return "not_own"
    if any(each.required and each.name not in pick.arguments for each in tool.parameters):
        return "missing_argument"
    return None


def counted_as(step: str, action: Action, own: Mapping[str, Fact]) -> str:
    """Under which key an action is counted: other arguments are another action."""
    given: JsonValue = {name: fact.essence() for name, fact in own.items()}
    digest = hashlib.sha256(canonical(given).encode()).hexdigest()[:8]
    return f"{step}.{action.called}.{digest}"
