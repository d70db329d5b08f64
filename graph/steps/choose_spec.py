"""The keys of a `choose` step: its actions, its alarms, and what it listens for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator

from graph.model import Fact
from graph.steps.actions import Action
from graph.steps.alarms import PROGRESS
from graph.steps.base import ByCode, LookedUp, StepSpec, Targets, Transition
from graph.steps.waiting import Listen, OnMessage


class ChooseSpec(StepSpec):
    """`actions` in the order in which they are taken without a model."""

    kind: Literal["choose"]
    actions: Annotated[tuple[Action, ...], Field(min_length=1, description="what may be done in this state")]
    watch: tuple[Transition, ...] = Field(
        default=(), description="what calls for another step before anything is picked; once, until its facts change"
    )
    listen: Listen = ()
    on_message: OnMessage | None = Field(default=None, description="what words may tell meanwhile, and where they lead")
    on_exhausted: Targets = Field(description="where to go when nothing listed fits; by reason or `default`")
    bound: int = Field(default=50, ge=1, description="actions of the case, over all states, between two approvals")

    @model_validator(mode="after")
    def _once_each(self) -> ChooseSpec:
        names = [each.called for each in self.actions]
        if len(set(names)) != len(names):
            raise ValueError("each action stands once")
        return self

    def own_reads(self) -> tuple[str, ...]:
        """What its actions, their transitions and its alarms look at, but for their own results."""
        seen = [name for each in self.actions for name in each.names()]
        seen += [name for _, each in self.transitions() for name in each.names()]
        own = {each.save_as for each in self.actions}
        return tuple(dict.fromkeys(name for name in seen if name not in own))

    def looked_up(self, facts: Mapping[str, Fact]) -> tuple[LookedUp, ...]:
        """The calls of its actions. One that is made over and over stands until it may be made again."""
        return tuple(each for action in self.actions if (each := action.looked_up(facts)) is not None)

    def writes(self) -> tuple[str, ...]:
        """The results, where it stands, and what is listened for."""
        return (*self.derives(), *(self.on_message.fields if self.on_message else ()), *self.listen)

    def derives(self) -> tuple[str, ...]:
        """The results, and where it stands."""
        return (*(each.save_as for each in self.actions if each.save_as), PROGRESS)

    def passes(self) -> bool:
        """Never: an action, an alarm or `on_exhausted` says where to."""
        return False

    def targets(self) -> dict[str, ByCode]:
        """Where it leads when nothing fits."""
        return {"on_exhausted": self.on_exhausted}

    def transitions(self) -> tuple[tuple[tuple[str | int, ...], Transition], ...]:
        """Where actions and alarms lead."""
        found: list[tuple[tuple[str | int, ...], Transition]] = [
            (("watch", number), each) for number, each in enumerate(self.watch)
        ]
        for index, action in enumerate(self.actions):
            found += [(("actions", index, "on", number), each) for number, each in enumerate(action.on)]
        heard = self.on_message.on if self.on_message else ()
        return (*found, *((("on_message", "on", number), each) for number, each in enumerate(heard)))
