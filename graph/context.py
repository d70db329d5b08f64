"""What a step may use while it is carried out: calling, reading, the clock, the people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel

from graph.authority import Authority
from graph.coach.scenario import Scenario
from graph.coach.state import DrillState
from graph.fields import FieldSpec
from graph.model import Actor, Fact, Grant, JsonValue, Lang, Mine, Passage, Problem, Route, Stake, Stakes, Text
from graph.reading import Reading
from graph.rules import RuleSpec
from graph.tools.spec import ToolSpec


@dataclass(frozen=True)
class Situation:
    """What a model is shown when it picks an action: the state, what is offered there with the arguments that are the
    case's own, what is known, and what was wrong with its earlier picks. `place` is new for every question of a turn."""

    place: str
    state: str
    offered: Mapping[str, Mapping[str, JsonValue]]
    known: Mapping[str, JsonValue]
    refused: tuple[str, ...] = ()


class Pick(BaseModel):
    """What a model picked: a name and arguments, not yet judged. `calls` is how often the model was asked."""

    action: str
    arguments: dict[str, JsonValue] = {}
    calls: int = 1


class Services(Protocol):
    """What the machine does on a step's behalf."""

    async def call(self, step: str, tool: str, arguments: Mapping[str, Fact]) -> Fact:
        """Call a tool; writes go through the journal under this step's key. ToolRefused, ToolUnavailable."""
        ...

    def stands(self, step: str, tool: str, arguments: Mapping[str, Fact]) -> bool:
        """Whether there is something to `recall`."""
        ...

    def recall(self, step: str, tool: str, arguments: Mapping[str, Fact]) -> Fact | None:
        """What a read gave with these arguments before a correction, where that stands, for one time: it is not made
        again then."""
        ...

    async def read(self, text: str, fields: Sequence[FieldSpec], prompt: Text | None) -> Reading:
        """Fields out of an answer, each with its evidence."""
        ...

    async def settle(self, step: str, *, done: bool) -> None:
        """A person found out what became of this step's write: it is done, or it may be sent once more."""
        ...

    def ahead(self, step: str) -> tuple[str, ...]:
        """The facts that the steps after `step`, up to the next pause, read."""
        ...

    def routes(self, step: str, facts: Mapping[str, Fact]) -> list[Route]:
        """Where the money would go if `step` were passed with these facts."""
        ...

    def digest(self, names: Sequence[str], facts: Mapping[str, Fact]) -> str:
        """The digest of these facts and of the procedure's text (law 7)."""
        ...

    def correct(self, changed: Mapping[str, Fact]) -> str:
        """The step to go on from when these facts change: the first one that depends on them, else the present one."""
        ...

    def heard(self, fields: Sequence[str]) -> list[Problem]:
        """Why the opening sentence gave none of these fields, where it tried to."""
        ...

    def next_request(self, step: str) -> str:
        """A new request id of this step."""
        ...

    def notes(self) -> Mapping[str, JsonValue]:
        """What steps of this run noted for themselves; see `Move.notes`."""
        ...

    async def pick(self, situation: Situation) -> Pick | None:
        """One of the situation's actions, as a model picks it; None without a model, or when it gives no answer."""
        ...

    async def practise(self, scenario: Scenario, state: DrillState, text: str) -> DrillState:
        """The drill after a message of the trainee. A model, where there is one, helps to hear and to speak."""
        ...

    def rules_before(self, step: str) -> tuple[str, ...]:
        """The rules of the checks before `step`."""
        ...

    def policy(self, words: str) -> Passage | None:
        """What the handbook says on these words; None when nothing fits."""
        ...


class Commits(Protocol):
    """What approvals let happen, kept with the run: see `graph.commitments`."""

    @property
    def run(self) -> str:
        """The run's id."""
        ...

    def mine(self, step: str) -> Mine:
        """Which stakes are those of what `step` approves."""
        ...

    async def look(self, by: str, value: str) -> Stakes:
        """All that is at stake where the fact `by` has this value."""
        ...

    async def reserve(self, by: str, value: str, stake: Stake, version: int, keep: int) -> bool:
        """Put this amount at stake, for `keep` seconds once it is paid. False, and nothing done, when what was looked at
        under `version` is no longer so. ThreadBusy."""
        ...

    def bind(self, step: str, facts: Mapping[str, Fact], to: str | None = None) -> None:
        """Hold all writes to come to these facts, as far as steps look at them that can be come to from `to`, where the
        approval leads; without it, from the following step (law 7)."""
        ...

    def revoke(self, step: str) -> None:
        """What `step` approved does not stand any more; what the decision made known is forgotten with it."""
        ...

    def digests(self, names: Sequence[str], facts: Mapping[str, Fact]) -> dict[str, str]:
        """The digest of each of these facts that is known."""
        ...

    def granted(self, step: str) -> Grant | None:
        """The approval of another amount that is on its way to `step`."""
        ...

    def grant(self, step: str, grant: Grant | None) -> None:
        """Keep such an approval; None forgets it."""
        ...


@dataclass(frozen=True)
class Context:
    """One turn, as a step sees it. `now` is the time the event was stored, so that a replay agrees. `owners` are all whose
    case it has been."""

    services: Services
    now: str
    actor: Actor
    owner: Actor
    opener: Actor
    lang: Lang
    event: str
    fields: Mapping[str, FieldSpec]
    rules: Mapping[str, RuleSpec]
    tools: Mapping[str, ToolSpec]
    authority: Authority
    owners: frozenset[str]
    commits: Commits
    scenarios: Mapping[str, Scenario]
