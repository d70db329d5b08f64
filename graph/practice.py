"""Practice in a thread: how a drill is opened, and that its thread carries nothing else.

What the trainee says there is for the simulated customer: it is never a request, a question to the handbook or a
correction, and no tool is in reach. What others say there is not heard.
"""

from __future__ import annotations

import hashlib

from graph.engine import Engine
from graph.model import Event, Reply, ReplyCode
from graph.opening import set_out
from graph.phrases import text
from graph.state import RunState
from graph.steps.drill import STARTED
from graph.turn import Turn


def practises(run: RunState | None, engine: Engine) -> bool:
    """Whether the thread's run is a drill, open or over."""
    return run is not None and run.sop is not None and engine.sop_of(run).internal


def set_in(run: RunState, turn: Turn) -> RunState:
    """The run at the first step of the internal procedure that practises. The seed follows from the event's id."""
    event, library = turn.event, turn.engine.library
    sop = next((each for each in library.sops.values() if each.internal), None)
    if sop is None:
        run.status, run.worded = "answered", True
        run.replies = [Reply(kind="note", to=event.actor.id, private=True, text=text("coach.no_practice"))]
        return run
    set_out(run, sop, {}, turn.now)
    seed = int(hashlib.sha256(event.id.encode()).hexdigest()[:8], 16)
    run.notes = {STARTED: {"scenario": event.values.get("scenario", ""), "seed": seed}}
    return run


def private(run: RunState, event: Event) -> list[Reply] | None:
    """What is said to an event in a drill's thread that does not carry the drill on; None for one that does."""
    mine = event.actor.id == run.owner.id
    match event.kind:
        case "practise":
            if not mine:
                return [_refused(event, "not_yours", run)]
            return None if run.over else [_refused(event, "stale", run)]
        case "message":
            return None if mine and not run.over else []
        case "answer" if not mine:
            return [_refused(event, "not_yours", run)]
        case "answer" if not run.over and run.request is not None and event.request == run.request.id:
            return None
        case "timer":
            return []
        case _:
            return [_refused(event, "stale", run)]


def _refused(event: Event, code: ReplyCode, run: RunState) -> Reply:
    return Reply(kind="refused", code=code, to=event.actor.id, private=True, values={"name": run.owner.name})
