"""Nodes `plan`, `qa` and `finish`: the three places where a language model may word or read something."""

from __future__ import annotations

from langgraph.runtime import Runtime
from langgraph.types import Command

from graph.answering import answer
from graph.errors import ModelUnavailable
from graph.logbook import note_plan
from graph.model import Reply
from graph.offering import unclear
from graph.opening import take_up, understood
from graph.practice import set_in
from graph.prompts import summary_messages
from graph.reading.guard import grounded
from graph.recounting import record
from graph.state import Channels
from graph.summary import contradicts
from graph.turn import Turn


async def plan(state: Channels, runtime: Runtime[Turn]) -> Command[str]:
    """Understand the request: a procedure with what was said for it, a question, or neither. One that had to wait its turn
    was understood when it was made."""
    turn = runtime.context
    run = turn.load(state)
    turn.begin(run, turn.event)
    if turn.event.kind == "practise":
        run = set_in(run, turn)
        return Command(goto="step" if run.sop else "__end__", update=dict(turn.dump(run)))
    if run.sop is None:
        heard = await understood(run.text, "plan", turn)
        run.model_calls += heard.reading.model_calls
        sop = turn.engine.library.sops.get(heard.sop or "") if heard.mode == "sop" else None
        if sop is None:
            run.mode = heard.mode if heard.mode in ("question", "chat") else "unclear"
            run.near = list(heard.choices)
            return Command(goto="qa", update=dict(turn.dump(run)))
        take_up(run, heard, sop, turn.now)
    note_plan(run, turn.now)
    return Command(goto="step", update=dict(turn.dump(run)))


async def qa(state: Channels, runtime: Runtime[Turn]) -> Command[str]:
    """Answer from the handbook, or say what the desk can do. Opens no case."""
    turn = runtime.context
    run = turn.load(state)
    engine, to = turn.engine, turn.event.actor.id
    if run.mode == "question":
        reply, calls = await answer(run.text, run.lang, to, engine.library.handbook, engine.llm, engine.sections)
        run.model_calls += calls
    elif run.mode == "chat":
        reply = Reply(kind="note", code="chat", to=to)
    else:
        reply = unclear(run, turn.event, engine.library)
    understood = run.mode == "question" and reply.kind == "policy"
    run.replies = [reply] if understood or turn.event.addressed else []
    run.status, run.worded = "answered", True
    return Command(goto="__end__", update=dict(turn.dump(run)))


async def finish(state: Channels, runtime: Runtime[Turn]) -> Command[str]:
    """Word the end. What a model writes is used only if every number, id and date in it is in the record."""
    turn = runtime.context
    run = turn.load(state)
    llm = turn.engine.llm
    if llm is not None and run.status in ("done", "stopped") and not turn.engine.sop_of(run).internal:
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
