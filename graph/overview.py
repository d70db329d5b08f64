"""What can be looked at without changing anything: cases, what waits on whom, the audit log; and who may do what."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, Protocol

from graph.authority import judge
from graph.engine import Engine
from graph.logbook import refused_line
from graph.model import (
    Actor,
    Broken,
    CaseRow,
    Event,
    Fact,
    JsonValue,
    Level,
    Logged,
    LogLine,
    ReplyCode,
    RunView,
    Text,
    Verdict,
    plain_facts,
)
from graph.model.rows import LEADS
from graph.opening import cards, startable
from graph.projection import view_of
from graph.reading.explicit import named
from graph.records import Records
from graph.sop import Sop
from graph.steps import ApproveSpec
from graph.steps.another import read_amount

_LOOKED_AT: Final = 60
"""Of what waits at a level, the oldest: more than anybody decides before they look again."""


class AuditStore(Protocol):
    """The audit log of each case; see `graph.store.audit`."""

    def begins(self, case: str) -> None: ...
    async def note(self, case: str, thread: str, lines: Sequence[LogLine], *, fence: int | None) -> None: ...
    async def of(self, case: str) -> list[Logged]: ...
    async def verify(self, case: str) -> tuple[int, Broken | None]: ...
    async def about(self, order: str) -> list[str]: ...


class Overview:
    """Answers questions from the checkpoints, the records and the log."""

    def __init__(self, engine: Engine, records: Records, audit: AuditStore) -> None:
        self.engine = engine
        self._records = records
        self._audit = audit

    def levels(self) -> dict[str, Level]:
        """The approval levels."""
        return dict(self.engine.library.words.authority.levels)

    def levels_of(self, actor: Actor) -> tuple[str, ...]:
        """The names of the levels that list this person by their own right."""
        return self.engine.library.words.authority.levels_of(actor)

    def leads(self) -> tuple[str, ...]:
        """Who may act for any agent: people, then user groups."""
        authority = self.engine.library.words.authority
        return authority.leads + authority.lead_groups

    def auditors(self) -> tuple[str, ...]:
        """Who may read audit logs beside the leads: people, then user groups."""
        authority = self.engine.library.words.authority
        return authority.auditors + authority.auditor_groups

    def may_act(self, view: RunView, actor: Actor) -> bool:
        """Whether this person may answer, correct, cancel and hand over in this case."""
        return actor.id == view.owner.id or self.engine.library.words.authority.is_lead(actor)

    def may_settle(self, actor: Actor) -> bool:
        """Whether this person may say what became of a write whose result is unknown: a lead."""
        return self.engine.library.words.authority.is_lead(actor)

    async def find(self, thread: str) -> RunView | None:
        """The thread's latest case, or None."""
        run = await self._records.open(thread) or await self._records.latest(thread)
        return None if run is None or run.sop is None else view_of(run, self.engine)

    async def show(self, case: str) -> RunView | None:
        """A case by its id, or None."""
        run = await self._records.case(case)
        return None if run is None or run.sop is None else view_of(run, self.engine)

    async def followed(self, case: str) -> tuple[Sop, RunView] | None:
        """The procedure as a case keeps it, whatever the file says today, and the case; None without one. StateLost."""
        run = await self._records.case(case)
        return None if run is None or run.sop is None else (self.engine.sop_of(run), view_of(run, self.engine))

    async def facts(self, case: str) -> dict[str, JsonValue]:
        """The bare facts of a case, sensitive ones too: for the local command line alone."""
        run = await self._records.case(case)
        return {} if run is None else plain_facts(run.facts)

    async def opening(self, case: str) -> str:
        """The words that a case began with, whole: for the local command line alone."""
        run = await self._records.case(case)
        return "" if run is None else run.text

    async def cases_of(self, actor_id: str, limit: int = 20) -> list[CaseRow]:
        """A person's cases: open ones first, those that changed last first."""
        return await self._records.rows(actor_id, limit)

    async def waiting_for(self, actor: Actor, limit: int = 40) -> list[CaseRow]:
        """What waits for this person, oldest first: questions of their own cases, decisions that would count now, and
        for leads what only they can settle."""
        authority, now = self.engine.library.words.authority, datetime.now(UTC)
        levels = [level for level in authority.levels if authority.may_decide(level, actor, now)]
        places = [*levels, *([LEADS] if authority.is_lead(actor) else [])]
        waiting = await self._records.waiting(places, _LOOKED_AT) if places else []
        counts = await asyncio.gather(*(self._counts(row, actor) for row in waiting))
        rows = await self._records.rows(actor.id, _LOOKED_AT)
        own = [_own(row) for row in rows if row.status == "waiting" and row.asks_agent and row.owner == actor.id]
        found = [*own, *(row for row, counted in zip(waiting, counts, strict=True) if counted)]
        return sorted(found, key=lambda row: row.since or row.updated_at)[:limit]

    def starts(self, words: str) -> bool:
        """Whether the words begin with the name or the title of a procedure that people start."""
        return named(words, cards(self.engine.library)) is not None

    def startable(self) -> dict[str, Text]:
        """The procedures that people start: their titles by name."""
        return {sop.name: sop.noun for sop in startable(self.engine.library)}

    async def refused(self, case: str, event: Event, code: str) -> None:
        """Something did not count before it came to the case's thread, such as a form: that stands in the audit log."""
        run = await self._records.case(case)
        if run is not None and run.sop is not None:
            await self._audit.note(run.case, run.thread, [refused_line(run, event, code)], fence=None)

    def may_audit(self, actor: Actor) -> bool:
        """Whether this person may read the audit log: leads and auditors."""
        return self.engine.library.words.authority.is_auditor(actor)

    async def audit(self, case: str) -> list[Logged]:
        """The audit log of a case."""
        return await self._audit.of(case)

    async def audit_of_order(self, order: str) -> list[Logged]:
        """The audit logs of all cases that were about an order, the earliest case first."""
        return [line for case in await self.cases_about(order) for line in await self._audit.of(case)]

    async def cases_about(self, order: str) -> list[str]:
        """The cases that were ever about an order, the earliest first: also those whose log is gone."""
        return await self._audit.about(order) or await self._audit.about(order.upper())

    async def audit_breaks(self, case: str) -> Broken | None:
        """Where the audit log of a case was tampered with; None when it holds."""
        return (await self._audit.verify(case))[1]

    def may_decide(
        self,
        view: RunView,
        request_id: str,
        actor: Actor,
        verdict: Verdict = "approve",
        choice: str | None = None,
    ) -> ReplyCode:
        """Why this person may not decide on this request now; empty when they may. `choice`: see `judge`."""
        request = next((each for each in view.requests if each.id == request_id), None)
        if request is None or not request.open or request.kind != "approve":
            return "decided" if request is not None and request.closed is not None else "stale"
        authority, now = self.engine.library.words.authority, datetime.now(UTC)
        return judge(authority, request.level or "", actor, request.barred, request.counted, now, verdict, choice).code

    def amount_problem(self, view: RunView, request_id: str, raw: str) -> Text | None:
        """Why this is no amount that may be approved in place of the one that was asked; None when it is one."""
        request = next((each for each in view.requests if each.id == request_id), None)
        if request is None or request.asked is None:
            return None
        sop = self.engine.library.sops.get(view.sop)
        step = next((each for each in sop.steps if each.id == request.step.id), None) if sop else None
        name = step.amount if isinstance(step, ApproveSpec) else ""
        read = read_amount(raw, request.asked, self.engine.library.words.fields.get(name), name or "amount")
        return None if isinstance(read, Fact) else read

    async def _counts(self, row: CaseRow, actor: Actor) -> bool:
        """Whether what this person could do about the row would count: they set no fact of it, nor voted before, unless
        the votes are split, which those who gave them can mend."""
        if row.waits_for != "approve":
            return True
        view = await self.show(row.case)
        request = view.open_request() if view is not None else None
        choice = "" if request is not None and request.split else None
        return view is not None and not self.may_decide(view, row.request, actor, choice=choice)


def _own(row: CaseRow) -> CaseRow:
    """A row of the agent's own: what an approver asked is answered in the thread, not on the approver's card."""
    return row.model_copy(update={"request": ""}) if row.waits_for == "approve" else row
