"""A procedure's file as far as it can be read: what is wrong in one place does not hide what is wrong in others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, TypeAdapter

from graph.model import JsonValue
from graph.shapes import mended
from graph.sop_file import SopFile, Vocabulary, check
from graph.sources import Source
from graph.steps import AnySpec
from graph.steps.base import RESERVED

_STEP: TypeAdapter[AnySpec] = TypeAdapter(Annotated[AnySpec, Field(discriminator="kind")])
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True)
class Draft:
    """The readable part of a file. `places` are the numbers its steps have in the file; `whole`: nothing is left out.

    `guessed` are names that the unreadable part may give to facts and steps, so that nobody is sent after them.
    """

    file: SopFile
    places: tuple[int, ...]
    whole: bool = True
    guessed: frozenset[str] = frozenset()


def draft_of(source: Source, words: Vocabulary) -> Draft | None:
    """The draft of a file, with every mistake of the loader recorded; None where nothing can be made of it."""
    if source.data is None:
        return None
    file = source.read(SopFile, source.data)
    found = Draft(file, tuple(range(len(file.steps)))) if file is not None else _rest(source)
    if found is not None:
        source.close((), found.guessed)
        check(source, found.file, words, found.places)
    return found


def _rest(source: Source) -> Draft | None:
    """What is left once the parts that have no right shape are taken out. Nothing more is said about those parts."""
    data = source.data
    if not isinstance(data, dict) or not isinstance(data.get("steps"), list):
        return None
    source.close([each.path[:3] if each.path[:1] == ("steps",) else each.path[:1] for each in source.found])
    listed = data["steps"]
    steps, guessed = {}, set(_names(data.get("fields")))
    for number, entry in enumerate(listed if isinstance(listed, list) else []):
        spec = mended(_STEP, entry)
        if spec is None:
            guessed |= {*_names(entry), *RESERVED}
        else:
            steps[number] = spec
    if not steps:
        return None
    file = mended(TypeAdapter(SopFile), {**_STAND_IN, **data, "steps": []})
    top = file or SopFile.model_validate({**_STAND_IN, "steps": tuple(steps.values())})
    return Draft(top.model_copy(update={"steps": tuple(steps.values())}), tuple(steps), False, frozenset(guessed))


_STAND_IN: dict[str, JsonValue] = {"name": "unnamed", "title": "-", "description": "-"}


def _names(data: JsonValue) -> Iterator[str]:
    """Every word of the data that could be a name."""
    if isinstance(data, str):
        yield from _NAME.findall(data)
    for each in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _names(each)
