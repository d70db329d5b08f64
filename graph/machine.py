"""Node `step`: the interpreter. It knows no kind of step, only Moves."""

from __future__ import annotations

from langgraph.graph import END
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from graph.corrections import belonging, fallen, forget, go_back, inputs_digest
from graph.dead_ends import endless, undecided
from graph.errors import IncomparableFacts, MissingFact
from graph.exclusive import barred
from graph.logbook import note_move, place_of
from graph.meddling import meddle
from graph.model import Event, Goto, Move, Next, TrailEntry
from graph.sop import Sop
from graph.staking import let_fall, note_way
from graph.standing import shelve
from graph.state import Channels, RunState
from graph.steps import KINDS, AnySpec
from graph.turn import Turn

_ROUNDS = 5  # how often a turn may go over all steps before it is stopped


async def step(state: Channels, runtime: Runtime[Turn]) -> Command[str]:
    """Carry steps out until one waits or the run ends; the next execution pauses at once (law 3)."""
    turn = runtime.context
    run = turn.load(state)
    sop = turn.engine.sop_of(run)
    if run.request is not None:
        interrupt(run.request.id)
        # What LangGraph resumes with may be of an earlier turn that broke off: only this turn's event has been judged.
        turn.begin(run, turn.event)
        _follow(run, sop, await _answer(run, sop, turn.event, turn), turn)
    most = _ROUNDS * len(sop.steps)
    while not run.over:
        if (against := await barred(run, sop, turn)) is not None:
            _follow(run, sop, against, turn)
            break
        if run.request is not None:
            break
        most -= 1
        if run.cursor is None:
            before, run.status = place_of(run), "done"
            note_move(run, Next(), before, turn.now)
        elif most < 0:
            _follow(run, sop, endless(run.cursor, turn.now), turn)
        else:
            _follow(run, sop, await _carry_out(run, sop, sop.step(run.cursor), turn), turn)
    let_fall(run, sop)
    turn.calls.kept_to()
    if run.over and turn.engine.llm is None:
        # Only a model has anything to word.
        run.worded = True
        return Command(goto=END, update=dict(turn.dump(run)))
    return Command(goto="finish" if run.over else "step", update=dict(turn.dump(run)))


async def _answer(run: RunState, sop: Sop, event: Event, turn: Turn) -> Move:
    if run.request is None:
        raise ValueError("nothing waits for an answer")
    ctx = turn.context(run, event)
    move = await meddle(run, sop, run.request, event, ctx)
    if move is not None:
        return move
    spec = sop.step(run.request.step)
    return await KINDS[spec.kind].answered(spec, run.facts, run.request, event, ctx)


async def _carry_out(run: RunState, sop: Sop, spec: AnySpec, turn: Turn) -> Move:
    if spec.id in run.written or (spec.id in run.done and run.done[spec.id] == inputs_digest(run, sop, spec.id)):
        return Next()
    if spec.when is not None:
        try:
            holds = spec.when.holds(run.facts)
        except (MissingFact, IncomparableFacts) as error:
            return undecided(spec.id, spec.when.source, error, turn.now)
        if not holds:
            # What it made while it applied is known no longer: the run stands as if it had been right at once.
            own = [name for name in spec.writes() if run.made.get(name) == spec.id]
            return Next(drop=own, trail=[TrailEntry(step=spec.id, what="skip", at=turn.now, reason=spec.when.source)])
    return await KINDS[spec.kind].run(spec, run.facts, turn.context(run, turn.event))


def _follow(run: RunState, sop: Sop, move: Move, turn: Turn) -> None:
    here, before = run.cursor, place_of(run)
    if isinstance(move, Goto) and not move.again:
        shelve(run, sop)
    if here is not None:
        note_way(run, sop, here, move)
    run.apply(move)
    match move:
        case Next() if here is not None:
            run.done = {**run.done, here: inputs_digest(run, sop, here)}
            run.cursor = sop.after(here)
        case Goto():
            if move.again:
                go_back(run, sop, move.to, decided=move.closed is not None)
            else:
                fields = turn.engine.library.words.fields
                forget(run, [*fallen(sop, run.made, move.set), *belonging(fields, move.set)])
            run.cursor = move.to
    note_move(run, move, before, turn.now)
