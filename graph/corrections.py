"""Correct and cancel: which steps and requests fall when a fact changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graph.sop import Sop
from graph.steps import CallSpec
from graph.tools.spec import ToolSpec


def resume_at(sop: Sop, cursor: str, changed: Iterable[str]) -> str:
    """The step to go on from when these facts change: the first up to `cursor` that depends on them, directly or
    through what an earlier step made of them; `cursor` itself when none does."""
    touched = set(changed)
    for step in sop.steps:
        if touched & set(sop.reads(step.id)):
            return step.id
        if step.id == cursor:
            break
    return cursor


def begins_write(sop: Sop, step_id: str, tools: Mapping[str, ToolSpec]) -> bool:
    """Whether this step is a write: once it waits for the back office, its effect is in doubt (law 4)."""
    step = sop.step(step_id)
    return isinstance(step, CallSpec) and tools[step.tool].write
