"""Nodes `plan`, `qa` and `finish`: the three places where a language model may word or read something."""

from __future__ import annotations

from functools import partial

from langgraph.runtime import Runtime
from langgraph.types import Command

from graph.answering import answer
from graph.errors import ModelUnavailable
from graph.library import Library
from graph.logbook import note_plan
from graph.model import Fact, Reply, TrailEntry
from graph.phrases import both
from graph.prompts import summary_messages
from graph.reading import SopCard, Understood, understand
from graph.reading.guard import grounded
from graph.recounting import record
from graph.state import Channels, RunState, Sealed
from graph.summary import contradicts
from graph.turn import Turn


async def plan(state: Channels, runtime: Runtime[Turn]) -> Command[str]:
    """Understand the request: a procedure with what was said for it, a question, or neither."""
    turn = runtime.context
    run = turn.load(state)
    turn.begin(run, turn.event)
    engine = turn.engine
    reading = partial(
        understand, run.text, cards(engine.library), engine.llm, today=engine.today(turn.event.at)
    )
    heard = await turn.read_once("plan", reading, Understood)
    run.model_calls += heard.reading.model_calls
    sop = engine.library.sops.get(heard.sop or "") if heard.mode == "sop" else None
    if sop is None:
        run.mode = heard.mode if heard.mode in ("question", "chat") else "unclear"
        return Command(goto="qa", update=dict(turn.dump(run)))
    run.mode = "sop"
    run.sop = Sealed(name=sop.name, digest=sop.digest, text=sop.text)
    run.facts = _signed(heard, run, turn)
    run.heard = heard.reading.problems
    run.cursor = sop.steps[0].id
    run.trail = [
        TrailEntry(
            step="plan",
            what="plan",
            at=turn.now,
            by=turn.event.actor.id,
            values={"sop": sop.name} | {name: fact.plain() for name, fact in run.facts.items() if not fact.sensitive},
        )
    ]
    note_plan(run, turn.now)
    return Command(goto="step", update=dict(turn.dump(run)))


async def qa(state: Channels, runtime: Runtime[Turn]) -> Command[str]:
    """Answer from the handbook, or say what the desk can do. Opens no case."""
    turn = runtime.context
    run = turn.load(state)
    engine, to = turn.engine, turn.event.actor.id
    if run.mode == "question":
        reply, calls = await answer(run.text, run.lang, to, engine.library.handbook, engine.llm)
        run.model_calls += calls
    elif run.mode == "chat":
        reply = Reply(kind="note", code="chat", to=to)
    else:
        titles = [sop.noun for sop in engine.library.sops.values()]
        listed = both("、".join(each.zh for each in titles), ", ".join(each.en for each in titles))
        reply = Reply(kind="help", code="not_understood", to=to, text=listed)
    understood = run.mode == "question" and reply.kind == "policy"
    run.replies = [reply] if understood or turn.event.addressed else []
    run.status, run.worded = "answered", True
    return Command(goto="__end__", update=dict(turn.dump(run)))


async def finish(state: Channels, runtime: Runtime[Turn]) -> Command[str]:
    """Word the end. What a model writes is used only if every number, id and date in it is in the record."""
    turn = runtime.context
    run = turn.load(state)
    llm = turn.engine.llm
    if llm is not None and run.status in ("done", "stopped"):
        told = record(run)
        run.model_calls += 1
        try:
            words = await llm.words(summary_messages(told, run.lang))
        except ModelUnavailable as error:
            run.model_calls += error.calls - 1
        else:
            true = words.strip() and grounded(words, [told]) and not contradicts(words, run)
            run.summary = words.strip() if true else ""
    run.worded = True
    return Command(goto="__end__", update=dict(turn.dump(run)))


def cards(library: Library) -> list[SopCard]:
    """The procedures as the reader sees them."""
    return [
        SopCard(
            name=sop.name,
            title=both(sop.title.zh or sop.noun.zh, sop.title.en or sop.noun.en),
            description=both(sop.description.zh or sop.description.en, sop.description.en or sop.description.zh),
            fields=tuple(library.words.fields[name] for name in sop.fields),
        )
        for sop in library.sops.values()
    ]


def _signed(heard: Understood, run: RunState, turn: Turn) -> dict[str, Fact]:
    signature = {"by": run.opener.id, "at": turn.now}
    return {name: fact.model_copy(update=signature) for name, fact in heard.reading.fields.items()}
