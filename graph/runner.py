"""The engine's door: one event in, one outcome out. Whoever calls holds the thread's lease."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from graph.engine import Engine
from graph.errors import StateLost
from graph.execution import Execution
from graph.front import Front
from graph.logbook import refused_line
from graph.meanwhile import meanwhile
from graph.model import Closing, Event, Outcome, Reply, ReplyCode, RunView, Text
from graph.moves import moved
from graph.opening import run_id_of
from graph.overview import AuditStore, Overview
from graph.practice import practises, private
from graph.projection import row_of, view_of
from graph.queueing import Placed, Queueing, apart
from graph.recording import Calls
from graph.records import CaseStore, Checkpointer, Known, Paused, Records
from graph.staking import stake_ends
from graph.state import RunState
from graph.turn import Turn
from graph.unbegun import Unbegun, going_on

log = logging.getLogger(__name__)

_BEGINS: Final = ("message", "practise")
"""What begins a run of its own in a thread without a case."""


class Runner(Overview):
    """Carries cases on. `checkpoints` keeps the state of open runs, `cases` the records of all. `working_on` is told the
    case that a turn is about, and the request that waits in it, once they are known."""

    def __init__(
        self,
        engine: Engine,
        checkpoints: Checkpointer,
        cases: CaseStore,
        audit: AuditStore,
        working_on: Callable[[str, str], None] = lambda case, request: None,
    ) -> None:
        super().__init__(engine, Records(checkpoints, cases), audit)
        self._working_on = working_on
        self._front = Front(engine)
        self._execution = Execution(checkpoints.saver)
        self._queue, self._unbegun = Queueing(engine, self._records), Unbegun(engine, self._records)

    async def advance(self, event: Event, fence: int) -> Outcome:
        """Apply one event to its thread and say what came of it. The same event again gives the same outcome.

        A turn that began a write and broke off is finished first, whatever `event` is (law 4). What asks for no change
        (facts, a question, a refused click) is answered from the state without resuming. ThreadBusy when `fence` is no
        longer the newest; StateLost when the run's procedure can't be carried out.
        """
        try:
            return await self._advanced(event, fence)
        finally:
            # Of a turn that is stored nothing is left here.
            await self.engine.door.journal.finish(event.thread)

    async def _advanced(self, event: Event, fence: int) -> Outcome:
        journal, known = self.engine.door.journal, await self._look(event, fence)
        if known.begun is None:
            return await self._advance(event, fence, known)
        begun = known.begun.event
        if begun.id != event.id:
            log.warning("thread %s: event %s began a write and is finished first", event.thread, begun.id)
        # As it was kept then: one that was set aside and comes back has another time.
        again, run = Calls(known.begun), known.paused.run if known.paused is not None else known.ended
        outcome = await self._advance(begun, fence, known._replace(used=""), again)
        if run is None or begun.id not in run.applied:
            again.kept_to()
        await journal.settled(event.thread, fence)
        if begun.id == event.id:
            return outcome
        return await self._then(event, fence, outcome)

    async def _look(self, event: Event, fence: int) -> Known:
        begins = run_id_of(event.thread, event.id) if event.kind in _BEGINS else ""
        return await self._records.look(event.thread, fence, event.id, begins)

    def form_problems(self, view: RunView, request_id: str | None, values: Mapping[str, str]) -> dict[str, Text]:
        """What is wrong with the fields of a form, by field, in words."""
        return self._front.form_problems(values)

    async def _advance(self, event: Event, fence: int, known: Known, again: Calls | None = None) -> Outcome:
        """One event. `again`: it is a replay, of one that counted when its turn began a write and is not weighed again."""
        paused, calls, judged, again = known.paused, 0, again is not None, again or Calls()
        if paused is not None:
            before = paused.run
            self._working_on(before.case, before.request.id if before.request else "")
            if before.unfinished and again.begun is None and not _its_own(event, before):
                return await self._after_another(paused, event, fence)
            if before.unfinished:
                paused = await self._execution.carry_on(paused, Turn(self.engine, event, fence, calls=again))
                calls, again = paused.run.model_calls - before.model_calls, Calls()
        run = paused.run if paused is not None else known.ended
        waiting = await self._unbegun.behind(run, event)
        said, event = event, moved(event, run, self.engine, waiting)
        if run is not None and (event.id in run.applied or known.used == run.case):
            if again.begun is not None and not self._front.in_doubt(run):
                self.engine.door.journal.was_done(event.thread, again.begun.effect)
            return await self._close(run, event, fence, calls)
        if known.used:
            # Its case is over, and another has begun in the thread since.
            return self._said(await self._records.case(known.used), event, [])
        if run is not None and practises(run, self.engine):
            replies, judged = private(run, event), True
            if replies is not None:
                return self._said(run, event, replies)
        if run is not None and run.sop is not None and not judged and self._front.overheard(run, said, event):
            return self._said(run, event, [])
        if event.kind == "apart":
            return self._said(run, event, [apart(event)])
        if run is None or run.over:
            if event.kind in ("message", "queue", "start", "practise", "begin"):
                return await self._start(event, run, fence, known.claimed, again, waiting)
            return await self._unopened(event, run, fence, waiting, fresh=known.fresh)
        if paused is None:
            raise StateLost(f"case {run.case} is open, but thread {event.thread} has no checkpoint of it")
        if not judged and self._queue.elsewhere(event, run):
            return await self._late(event, None, fence, "stale" if event.request else "cancelled_done")
        placed = await self._queue.placed(event, run, fence)
        if placed.only or (judged and event.request in (None, run.request.id if run.request else None)):
            return await self._resume(paused, event, fence, placed, again)
        if placed.reply is not None:
            return self._said(run, event, [placed.reply])
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
            await self._note(run, event, refused.code, fence)
            return self._said(run, event, [refused])
        return await self._resume(paused, event, fence, placed, again)

    async def _after_another(self, paused: Paused, event: Event, fence: int) -> Outcome:
        """The run's last turn broke off and was given up: it is finished first, and not in the name of this event."""
        run = paused.run
        own = going_on(run, run.owner, f"carry:{run.case}/{event.id}", event)
        carried = await self._execution.carry_on(paused, Turn(self.engine, own, fence))
        first = await self._close(carried.run, own, fence, carried.run.model_calls - run.model_calls)
        # Its replies are to the turn's own event, under whose name they are said when that comes back.
        return await self._then(event, fence, first.model_copy(update={"replies": []}))

    async def _then(self, event: Event, fence: int, first: Outcome) -> Outcome:
        known = (await self._look(event, fence))._replace(fresh=True)
        return (await self._advance(event, fence, known)).after(first)

    async def _start(
        self, event: Event, ended: RunState | None, fence: int, claimed: str, again: Calls, waiting: Sequence[RunState]
    ) -> Outcome:
        run, queue, refused = await self._queue.first(event, self._front.language(event), fence, claimed, waiting)
        if run is None:
            follow = self._unbegun.begins(waiting, event) if event.kind != "start" else []
            said = self._said(ended, event, [refused] if refused is not None else [])
            return said.model_copy(update={"follow": follow})
        self._working_on(run.case, "")
        self._audit.begins(run.case)
        # A queued case was asked for long before.
        since = event.at if event.kind == "start" else event.said_at or event.at
        before, run.queue, run.began = run.model_calls, list(queue), since.isoformat()
        after = await self._execution.begin(run, Turn(self.engine, event, fence, queue=queue, calls=again))
        return await self._close(after.run, event, fence, after.run.model_calls - before, after.value)

    async def _unopened(
        self, event: Event, ended: RunState | None, fence: int, waiting: Sequence[RunState], *, fresh: bool
    ) -> Outcome:
        """What begins no case where none is open: it drops one that waits, or is too late. What waits then begins."""
        meant = self._unbegun.meant(event, ended, waiting, fresh=fresh)
        dropped = await self._unbegun.drop(event, meant, waiting, fence) if meant else None
        if dropped is None:
            late = await self._late(event, ended, fence)
            return late.model_copy(update={"follow": self._unbegun.begins(waiting, event)})
        said = self._said(ended, event, [dropped.reply] if dropped.reply is not None else [])
        queued = [view_of(each, self.engine) for each in dropped.ended]
        return said.model_copy(update={"queued": queued, "follow": dropped.follow})

    async def _resume(self, paused: Paused, event: Event, fence: int, placed: Placed, again: Calls) -> Outcome:
        run, turn = paused.run, Turn(self.engine, event, fence, queue=placed.queue, calls=again)
        # What a turn left unwritten that broke off after its checkpoint, and was given up.
        await self._audit.note(run.case, run.thread, run.log, fence=fence)
        after = await self._execution.resume(paused, turn)
        if event.id not in after.run.applied:
            # The pause had been stored with its request, but not LangGraph's interrupt; now it has one.
            if after.run.request != run.request:
                raise StateLost(f"thread {event.thread} waits for something else than was answered")
            after = await self._execution.resume(after, turn)
        if event.id not in after.run.applied:
            raise StateLost(f"thread {event.thread} waits, but for nothing that can be answered")
        return await self._close(after.run, event, fence, after.run.model_calls - run.model_calls, after.value)

    async def _close(self, run: RunState, event: Event, fence: int, calls: int, dumped: object = None) -> Outcome:
        """Keep what must outlive the checkpoint, and say what came of it. Safe to do again."""
        journal, row = self.engine.door.journal, row_of(run, self.engine) if run.sop is not None else None
        done = journal.done(run.thread)
        used, claim = (run.applied, "") if run.over else ((), run.claim)
        stakes = stake_ends(run) if run.sop is not None else []
        closing = Closing(done, stakes, list(run.reserved.values()), used, claim)
        keeping = self._records.keep(run, row, closing, fence, dumped)
        said = await meanwhile(keeping, lambda: self._said(run, event, list(run.replies), calls))
        journal.stored(run.thread, done)
        follow = await self._queue.settled(run, event, fence)
        return said.model_copy(update={"queued": [view_of(each, self.engine) for each in run.queue], "follow": follow})

    def _said(self, run: RunState | None, event: Event, replies: list[Reply], calls: int = 0) -> Outcome:
        return Outcome(
            thread=event.thread,
            event=event.id,
            lang=run.lang if run is not None else self._front.language(event),
            view=view_of(run, self.engine) if run is not None and run.sop is not None else None,
            replies=replies,
            timers=run.request.timers if run is not None and run.request is not None else [],
            turn_model_calls=calls,
        )

    async def _late(
        self, event: Event, run: RunState | None, fence: int, unknown: ReplyCode = "no_case"
    ) -> Outcome:
        """A click on something of a case that is over, that waits behind another, or that never was."""
        if event.about and (run is None or run.case != event.about):
            run = await self._records.case(event.about) or run
        if event.kind == "timer":
            return self._said(run, event, [])
        if run is None:
            return self._said(None, event, [Reply(kind="refused", code=unknown, to=event.actor.id, private=True)])
        reply = self._front.aside(run, event) or self._front.refusal(run, event) or self._front.stale(run, event)
        if reply.kind == "refused":
            await self._note(run, event, reply.code, fence)
        return self._said(run, event, [reply])

    async def _note(self, run: RunState, event: Event, code: ReplyCode, fence: int) -> None:
        """Something did not count: that stands in the audit log before anybody is told."""
        await self._audit.note(run.case, event.thread, [refused_line(run, event, code)], fence=fence)


def _its_own(event: Event, run: RunState) -> bool:
    """Whether this is the event in whose turn the run broke off."""
    return event.id in run.applied or (event.kind == "start" and event.case == run.case)
