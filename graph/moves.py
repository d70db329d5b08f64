"""What words in a thread with a case are beside an answer: a correction, a cancel, a hand-over, a wish to see something.

State outranks classification: what answers the question that waits is an answer, whatever else it could be.
"""

from __future__ import annotations

from graph.engine import Engine
from graph.model import Event
from graph.reading import recognise
from graph.reading.changes import Changes, changes
from graph.reading.orders import drops, hands_over
from graph.state import RunState
from graph.subject import named_instead

_SHOWN = ("facts", "trail", "help")


def moved(event: Event, run: RunState | None, engine: Engine) -> Event:
    """The event as what its words are. Those of an answer, a question or anything not recognised stay a message."""
    if event.kind != "message" or run is None or run.sop is None:
        return event
    talk = recognise(event.text)
    if talk in _SHOWN:
        return event.model_copy(update={"kind": "show", "shown": talk})
    if talk == "retry":
        return event.model_copy(update={"kind": "retry"})
    if talk == "cancel" or (talk is None and _drops(event, run, engine)):
        return event.model_copy(update={"kind": "cancel", "reason": event.text})
    if talk is not None:
        return event
    if given := hands_over(event.text):
        to = event.mentioned[0] if given == "named" and len(event.mentioned) == 1 else None
        return event.model_copy(update={"kind": "hand_over", "to": to})
    changed = changed_by(event, run, engine)
    return event if changed is None or (not changed.fields and run.over) else correction(event, changed)


def changed_by(event: Event, run: RunState, engine: Engine) -> Changes | None:
    """What the words of a message correct in this case."""
    words = engine.library.words.fields
    told = [words[name] for name in engine.sop_of(run).told]
    asked = [words[name] for name in (run.request.missing if run.request else []) if name in words]
    return changes(event.text, run.facts, told, asked)


def correction(event: Event, changed: Changes) -> Event:
    """The event of the correction form, with these values and the words they were taken from."""
    values = {name: str(fact.value) for name, fact in changed.fields.items()}
    values |= {problem.field: problem.quote for problem in changed.problems if problem.field not in values}
    quotes = {name: fact.quote or "" for name, fact in changed.fields.items()}
    return event.model_copy(update={"kind": "correct", "values": values, "quotes": quotes})


def _drops(event: Event, run: RunState, engine: Engine) -> bool:
    """Whether the words drop this case. Where free text is asked for they may be the answer: 取消了."""
    fields = engine.library.words.fields
    asked = run.request.missing if run.request else []
    if run.over or any(name in fields and fields[name].type == "text" for name in asked):
        return False
    return drops(event.text) and named_instead(event.text, run.facts, fields, ()) is None
