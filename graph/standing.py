"""Reads that stand: a correction makes steps run again, but what was asked of the back office with the same arguments
before is not asked again. Whoever decides to go back wants it read anew: then nothing stands."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from graph.json_text import canonical
from graph.model import Fact
from graph.sop import Sop
from graph.state import RunState


def shelve(run: RunState, sop: Sop) -> None:
    """Keep what the reads up to here gave, before a correction makes any of it fall."""
    kept: dict[str, Fact] = {}
    for spec in sop.steps:
        for read in spec.looked_up(run.facts):
            if run.made.get(read.save_as) == spec.id and read.save_as in run.facts:
                kept[_asked(spec.id, read.tool, read.arguments)] = run.facts[read.save_as]
        if spec.id == run.cursor:
            break
    run.shelf = {**run.shelf, **kept}


def stands(run: RunState, step: str, tool: str, arguments: Mapping[str, Fact]) -> bool:
    """Whether this read was made before a correction."""
    return _asked(step, tool, arguments) in run.shelf


def take_down(run: RunState, step: str, tool: str, arguments: Mapping[str, Fact]) -> Fact | None:
    """What this read gave before a correction; None where it has to be made. It stands for one time."""
    asked = _asked(step, tool, arguments)
    found = run.shelf.get(asked)
    if found is not None:
        run.shelf = {name: fact for name, fact in run.shelf.items() if name != asked}
    return found


def _asked(step: str, tool: str, arguments: Mapping[str, Fact]) -> str:
    given = canonical({name: fact.essence() for name, fact in arguments.items()})
    return hashlib.sha256(f"{step}\x1f{tool}\x1f{given}".encode()).hexdigest()[:24]
