"""A scenario: what a customer asks, what must be found out, what can be done, and in which order.

The six parts: the base, openings I, questions Q with their slot values, actions A, fallbacks P, and the flow rules, which
are the conditions under which each node may be entered.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from graph.errors import ExpressionError
from graph.model import Lang, SlipKind, Text
from graph.when import Expression, compile_condition

END = "E"
"""The node that every path ends in."""

EndReason = Literal["solution_accepted", "fallback_given", "ended_by_trainee"]


def _condition(given: object) -> Expression:
    if isinstance(given, Expression):
        return given
    try:
        return compile_condition(str(given))
    except ExpressionError as error:
        raise ValueError(str(error)) from error


Condition = Annotated[Expression, BeforeValidator(_condition)]
Cue = Annotated[str, Field(pattern=r"^!?[a-z][a-z0-9_]*( !?[a-z][a-z0-9_]*)*$")]
"""Names of word groups that must all be said, in any order; one that begins with `!` must not be."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class Lines(_Part):
    """Ways to say one thing, in both languages; the customer takes one of them by the seed."""

    zh: Annotated[tuple[str, ...], Field(min_length=1)]
    en: Annotated[tuple[str, ...], Field(min_length=1)]

    def in_(self, lang: Lang) -> tuple[str, ...]:
        """The lines in `lang`."""
        return self.zh if lang == "zh" else self.en


class Opening(_Part):
    """I: how the customer may begin, and the fact that is known by it."""

    id: Annotated[str, Field(pattern=r"^I[1-9][0-9]?$")]
    title: Text
    says: Lines
    fact: Text


class SlotValue(_Part):
    """One answer to a question. `cues` recognise it in the customer's words."""

    label: Text
    says: Lines
    cues: tuple[Cue, ...] = Field(min_length=1)


class Question(_Part):
    """Q: what the agent must find out. `cues` recognise that it is asked."""

    id: Annotated[str, Field(pattern=r"^Q[1-9][0-9]?$")]
    title: Text
    asks: Text
    when: Condition
    cues: tuple[Cue, ...] = Field(min_length=1)
    values: Annotated[dict[str, SlotValue], Field(min_length=1)]


class Feedback(_Part):
    """What the customer says of a step's result; `short` only takes note of it, or asks for help."""

    says: Lines
    short: Lines


class Action(_Part):
    """A: what the agent can do. `ending`: the talk is over when it succeeds. `cues` recognise that it is offered."""

    id: Annotated[str, Field(pattern=r"^A[1-9][0-9]?$")]
    title: Text
    tells: Text
    ending: bool = True
    when: Condition
    cues: tuple[Cue, ...] = Field(min_length=1)
    success: Feedback
    fail: Feedback


class Fallback(_Part):
    """P: what is promised when no action helped. `accepts` is what the customer says to it."""

    id: Annotated[str, Field(pattern=r"^P[1-9][0-9]?$")]
    title: Text
    tells: Text
    when: Condition
    cues: tuple[Cue, ...] = Field(min_length=1)
    accepts: Lines


class End(_Part):
    """E: when the talk is over, and why."""

    when: Condition
    reason: Literal["solution_accepted", "fallback_given"]


Node = Opening | Question | Action | Fallback
_POINTS: Mapping[SlipKind, int] = {
    "skipped_step": 20,
    "needless_question": 10,
    "wrong_branch": 20,
    "early_ending": 30,
    "missing_fallback": 30,
}


class Scenario(_Part):
    """One scenario's file. `words` are groups of words that mean the same, in both languages, for the cues.

    `version` tells its text from others; the loader sets it. `points` are what each kind of slip costs, out of 100,
    `hint` is what a hint costs.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    title: Text
    description: Text
    goal: Text
    scope: Text
    out_of_scope: Text
    points: dict[SlipKind, Annotated[int, Field(ge=0, le=100)]] = {}
    hint: Annotated[int, Field(ge=0, le=100)] = 5
    words: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], Annotated[tuple[str, ...], Field(min_length=1)]]
    openings: Annotated[tuple[Opening, ...], Field(min_length=1)]
    questions: tuple[Question, ...]
    actions: Annotated[tuple[Action, ...], Field(min_length=1)]
    fallbacks: tuple[Fallback, ...]
    end: Annotated[tuple[End, ...], Field(min_length=1)]
    version: str = ""

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """Every node by its id, in the order of the file."""
        every: tuple[Node, ...] = (*self.openings, *self.questions, *self.steps)
        return {node.id: node for node in every}

    @property
    def steps(self) -> tuple[Action | Fallback, ...]:
        """What the agent can offer."""
        every: list[Action | Fallback] = [*self.actions, *self.fallbacks]
        return tuple(every)

    @property
    def due_nodes(self) -> tuple[Question | Action | Fallback, ...]:
        """All that the agent can touch, in the order of the file."""
        every: list[Question | Action | Fallback] = [*self.questions, *self.steps]
        return tuple(every)

    @cached_property
    def domains(self) -> dict[str, tuple[str, ...]]:
        """The values that each slot can take."""
        return {
            **{node.id: ("yes", "no") for node in self.openings},
            **{node.id: tuple(node.values) for node in self.questions},
            **{node.id: ("success", "fail") for node in self.steps},
        }

    def cost(self, kind: SlipKind) -> int:
        """How many points a slip of this kind costs."""
        return self.points.get(kind, _POINTS[kind])

    def title_of(self, node: str) -> Text:
        """What a node is called."""
        return self.nodes[node].title

    def fact(self, slot: str, value: str) -> Text:
        """One thing the customer has revealed, in words."""
        node = self.nodes[slot]
        if isinstance(node, Opening):
            return node.fact
        if not isinstance(node, Question):
            raise KeyError(slot)
        label = node.values[value].label
        return Text(zh=f"{node.title.zh}={label.zh}", en=f"{node.title.en}={label.en}")
