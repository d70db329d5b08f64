"""Where a step can lead, found by the shape of what it holds, so that a new kind of step needs nothing here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from graph.model import Text
from graph.steps import AnySpec
from graph.steps.base import ByCode

Path = tuple[str | int, ...]
REFUSING = ("on_reject", "on_no", "on_fail", "on_error", "on_expire")
"""The keys under which a step leads elsewhere without having done what it is for."""


@dataclass(frozen=True)
class Way:
    """Where a step can lead beside the next one. `done`: what the step is for has happened then."""

    path: Path
    goto: str
    reset: tuple[str, ...]
    done: bool


def ways_of(step: AnySpec) -> list[Way]:
    """Where a step can lead, as the file says."""
    found = []
    for path, part in parts_of(step):
        goto = getattr(part, "goto", None)
        if isinstance(part, BaseModel) and isinstance(goto, str):
            reset = getattr(part, "reset", ())
            found.append(Way(path, goto, tuple(reset or ()), str(path[0]) not in REFUSING))
    return found


def tools_of(step: AnySpec) -> list[str]:
    """The tools that a step calls, or may call."""
    named = (getattr(part, "tool", None) for _, part in parts_of(step) if isinstance(part, BaseModel))
    return [tool for tool in named if isinstance(tool, str)]


def parts_of(part: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """All that a step's spec holds, each part with its place in it."""
    if path:
        yield path, part
    match part:
        case Text():
            return
        case ByCode():
            for code, target in part.targets.items():
                # Written short, the one target has no code of its own.
                yield from parts_of(target, path if list(part.targets) == ["default"] else (*path, code))
        case BaseModel():
            if not path:
                yield path, part
            for name, info in type(part).model_fields.items():
                yield from parts_of(getattr(part, name), (*path, info.alias or name))
        case dict():
            for key, each in part.items():
                yield from parts_of(each, (*path, str(key)))
        case list() | tuple():
            for number, each in enumerate(part):
                yield from parts_of(each, (*path, number))
        case _:
            return
