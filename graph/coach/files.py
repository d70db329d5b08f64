"""The scenarios of a procedures directory: `scenarios/*.yaml` under it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from graph.coach.lint import check
from graph.coach.scenario import Scenario
from graph.sources import Source, load

DIRECTORY = "scenarios"


def scenario_sources(directory: Path) -> list[Source]:
    """Every scenario's file, read but not judged. None where the directory has no scenarios."""
    return [_read(path) for path in sorted((directory / DIRECTORY).glob("*.yaml"))]


def parse_scenarios(sources: Iterable[Source]) -> Mapping[str, Scenario]:
    """The scenarios without mistakes, by name; the mistakes of the others stand in their sources."""
    found: dict[str, Scenario] = {}
    for source in sources:
        scenario = None if source.mistakes else source.read(Scenario, source.data)
        if scenario is None:
            continue
        check(source, scenario)
        if scenario.name in found:
            source.wrong(("name",), f"{scenario.name!r} is the name of another file's scenario; names differ")
        if not source.mistakes:
            found[scenario.name] = scenario
    return found


def _read(path: Path) -> Source:
    try:
        return load(str(path), path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        return Source(name=str(path), text="", mistakes=[f"{path}:1: cannot be read: {error}"])
