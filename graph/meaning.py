"""What a model takes words to mean that code could not place while a case waits. It is offered to the agent, never done: a
press says yes."""

from __future__ import annotations

from graph.answering import answer
from graph.engine import Engine
from graph.errors import ModelUnavailable
from graph.fields import FieldSpec, shown
from graph.model import Event, Fact, Reply, Text
from graph.move_prompt import MoveReply, move_messages
from graph.phrases import both, text
from graph.reading import verify
from graph.reading.listening import listen
from graph.reading.stray import strayed
from graph.state import RunState


def unplaced(event: Event, run: RunState, engine: Engine) -> bool:
    """Whether a message answers nothing that waits, as far as code can tell."""
    if event.kind != "message" or run.request is None:
        return False
    fields = engine.library.words.fields
    if run.request.kind != "ask":
        heard = listen(event.text, [fields[name] for name in engine.sop_of(run).listened], today=engine.today(event.at))
        return run.request.kind in ("approve", "hold", "park") and not heard
    asked = [fields[name] for name in run.request.missing if name in fields]
    told, talking = _told(run, engine), not engine.sop_of(run).approves
    reading = strayed(event.text, asked, run.facts, told, engine.today(event.at), talking=talking)
    return reading is not None and reading.stray == "other"


async def meant(event: Event, run: RunState, engine: Engine) -> tuple[Reply | None, int]:
    """The reply to words as a model takes them, and how often it was called: the answer to a question, or the offer of a
    correction, a cancel or a hand-over. None where it finds nothing that the words bear out."""
    llm, told = engine.llm, _told(run, engine)
    if llm is None:
        return None, 0
    try:
        said = await llm.json(move_messages(event.text, told), MoveReply)
    except ModelUnavailable as error:
        return None, error.calls
    to = event.actor.id
    match said.move:
        case "question":
            reply, calls = await answer(event.text, run.lang, to, engine.library.handbook, llm)
            return reply, 1 + calls
        case "cancel":
            return Reply(kind="note", code="meant_cancel", to=to), 1
        case "hand_over":
            return Reply(kind="note", code="to_whom", to=to), 1
        case "correct":
            reading = verify(event.text, said.fields, told, today=engine.today(event.at))
            facts = {name: fact for name, fact in reading.fields.items() if name in said.fields}
            return _offer(facts, run, told, to), 1
        case _:
            return None, 1


def _offer(facts: dict[str, Fact], run: RunState, told: list[FieldSpec], to: str) -> Reply | None:
    """The question whether a correction is meant. What is secret is for the form alone."""
    specs = {spec.name: spec for spec in told if not spec.sensitive}
    new = {
        name: fact
        for name, fact in facts.items()
        if name in specs and name in run.facts and run.facts[name].value != fact.value
    }
    if not new:
        return None
    lines = [text("moves.to_be", field=specs[name].label, value=shown(specs[name], fact)) for name, fact in new.items()]
    listed = both("，".join(line.zh for line in lines), ", ".join(line.en for line in lines))
    values = {f"set.{name}": str(fact.value) for name, fact in new.items()}
    values |= {f"quote.{name}": fact.quote or "" for name, fact in new.items()}
    return Reply(kind="note", code="meant_correct", to=to, text=_asked(listed), values=values)


def _asked(listed: Text) -> Text:
    return text("moves.meant_correct", changes=listed)


def _told(run: RunState, engine: Engine) -> list[FieldSpec]:
    fields = engine.library.words.fields
    return [fields[name] for name in engine.sop_of(run).told if name in fields]
