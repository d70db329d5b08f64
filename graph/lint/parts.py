"""What a step's spec holds, found by its shape, so that a new kind of step needs nothing here.

A model with `tool` and `args` is a call, an expression is a condition, one with `goto` is a way on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from graph.model import Text
from graph.steps import AnySpec
from graph.steps.base import ByCode
from graph.when import Expression

Path = tuple[str | int, ...]
REFUSING = ("on_reject", "on_no", "on_fail", "on_error", "on_expire")
"""The keys under which a step leads elsewhere without having done what it is for."""


@dataclass(frozen=True)
class CallPart:
    """A tool that a step calls, or may call."""

    path: Path
    tool: str
    args: Mapping[str, Expression]
    save_as: str


@dataclass(frozen=True)
class Way:
    """Where a step can lead beside the next one. `done`: what the step is for has happened then."""

    path: Path
    goto: str
    reset: tuple[str, ...]
    done: bool


def calls_of(step: AnySpec) -> list[CallPart]:
    """The calls of a step, where they stand in it."""
    found = []
    for path, part in _walk(step, ()):
        tool, args = getattr(part, "tool", None), getattr(part, "args", None)
        if isinstance(part, BaseModel) and isinstance(tool, str) and isinstance(args, dict):
            found.append(CallPart(path, tool, args, getattr(part, "save_as", None) or ""))
    return found


def conditions_of(step: AnySpec) -> list[tuple[Path, Expression]]:
    """The conditions of a step, its own `when` and those of its parts."""
    return [(path, part) for path, part in _walk(step, ()) if isinstance(part, Expression) and path[-1] == "when"]


def values_of(step: AnySpec) -> list[tuple[Path, Expression]]:
    """The expressions of a step that stand for a value: arguments and the like."""
    return [(path, part) for path, part in _walk(step, ()) if isinstance(part, Expression) and path[-1] != "when"]


def words_of(step: AnySpec) -> list[tuple[Path, Text]]:
    """All that people read of a step."""
    return [(path, part) for path, part in _walk(step, ()) if isinstance(part, Text)]


def ways_of(step: AnySpec) -> list[Way]:
    """Where a step can lead, as the file says."""
    found = []
    for path, part in _walk(step, ()):
        goto = getattr(part, "goto", None)
        if isinstance(part, BaseModel) and isinstance(goto, str):
            reset = getattr(part, "reset", ())
            found.append(Way(path, goto, tuple(reset or ()), str(path[0]) not in REFUSING))
    return found


def _walk(part: object, path: Path) -> Iterator[tuple[Path, object]]:
    if path:
        yield path, part
    match part:
        case Text():
            return
        case ByCode():
            for code, target in part.targets.items():
                # Written short, the one target has no code of its own.
                yield from _walk(target, path if list(part.targets) == ["default"] else (*path, code))
        case BaseModel():
            if not path:
                yield path, part
            for name, info in type(part).model_fields.items():
                yield from _walk(getattr(part, name), (*path, info.alias or name))
        case dict():
            for key, each in part.items():
                yield from _walk(each, (*path, str(key)))
        case list() | tuple():
            for number, each in enumerate(part):
                yield from _walk(each, (*path, number))
        case _:
            return
