"""What is asked of a case itself: how far it is, and why it waits for what it waits for (the step's own `why`, else what
follows from the procedure)."""

from __future__ import annotations

from graph.engine import Engine
from graph.model import Event, Reply, Request, RunView, StepView, Text
from graph.phrases import both, text
from graph.projection import view_of
from graph.reading import recognise
from graph.reading.progress import asks_how_far
from graph.sop import Sop
from graph.state import RunState
from graph.steps import AnySpec

_WITHOUT_THE_AGENT = ("wait", "hold", "park", "approve")


def asked_of(run: RunState, event: Event, engine: Engine) -> Reply | None:
    """The answer to a question about the case; None for any other words. How far it is, is asked while nothing is asked of
    the agent; the surface says it from the case as it stands."""
    request = run.request
    if request is None:
        return None
    if recognise(event.text) == "why":
        words = why(run, request, engine.sop_of(run), view_of(run, engine))
        return Reply(kind="note", code="why", to=event.actor.id, text=words)
    if request.kind in _WITHOUT_THE_AGENT and asks_how_far(event.text):
        until = request.timers[0].due if request.kind in ("wait", "hold") and request.timers else ""
        return Reply(kind="note", code="standing", to=event.actor.id, values={"until": until})
    return None


def why(run: RunState, request: Request, sop: Sop, view: RunView) -> Text:
    """The reason in both languages; where the file gives it in one, the other is what follows from the procedure."""
    own = sop.step(request.step).why
    if own is not None and own.zh and own.en:
        return own
    default = _default(run, request, sop, view)
    return default if own is None else Text(zh=own.zh or default.zh, en=own.en or default.en)


def _default(run: RunState, request: Request, sop: Sop, view: RunView) -> Text:
    step = next(each for each in view.steps if each.id == request.step)
    match request.kind:
        case "ask":
            shown = view.open_request()
            fields = [field.label for field in shown.fields] if shown is not None else []
            users = [each for each in view.steps if _uses(sop, each, request)]
            if fields and users:
                return text("moves.why_used", fields=_listed(fields), steps=_listed([each.label for each in users]))
            return text("moves.why_asked", step=step.label)
        case "approve" if request.amount is not None:
            level = next((each for each in view.requests if each.id == request.id), None)
            return text("moves.why_approve", amount=(level.amount if level else None) or "", step=step.label)
        case "confirm":
            return text("moves.why_confirm")
        case "wait":
            return text("moves.why_wait", step=step.label)
        case "hold":
            return text("moves.why_hold", step=step.label)
        case "park":
            return text("moves.why_park", step=step.label)
        case _:
            return text("moves.why_asked", step=step.label)


def _uses(sop: Sop, step: StepView, request: Request) -> bool:
    """Whether a step after the one that asks looks at what is asked for. Steps that ask themselves are left out."""
    later: tuple[AnySpec, ...] = sop.from_(request.step)[1:]
    spec = next((each for each in later if each.id == step.id), None)
    return spec is not None and spec.kind != "ask" and bool(set(request.missing) & set(sop.reads(spec.id)))


def _listed(names: list[Text]) -> Text:
    return both("、".join(each.zh for each in names), ", ".join(each.en for each in names))
