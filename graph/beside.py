"""Words in the middle of a case that answer nothing: talk, a question put as none, or a wish for what comes later.

Code decides where it can. A model is asked for a class alone, and the state of the case overrules it (see
`graph.reading.classes`); whatever it says, the case stays where it is.
"""

from __future__ import annotations

from graph.answering import answer
from graph.engine import Engine
from graph.errors import ModelUnavailable
from graph.model import Event, Reply, Request
from graph.phrases import both
from graph.prompts import class_messages
from graph.reading.alone import read_alone
from graph.reading.classes import Class, Stage, by_rules, fallback, read_class, route
from graph.reading.offers import picked
from graph.reading.repair import repaired
from graph.sop import Sop
from graph.state import RunState
from graph.steps import OfferSpec

_STAGES: dict[str, Stage] = {"ask": "gathering", "confirm": "confirming"}


async def beside(engine: Engine, run: RunState, event: Event, *, asking: bool) -> tuple[Reply | None, int]:
    """The reply to words that answer nothing, and how often the model was asked; None where the step that waits takes
    them. `asking`: they are put as a question, which is answered elsewhere unless a rule says what they are."""
    request = run.request
    if request is None or request.kind not in _STAGES or event.kind != "message":
        return None, 0
    sop = engine.sop_of(run)
    if sop.approves or _tells(engine, request, event.text):
        return None, 0
    stage = stage_of(request, sop)
    if asking and by_rules(event.text, stage) is None:
        return None, 0
    named, calls = await _named(engine, event.text, stage)
    sent = route(named, stage)
    if sent == "question":
        meant = question_meant(engine, run, event.text)
        handbook, sections = engine.library.handbook, engine.sections
        reply, more = await answer(meant, run.lang, event.actor.id, handbook, engine.llm, sections)
        return (reply, calls + more) if reply.kind == "policy" else (None, calls + more)
    if sent == "chat":
        return Reply(kind="note", code="chat", to=event.actor.id), calls
    if sent == "gate" and any(isinstance(step, OfferSpec) for step in sop.steps):
        fields = engine.library.words.fields
        missing = [fields[name].label for name in request.missing if name in fields]
        listed = both("、".join(each.zh for each in missing), ", ".join(each.en for each in missing))
        return Reply(kind="note", code="gate", to=event.actor.id, values={"fields": listed.in_(run.lang)}), calls
    return None, calls


def question_meant(engine: Engine, run: RunState, text: str) -> str:
    """A question set right: spelling, and "it" for what was taken of the things laid out, else for the first of them."""
    subject = ""
    for step in engine.sop_of(run).steps:
        if isinstance(step, OfferSpec):
            taken = run.facts[step.save_as].at_path(step.label) if step.save_as in run.facts else None
            offers = run.request.offers if run.request is not None else []
            subject = str(taken.value) if taken is not None else (offers[0].label if offers else "")
    return repaired(text, subject, engine.library.handbook.vocabulary)


def _tells(engine: Engine, request: Request, text: str) -> bool:
    """Whether words give any value that is asked for, or take or turn down what is offered; any sentence could be free
    text, so that counts for nothing."""
    if request.offers:
        said = picked(text, request.offers)
        return bool(said.values or said.denied)
    fields = engine.library.words.fields
    asked = [fields[name] for name in request.missing if name in fields]
    return bool(read_alone(text, [spec for spec in asked if spec.type != "text"], asked=True).fields)


def stage_of(request: Request, sop: Sop) -> Stage:
    """Where the case stands, for the routers."""
    return "offered" if isinstance(sop.step(request.step), OfferSpec) else _STAGES.get(request.kind, "other")


async def _named(engine: Engine, text: str, stage: Stage) -> tuple[Class, int]:
    settled = by_rules(text, stage)
    if settled is not None or engine.llm is None:
        return settled or fallback(stage), 0
    try:
        return read_class(await engine.llm.words(class_messages(text, stage)), stage), 1
    except ModelUnavailable as error:
        return fallback(stage), error.calls
