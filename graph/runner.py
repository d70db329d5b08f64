"""The engine's door: one event in, one outcome out. Whoever calls holds the thread's lease."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from typing import Protocol

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from graph import machine, talk
from graph.engine import Engine
from graph.fields import parse
from graph.front import Front
from graph.model import Actor, CaseRow, Event, JsonValue, Level, Outcome, Problem, Reply, ReplyCode, RunView, Text, plain_facts
from graph.phrases import problem_text
from graph.projection import row_of, view_of
from graph.state import Channels, RunState
from graph.turn import Turn

log = logging.getLogger(__name__)

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Stored(Protocol):
    """A case as the store gives it back."""

    row: CaseRow
    state: dict[str, JsonValue] | None


class CaseStore(Protocol):
    """Where cases are kept; see `graph.store.cases`."""

    async def claim(self, case: str, run: str) -> bool: ...
    async def save(self, row: CaseRow, owner: str, opener: str, state: dict[str, JsonValue] | None) -> None: ...
    async def load(self, case: str) -> Stored | None: ...
    async def latest(self, thread: str) -> Stored | None: ...
    async def of(self, actor: str, limit: int) -> list[CaseRow]: ...


class AuditStore(Protocol):
    """Where decisions and refusals are noted; see `graph.store.audit`."""

    async def note(self, case: str, entry: dict[str, str]) -> None: ...


class Runner:
    """Carries cases on. `saver` keeps the checkpoints of open runs, `cases` the records of all."""

    def __init__(self, engine: Engine, saver: BaseCheckpointSaver[str], cases: CaseStore, audit: AuditStore) -> None:
        self.engine = engine
        self._saver = saver
        self._cases = cases
        self._audit = audit
        self._front = Front(engine)
        self._graph = _build(saver)

    async def advance(self, event: Event, fence: int) -> Outcome:
        """Apply one event to its thread and say what came of it. The same event again gives the same outcome.

        What asks for no change (facts, a question, a refused click) is answered from the state without resuming.
        ThreadBusy when `fence` is no longer the newest; StateLost when the run's procedure can't be carried out.
        """
        run = await self._load(event.thread)
        event = self._front.translated(event, run)
        if run is not None and event.id in run.applied:
            return await self._close(run, event, 0)
        if run is not None and run.over and run.sop is not None and event.kind != "message":
            return await self._late(event, run)
        if run is None or run.over:
            if event.kind == "message":
                aside = self._front.aside(run, event) if run is not None else None
                return await self._start(event, fence) if aside is None else self._said(run, event, [aside])
            return await self._late(event, None)
        aside = self._front.aside(run, event)
        if aside is not None:
            return self._said(run, event, [aside])
        answered, calls = await self._front.question(run, event)
        if answered is not None:
            return self._said(run, event, [answered], calls)
        refused = self._front.refusal(run, event)
        if refused is None and event.kind == "timer" and not self._front.fits(run, event):
            return self._said(run, event, [])
        if refused is not None:
            await self._note(run.case, event, refused.code)
            return self._said(run, event, [refused])
        return await self._resume(run, event, fence)

    async def find(self, thread: str) -> RunView | None:
        """The thread's latest case, or None."""
        run = await self._load(thread)
        return None if run is None or run.sop is None else view_of(run, self.engine)

    async def show(self, case: str) -> RunView | None:
        """A case by its id, or None."""
        run = await self._case(case)
        return None if run is None or run.sop is None else view_of(run, self.engine)

    async def facts(self, case: str) -> dict[str, JsonValue]:
        """The bare facts of a case, sensitive ones too: for the local command line alone."""
        run = await self._case(case)
        return {} if run is None else plain_facts(run.facts)

    async def cases_of(self, actor_id: str, limit: int = 20) -> list[CaseRow]:
        """A person's cases: open ones first, those that changed last first."""
        return await self._cases.of(actor_id, limit)

    def levels(self) -> dict[str, Level]:
        """The approval levels."""
        return dict(self.engine.library.words.authority.levels)

    def leads(self) -> tuple[str, ...]:
        """Who may act for any agent."""
        return self.engine.library.words.authority.leads

    def may_act(self, view: RunView, actor: Actor) -> bool:
        """Whether this person may answer, correct, cancel and hand over in this case."""
        return actor.id == view.owner.id or self.engine.library.words.authority.is_lead(actor)

    def may_decide(self, view: RunView, request_id: str, actor: Actor) -> ReplyCode:
        """Why this person may not decide on this request now; empty when they may."""
        request = next((each for each in view.requests if each.id == request_id), None)
        if request is None or not request.open or request.kind != "approve":
            return "decided" if request is not None and request.closed is not None else "stale"
        if not self.engine.library.words.authority.may_decide(request.level or "", actor):
            return "not_listed"
        return "own_facts" if actor.id in request.barred else ""

    def form_problems(self, view: RunView, request_id: str | None, values: Mapping[str, str]) -> dict[str, Text]:
        """What is wrong with the fields of a form, by field, in words."""
        fields = self.engine.library.words.fields
        found = {name: parse(fields[name], raw) for name, raw in values.items() if name in fields and raw.strip()}
        return {name: problem_text(each, fields[name].label) for name, each in found.items() if isinstance(each, Problem)}

    async def _start(self, event: Event, fence: int) -> Outcome:
        run_id = hashlib.sha256(f"{event.thread}\x1f{event.id}".encode()).hexdigest()[:32]
        run = RunState(
            run=run_id,
            case=await self._new_case(run_id),
            thread=event.thread,
            lang=self._front.language(event),
            opener=event.actor,
            owner=event.actor,
            opened_at=event.at.isoformat(),
            updated_at=event.at.isoformat(),
            text=event.text,
        )
        await self._saver.adelete_thread(event.thread)
        return await self._invoke(run.dump(), event, fence, before=0)

    async def _resume(self, run: RunState, event: Event, fence: int) -> Outcome:
        snapshot = await self._graph.aget_state(_config(event.thread))
        waiting = [each for task in snapshot.tasks for each in task.interrupts]
        if len(waiting) != 1:
            # The pause was stored with its request, but not the interrupt: run on to it, then answer.
            await self._graph.ainvoke(
                None, _config(event.thread), context=Turn(self.engine, event, fence), durability="exit"
            )
            snapshot = await self._graph.aget_state(_config(event.thread))
            waiting = [each for task in snapshot.tasks for each in task.interrupts]
        answer = {waiting[0].id: event.model_dump(mode="json", exclude_defaults=True)}
        return await self._invoke(Command(resume=answer), event, fence, before=run.model_calls)

    async def _invoke(self, given: Channels | Command[str], event: Event, fence: int, *, before: int) -> Outcome:
        await self._graph.ainvoke(given, _config(event.thread), context=Turn(self.engine, event, fence), durability="exit")
        run = await self._open_run(event.thread)
        if run is None:
            raise RuntimeError(f"the run of thread {event.thread} left no checkpoint")
        return await self._close(run, event, run.model_calls - before)

    async def _close(self, run: RunState, event: Event, calls: int) -> Outcome:
        """Keep what must outlive the checkpoint, and say what came of it. Safe to do again."""
        if run.sop is not None:
            state = run.dump()["run"] if run.over else None
            await self._cases.save(row_of(run, self.engine), run.owner.id, run.opener.id, state)
            if event.kind == "decision":
                await self._note(run.case, event, "")
        if run.over:
            await self._saver.adelete_thread(event.thread)
        return self._said(run, event, list(run.replies), calls)

    def _said(self, run: RunState | None, event: Event, replies: list[Reply], calls: int = 0) -> Outcome:
        return Outcome(
            thread=event.thread,
            event=event.id,
            view=view_of(run, self.engine) if run is not None and run.sop is not None else None,
            replies=replies,
            timers=run.request.timers if run is not None and run.request is not None else [],
            turn_model_calls=calls,
        )

    async def _late(self, event: Event, run: RunState | None) -> Outcome:
        """A click on something of a case that is over, or that never was."""
        case = (event.request or "").partition("/")[0]
        if case and (run is None or run.case != case):
            run = await self._case(case) or run
        if event.kind == "timer":
            return self._said(run, event, [])
        if run is None:
            return self._said(None, event, [Reply(kind="refused", code="no_case", to=event.actor.id, private=True)])
        reply = self._front.aside(run, event) or self._front.refusal(run, event) or self._front.stale(run, event)
        if reply.kind == "refused":
            await self._note(run.case, event, reply.code)
        return self._said(run, event, [reply])

    async def _load(self, thread: str) -> RunState | None:
        open_run = await self._open_run(thread)
        if open_run is not None:
            return open_run
        stored = await self._cases.latest(thread)
        return None if stored is None or stored.state is None else RunState.model_validate(stored.state)

    async def _open_run(self, thread: str) -> RunState | None:
        found = await self._saver.aget_tuple(_config(thread))
        if found is None:
            return None
        channels = found.checkpoint["channel_values"]
        return RunState.load(Channels(run=channels["run"])) if "run" in channels else None

    async def _case(self, case: str) -> RunState | None:
        stored = await self._cases.load(case)
        if stored is None:
            return None
        if stored.state is not None:
            return RunState.model_validate(stored.state)
        run = await self._open_run(stored.row.thread)
        return run if run is not None and run.case == case else None

    async def _new_case(self, run_id: str) -> str:
        """A short id nobody else has; the same run always gets the same one."""
        number = int(run_id, 16)
        for length in range(4, 16):
            case = "C-" + "".join(_ALPHABET[(number >> (5 * index)) & 31] for index in range(length))
            if await self._cases.claim(case, run_id):
                return case
        raise RuntimeError("no free case id was found")

    async def _note(self, case: str, event: Event, code: ReplyCode) -> None:
        await self._audit.note(
            case,
            {
                "event": event.id,
                "kind": event.kind,
                "request": event.request or "",
                "verdict": event.verdict or "",
                "by": event.actor.id,
                "at": event.at.isoformat(),
                "refused": code,
            },
        )


def _config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}}


def _build(saver: BaseCheckpointSaver[str]) -> CompiledStateGraph[Channels, Turn, Channels, Channels]:
    graph = StateGraph(Channels, context_schema=Turn)
    graph.add_node("plan", talk.plan, destinations=("step", "qa"))
    graph.add_node("qa", talk.qa, destinations=(END,))
    graph.add_node("step", machine.step, destinations=("step", "finish"))
    graph.add_node("finish", talk.finish, destinations=(END,))
    graph.add_edge(START, "plan")
    return graph.compile(checkpointer=saver)
