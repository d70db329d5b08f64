"""How a case begins: its run, and what a request says for the procedure that it asks for."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial

from graph.engine import Engine
from graph.library import Library
from graph.model import Actor, Event, Fact, Lang, TrailEntry
from graph.reading import SopCard, Understood, understand
from graph.sop import Sop
from graph.state import RunState, Sealed
from graph.turn import Turn


def run_id_of(thread: str, request: str) -> str:
    """The id of the run that a request opens in a thread: the same whenever it is asked for."""
    return hashlib.sha256(f"{thread}\x1f{request}".encode()).hexdigest()[:32]


def opened(event: Event, run_id: str, case: str, lang: Lang, text: str, *, by: Actor | None = None) -> RunState:
    """A run of which nothing is understood yet."""
    return RunState(
        run=run_id,
        case=case,
        thread=event.thread,
        lang=lang,
        opener=by or event.actor,
        owner=by or event.actor,
        opened_at=event.at.isoformat(),
        updated_at=event.at.isoformat(),
        text=text,
    )


async def understood(text: str, place: str, turn: Turn) -> Understood:
    """What a request wants; a replay understands the same."""
    engine = turn.engine
    reading = partial(understand, text, cards(engine.library), engine.llm, today=engine.today(turn.event.at))
    return await turn.read_once(place, reading, Understood)


def take_up(run: RunState, heard: Understood, sop: Sop, at: str) -> None:
    """Put a run at the beginning of its procedure, with what its first words said."""
    signature = {"by": run.opener.id, "at": at}
    facts = {name: fact.model_copy(update=signature) for name, fact in heard.reading.fields.items()}
    set_out(run, sop, facts, at)
    run.heard = heard.reading.problems


def set_out(run: RunState, sop: Sop, facts: dict[str, Fact], at: str) -> None:
    """Put a run at the beginning of a procedure, with these facts."""
    run.mode = "sop"
    run.sop = Sealed(name=sop.name, digest=sop.digest, text=sop.text)
    run.facts = facts
    run.cursor = sop.steps[0].id
    run.trail = [
        TrailEntry(
            step="plan",
            what="plan",
            at=at,
            by=run.opener.id,
            values={"sop": sop.name} | {name: fact.plain() for name, fact in facts.items() if not fact.sensitive},
        )
    ]


def cards(library: Library) -> Sequence[SopCard]:
    """The procedures as the reader sees them."""
    return library.cards


def startable(library: Library) -> list[Sop]:
    """The procedures that people start; internal ones are begun by the desk alone."""
    return [sop for sop in library.sops.values() if not sop.internal]


def codes_of(run: RunState, engine: Engine) -> set[str]:
    """The codes that a case is about."""
    fields = engine.library.words.fields
    return {str(fact.value) for name, fact in run.facts.items() if name in fields and fields[name].type == "code"}
