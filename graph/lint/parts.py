"""What a step's spec holds, found by its shape, so that a new kind of step needs nothing here.

A model with `tool` and `args` is a call, an expression is a condition; `graph.ways` finds the ways on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from graph.model import Text
from graph.steps import AnySpec
from graph.ways import Path, parts_of
from graph.when import Expression

__all__ = ["CallPart", "Path", "calls_of", "conditions_of", "values_of", "words_of"]


@dataclass(frozen=True)
class CallPart:
    """A tool that a step calls, or may call."""

    path: Path
    tool: str
    args: Mapping[str, Expression]
    save_as: str


def calls_of(step: AnySpec) -> list[CallPart]:
    """The calls of a step, where they stand in it."""
    found = []
    for path, part in parts_of(step):
        tool, args = getattr(part, "tool", None), getattr(part, "args", None)
        if isinstance(part, BaseModel) and isinstance(tool, str) and isinstance(args, dict):
            found.append(CallPart(path, tool, args, getattr(part, "save_as", None) or ""))
    return found


def conditions_of(step: AnySpec) -> list[tuple[Path, Expression]]:
    """The conditions of a step, its own `when` and those of its parts."""
    return [(path, part) for path, part in parts_of(step) if isinstance(part, Expression) and path[-1] == "when"]


def values_of(step: AnySpec) -> list[tuple[Path, Expression]]:
    """The expressions of a step that stand for a value: arguments and the like."""
    return [(path, part) for path, part in parts_of(step) if isinstance(part, Expression) and path[-1] != "when"]


def words_of(step: AnySpec) -> list[tuple[Path, Text]]:
    """All that people read of a step."""
    return [(path, part) for path, part in parts_of(step) if isinstance(part, Text)]
