"""What all step kinds share: the spec's common keys, where a step can lead, and the kind's interface."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Annotated, Generic, NamedTuple, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from graph.context import Context
from graph.errors import ExpressionError, IncomparableFacts, MissingFact
from graph.model import Event, Fact, JsonValue, Move, Reply, Request, Text
from graph.when import Expression, compile_condition, compile_value

RESERVED: Mapping[str, str] = {
    "approver": "the level that approved",
    "approved_by": "the person who approved",
    "lc": "the checkpoint saver's own",
    "true": "a literal",
    "false": "a literal",
}


def _condition(source: object) -> Expression:
    if not isinstance(source, str | int):
        raise ValueError("a condition is written as text")
    try:
        return compile_condition(str(source))
    except ExpressionError as error:
        raise ValueError(str(error)) from error


def _value(source: object) -> Expression:
    if isinstance(source, dict | list) or source is None:
        raise ValueError("an argument is a fact's name, a dotted path or a literal")
    try:
        return compile_value(str(source))
    except ExpressionError as error:
        raise ValueError(str(error)) from error


def _words(given: object) -> object:
    """A plain string is in one language; the other is left empty, so that nobody is shown the wrong one."""
    if not isinstance(given, str):
        return given
    chinese = any("一" <= sign <= "鿿" for sign in given)
    return {"zh": given, "en": "" if chinese else given}


def fact_name(name: str) -> str:
    """A name that a file may give to a fact. ValueError for any other."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        raise ValueError("a name is of small letters, digits and _, 40 at most, and begins with a letter")
    if name in RESERVED:
        raise ValueError(f"{name!r} is taken: {RESERVED[name]}")
    return name


_CONDITION: dict[str, JsonValue] = {
    "type": ["string", "boolean"],
    "description": "A condition over facts: names and dotted names, 'words', numbers, == != < <= > >= in, and or not, ( ).",
}
_VALUE: dict[str, JsonValue] = {
    "type": ["string", "number", "boolean"],
    "description": "A fact's name, a dotted name, a number, or 'words' in quotation marks.",
}
_BOTH: dict[str, JsonValue] = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"zh": {"type": "string"}, "en": {"type": "string"}},
            "required": ["zh", "en"],
            "additionalProperties": False,
        },
    ],
    "description": "Words for people: one text, or {zh: …, en: …}.",
}
Condition = Annotated[Expression, BeforeValidator(_condition), WithJsonSchema(_CONDITION)]
Argument = Annotated[Expression, BeforeValidator(_value), WithJsonSchema(_VALUE)]
Words = Annotated[Text, BeforeValidator(_words), WithJsonSchema(_BOTH)]
FactName = Annotated[str, AfterValidator(fact_name)]
StepId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Target(BaseModel):
    """Where to go, and which facts to forget on the way."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    goto: str
    reset: tuple[str, ...] = ()


class ByCode(BaseModel):
    """Targets by code; `default` serves every other."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    targets: dict[str, Target]

    def of(self, code: str) -> Target | None:
        """The target for `code`, else the default."""
        return self.targets.get(code, self.targets.get("default"))


class Transition(BaseModel):
    """Where to go when a condition holds; without `when`, always. The first of a list that holds is taken."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    when: Condition | None = Field(default=None, description="the condition; without it, always")
    goto: str = Field(description="the step to go on with")
    reset: tuple[str, ...] = Field(default=(), description="facts that are forgotten on the way")
    why: Words | None = Field(default=None, description="the reason in words, for whoever looks at the case next")
    once: bool = Field(default=False, description="passed over once a review has answered it, until its facts change")

    def names(self) -> tuple[str, ...]:
        """The facts that the condition reads."""
        return self.when.names if self.when else ()


def first_of(transitions: Iterable[Transition], facts: Mapping[str, Fact]) -> Transition | None:
    """The first transition that holds; None when none does. MissingFact and IncomparableFacts as conditions raise them."""
    return next((each for each in transitions if each.when is None or each.when.holds(facts)), None)


def surely(condition: Expression | None, facts: Mapping[str, Fact]) -> bool:
    """Whether a condition holds for certain: what is not known, or cannot be compared, allows nothing."""
    try:
        return condition is None or condition.holds(facts)
    except (MissingFact, IncomparableFacts):
        return False


def _by_code(given: object) -> object:
    if isinstance(given, dict) and "targets" not in given:
        return {"targets": {"default": given} if "goto" in given else given}
    return given


_TARGET: dict[str, JsonValue] = {
    "type": "object",
    "properties": {
        "goto": {"type": "string", "description": "The id of the step to go to."},
        "reset": {"type": "array", "items": {"type": "string"}, "description": "Facts to forget on the way."},
    },
    "required": ["goto"],
    "additionalProperties": False,
}
_TARGETS: dict[str, JsonValue] = {
    "anyOf": [_TARGET, {"type": "object", "additionalProperties": _TARGET}],
    "description": "Where to go: {goto, reset}, or that by code, with `default` for every other.",
}
Targets = Annotated[ByCode, BeforeValidator(_by_code), WithJsonSchema(_TARGETS)]


class LookedUp(NamedTuple):
    """A call of a tool: its arguments, and the fact that holds its result."""

    tool: str
    save_as: str
    arguments: Mapping[str, Fact]


class StepSpec(BaseModel):
    """The keys every step has."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    id: StepId
    kind: str
    title: Words | None = None
    why: Words | None = None
    when: Condition | None = None

    def reads(self) -> tuple[str, ...]:
        """The facts this step looks at, its condition included."""
        own = self.when.names if self.when else ()
        return tuple(dict.fromkeys((*own, *self.own_reads())))

    def own_reads(self) -> tuple[str, ...]:
        """The facts it looks at beside its condition."""
        return ()

    def writes(self) -> tuple[str, ...]:
        """The facts it sets."""
        return ()

    def derives(self) -> tuple[str, ...]:
        """Those of them that follow from others, instead of being told by a person."""
        return self.writes()

    def needs(self) -> tuple[str, ...]:
        """The facts without which it cannot be carried out. What it asks for itself, or can do without, is none."""
        return ()

    def looked_up(self, facts: Mapping[str, Fact]) -> tuple[LookedUp, ...]:
        """The calls whose result stands as long as their arguments do."""
        return ()

    def passes(self) -> bool:
        """Whether the next step of the file can follow."""
        return True

    def unattended(self) -> bool:
        """Whether it can go on without anybody having been waited for, though its kind waits."""
        return False

    def targets(self) -> dict[str, ByCode]:
        """Where it can lead, by key of the file."""
        return {}

    def transitions(self) -> tuple[tuple[tuple[str | int, ...], Transition], ...]:
        """Where it can lead under conditions of its own, each with its place in the file."""
        return ()


S = TypeVar("S", bound=StepSpec)


class StepKind(ABC, Generic[S]):
    """One kind of step. `pauses`: it may wait for a person every time. `binds`: what is decided in it covers the facts
    that the following steps read."""

    name: str
    spec: type[S]
    pauses: bool = False
    binds: bool = False

    @abstractmethod
    async def run(self, spec: S, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Carry the step out, or say what it waits for."""

    async def answered(self, spec: S, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context) -> Move:
        """Go on with the answer to `request`."""
        raise ValueError(f"the step kind {self.name!r} waits for nothing")

    def listens(self, spec: S, request: Request, ctx: Context) -> bool:
        """Whether words are taken in while the back office is waited for."""
        return False

    def refusal(self, spec: S, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context) -> Reply | None:
        """Why this event does not answer `request`; None when it does. Changes nothing."""
        return None
