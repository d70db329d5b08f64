"""What Slack's edge asks of the engine. `graph.runner` is the real one; tests bring a scripted one."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from graph.model import (
    Actor,
    Broken,
    CaseRow,
    Delegation,
    Event,
    Level,
    Logged,
    Outcome,
    ReplyCode,
    RunView,
    ScenarioRow,
    Text,
    Verdict,
)


class Delegates(Protocol):
    """Who stands in for whom."""

    async def put(self, delegation: Delegation) -> None:
        """Name a delegate, in place of the one named before."""
        ...

    async def drop(self, of: str) -> Delegation | None:
        """End a delegation before its time; the one that was ended."""
        ...

    async def standing(self, now: datetime) -> list[Delegation]:
        """The delegations that hold now."""
        ...


class Practice(Protocol):
    """What can be practised, and how it went."""

    def scenarios(self) -> list[ScenarioRow]:
        """The scenarios there are."""
        ...

    async def drills(self, limit: int) -> list[CaseRow]:
        """The drills that have ended, the newest first."""
        ...


class Desk(Protocol):
    """The engine as seen from Slack's edge."""

    async def advance(self, event: Event, fence: int) -> Outcome:
        """Carry the thread on by one event, under the lease's number. Only the worker calls it."""
        ...

    async def find(self, thread: str) -> RunView | None:
        """The latest case of a thread, open or over."""
        ...

    async def show(self, case: str) -> RunView | None:
        """A case by its id, as `C-7K3F`."""
        ...

    async def cases_of(self, actor_id: str, limit: int = 20) -> list[CaseRow]:
        """A person's cases: open ones first, then the newest."""
        ...

    async def waiting_for(self, actor: Actor, limit: int = 40) -> list[CaseRow]:
        """What waits for this person, oldest first."""
        ...

    async def refused(self, case: str, event: Event, code: str) -> None:
        """Note in the audit log that something did not count before it came to the engine."""
        ...

    def starts(self, words: str) -> bool:
        """Whether the words begin with the name or the title of a procedure that people start."""
        ...

    def startable(self) -> dict[str, Text]:
        """The procedures that people start: their titles by name."""
        ...

    def may_audit(self, actor: Actor) -> bool:
        """Whether this person may read audit logs."""
        ...

    async def audit(self, case: str) -> list[Logged]:
        """The audit log of a case."""
        ...

    async def audit_of_order(self, order: str) -> list[Logged]:
        """The audit logs of all cases that were about an order."""
        ...

    async def cases_about(self, order: str) -> list[str]:
        """The cases that were ever about an order."""
        ...

    async def audit_breaks(self, case: str) -> Broken | None:
        """Where an audit log was tampered with; None when it holds."""
        ...

    def levels(self) -> dict[str, Level]:
        """Who decides, by the level's name."""
        ...

    def levels_of(self, actor: Actor) -> tuple[str, ...]:
        """The names of the levels that list this person by their own right."""
        ...

    def leads(self) -> tuple[str, ...]:
        """Users and user groups who may act for an agent."""
        ...

    def auditors(self) -> tuple[str, ...]:
        """Users and user groups who may read audit logs."""
        ...

    def may_act(self, view: RunView, actor: Actor) -> bool:
        """Whether this person may answer, correct, cancel, hand over and retry in this case."""
        ...

    def may_settle(self, actor: Actor) -> bool:
        """Whether this person may say what became of a write whose result is unknown."""
        ...

    def may_decide(
        self,
        view: RunView,
        request_id: str,
        actor: Actor,
        verdict: Verdict = "approve",
        choice: str | None = None,
    ) -> ReplyCode:
        """Empty when this person may decide so on the request now; else why not. `choice`: an option's id, or
        ANOTHER_AMOUNT."""
        ...

    def amount_problem(self, view: RunView, request_id: str, raw: str) -> Text | None:
        """Why this amount cannot be approved in place of the one that was asked; None when it can."""
        ...

    def form_problems(self, view: RunView, request_id: str | None, values: dict[str, str]) -> dict[str, Text]:
        """For each field of a form that cannot be taken: why not, to be shown under it."""
        ...
