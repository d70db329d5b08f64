"""What falls and what stands when a case goes back: by correction, by rejection, by an error that leads elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from graph.fields import FieldSpec
from graph.json_text import canonical
from graph.model import Fact, Request
from graph.sop import Sop
from graph.state import RunState
from graph.tools.spec import ToolSpec


def resume_at(sop: Sop, cursor: str, changed: Iterable[str]) -> str:
    """The step to go on from when these facts change: the first up to `cursor` that looks at one of them; `cursor`
    itself when none does."""
    touched = set(changed)
    for step in sop.steps:
        if step.id == cursor or touched & set(sop.reads(step.id)):
            return step.id
    return cursor


def fallen(sop: Sop, made: Mapping[str, str], changed: Iterable[str]) -> list[str]:
    """The facts that do not stand any more when these change: what steps derived from them, directly or through one
    another. What a person said stands until that person says otherwise."""
    told = set(changed)
    touched, found = set(told), list[str]()
    for step in sop.steps:
        if touched & set(sop.reads(step.id)):
            own = [name for name in step.derives() if made.get(name) == step.id and name not in told]
            found += own
            touched |= set(own)
    return found


def belonging(fields: Mapping[str, FieldSpec], changed: Mapping[str, Fact]) -> list[str]:
    """The facts that were told of something that is another now, unless they were told anew."""
    return [name for name, spec in fields.items() if spec.about in changed and name not in changed]


def forget(run: RunState, names: Iterable[str]) -> None:
    """Drop facts that do not stand any more; the steps that made them are carried out again when they are passed."""
    gone = set(names)
    makers = {run.made[name] for name in gone if name in run.made}
    run.facts = {name: fact for name, fact in run.facts.items() if name not in gone}
    run.done = {step: digest for step, digest in run.done.items() if step not in makers}
    run.made = {name: step for name, step in run.made.items() if name not in gone}


def go_back(run: RunState, sop: Sop, to: str, *, decided: bool) -> None:
    """Every step from `to` on runs again. A finished write does not, unless its step says `repeat`. `decided`: that was
    somebody's answer, so that everything is read anew."""
    if decided:
        run.shelf = {}
    again = sop.from_(to)
    run.done = {name: digest for name, digest in run.done.items() if name not in {spec.id for spec in again}}
    for spec in again:
        if spec.id in run.written and getattr(spec, "repeat", False):
            run.written = [name for name in run.written if name != spec.id]
            run.repeats = {**run.repeats, spec.id: run.repeats.get(spec.id, 0) + 1}


def inputs_digest(run: RunState, sop: Sop, step_id: str) -> str:
    """The digest of what a step looks at; a step is not carried out again while it stands."""
    known = {name: run.facts[name].essence() for name in sop.reads(step_id) if name in run.facts}
    return hashlib.sha256(canonical(known).encode()).hexdigest()[:16]


def begins_write(request: Request, tools: Mapping[str, ToolSpec]) -> bool:
    """Whether what waits is a write: once it waits for the back office, its effect is in doubt (law 4)."""
    tool = tools.get(request.tool or "")
    return tool is not None and tool.write
