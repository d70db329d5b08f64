"""The scenarios of a procedures directory: `scenarios/*.yaml` under it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from graph.coach.lint import check
from graph.coach.scenario import Scenario
from graph.sources import Source, load

DIRECTORY = "scenarios"


def scenario_sources(directory: Path) -> list[Source]:
    """Every scenario's file, read but not judged. None where the directory has no scenarios."""
    return [read_scenario(path) for path in sorted((directory / DIRECTORY).glob("*.yaml"))]


def parse_scenarios(sources: Iterable[Source]) -> Mapping[str, Scenario]:
    """The scenarios without mistakes, by name; the mistakes of the others stand in their sources."""
    found: dict[str, Scenario] = {}
    for source in sources:
        scenario = None if source.mistakes else source.read(Scenario, source.data)
        if scenario is None:
            continue
        check(source, scenario)
        if scenario.name in found:
            source.wrong(("name",), f"{scenario.name!r} is the name of another file's scenario; names differ", code="twice")
        if not source.mistakes:
            version = hashlib.sha256(source.text.encode()).hexdigest()[:16]
            found[scenario.name] = scenario.model_copy(update={"version": version})
    return found


def read_scenario(path: Path) -> Source:
    """One file, read but not judged; a file that cannot be read has that as its mistake."""
    try:
        return load(str(path), path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        source = Source(name=str(path), text="")
        source.unreadable(1, f"cannot be read: {error}")
        return source


def is_scenario(path: Path) -> bool:
    """Whether a file is a scenario, by the directory it lies in."""
    return path.parent.name == DIRECTORY
