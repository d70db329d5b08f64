"""The steps of a run with their places on the case card."""

from __future__ import annotations

from graph.engine import Engine
from graph.model import StepState, StepView, Text
from graph.phrases import both, catalogue, fact_money, text
from graph.sop import Sop
from graph.state import RunState
from graph.steps import AnySpec, ApproveSpec, AskSpec, CallSpec, CheckSpec, ChooseSpec, DrillSpec, WaitSpec


def step_views(run: RunState, sop: Sop, engine: Engine) -> list[StepView]:
    """Each step: done, skipped and why, now, or still to come."""
    now = run.cursor if not run.over else None
    stopped = run.stopped.step if run.stopped else None
    # What came of a step last: a correction may have made it apply, or not apply any more.
    passed = {entry.step: entry.what for entry in run.trail}
    reasons = {entry.step: entry.reason for entry in run.trail}
    views: list[StepView] = []
    reached = False
    for step in sop.steps:
        state: StepState = "next"
        if step.id in (now, stopped):
            state, reached = ("now", True)
        elif not reached and passed.get(step.id) == "skip":
            state = "skipped"
        elif not reached and step.id in passed:
            state = "done"
        views.append(
            StepView(
                id=step.id,
                kind=step.kind,
                label=_label(step, run, engine),
                state=state,
                why=_skipped(step, reasons[step.id]) if state == "skipped" else None,
                note=_note(step, run) if state == "done" else None,
            )
        )
    return views


def _label(step: AnySpec, run: RunState, engine: Engine) -> Text:
    if step.title is not None:
        return both(step.title.zh or step.id, step.title.en or step.id)
    match step:
        case CallSpec():
            return catalogue().get(f"tools.{step.tool}") or both(step.tool)
        case CheckSpec():
            return text("steps.check")
        case AskSpec():
            labels = [engine.library.words.fields[name].label for name in step.fields]
            named = both("、".join(each.zh for each in labels), ", ".join(each.en for each in labels))
            return text("steps.ask", fields=named)
        case ApproveSpec():
            if next((entry.what for entry in reversed(run.trail) if entry.step == step.id), None) == "auto":
                return text("steps.auto")
            known = [each for each in (run.request, *(each.request for each in reversed(run.closed))) if each]
            level = next((each.level for each in known if each.step == step.id), None)
            label = engine.library.words.authority.levels.get(level or "")
            if label is not None:
                return text("steps.approve_by", level=label.label)
            return text("steps.approve")
        case ChooseSpec():
            return text("steps.choose")
        case WaitSpec():
            return text("steps.wait")
        case DrillSpec():
            return text("steps.drill")
        case _:
            return text("steps.confirm")


def _skipped(step: AnySpec, reason: str) -> Text:
    """Why a step did not apply, in words where the condition is one of the usual ones."""
    if reason == "settled":
        return text("words.settled")
    known = catalogue().get(f"steps.skipped_{step.id}")
    return known or text("steps.skipped", condition=step.when.source if step.when else "")


def _note(step: AnySpec, run: RunState) -> Text | None:
    if isinstance(step, CallSpec):
        fact = run.facts.get(step.save_as)
        if fact is not None and fact.type == "money":
            return both(fact_money(fact))
    return None
