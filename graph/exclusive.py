"""One open case for each value: the claim is taken when the fact is set, moved when it changes, and given back at the end.

It is looked at again in each turn that goes on, so that a case which lost its claim while it was away goes no further.
"""

from __future__ import annotations

import hashlib

from graph.errors import StateLost
from graph.fields import shown
from graph.json_text import canonical
from graph.model import ClosedRequest, Fact, Stop, TrailEntry
from graph.phrases import text
from graph.sop import Sop
from graph.state import RunState
from graph.turn import Turn


async def barred(run: RunState, sop: Sop, turn: Turn) -> Stop | None:
    """The end of a case whose value another open case has; None when it may go on. What is written stands: from then on
    nothing stops it."""
    fact = run.facts.get(sop.exclusive) if sop.exclusive else None
    known = fact is not None and fact.value not in (None, "")
    value = _named(sop, fact) if fact is not None and known else ""
    run.claim = value
    if fact is None or not value or run.has_written or turn.holds == value:
        return None
    if turn.engine.claims is None:
        raise StateLost(f"{sop.name} allows one case for each {sop.exclusive!r}, but there is no record of claims")
    holder = await turn.engine.claims.take(value, run.case, run.thread, turn.fence)
    if holder != run.case:
        run.claim = ""
        return _stopped(run, sop, fact, holder, turn)
    turn.holds = value
    return None


def _named(sop: Sop, fact: Fact) -> str:
    # Hashed: what a procedure has one case for may be an account.
    words = canonical([sop.name, sop.exclusive, fact.essence()])
    return hashlib.sha256(words.encode()).hexdigest()[:32]


def _stopped(run: RunState, sop: Sop, fact: Fact, holder: str, turn: Turn) -> Stop:
    spec = turn.engine.fields_of(run)[sop.exclusive]
    step = run.cursor or sop.steps[-1].id
    entry = TrailEntry(step=step, what="stop", at=turn.now, reason="exclusive", values={"case": holder})
    return Stop(
        step=step,
        why=text("engine.exclusive", field=spec.label, value=shown(spec, fact), case=holder),
        next=text("engine.exclusive_next", case=holder),
        instead=holder,
        trail=[entry],
        closed=_withdrawn(run, turn),
    )


def _withdrawn(run: RunState, turn: Turn) -> ClosedRequest | None:
    """The end of what the case waits for. A question of this very turn was never put to anybody."""
    waiting, by = run.request, turn.event.actor
    if waiting is None or waiting.made_at == turn.now:
        return None
    ending = {"by": by.id, "name": by.name, "at": turn.now, "event": turn.event.id}
    return ClosedRequest(request=waiting, ending="withdrawn", **ending)
