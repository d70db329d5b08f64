"""What a drill outside Slack needs: one scenario, and a model where one is configured."""

from __future__ import annotations

from pathlib import Path

from bot.settings import Settings
from bot.wiring.engine import open_model
from bot.wiring.vocabulary import SHIPPED
from graph.coach.files import parse_scenarios, read_scenario, scenario_sources
from graph.coach.scenario import Scenario
from graph.errors import SopdeskError
from graph.sources import raise_all

__all__ = ["UnknownScenario", "load_scenario", "open_model"]


class UnknownScenario(SopdeskError):
    """There is no such scenario."""


def load_scenario(settings: Settings, name: str) -> Scenario:
    """The scenario of this name, or of this file. UnknownScenario names those there are, SopMistakes what is wrong."""
    named_by_file = name.endswith(".yaml")
    sources = [read_scenario(Path(name))] if named_by_file else scenario_sources(settings.sopdesk_sops or SHIPPED)
    found = parse_scenarios(sources)
    if name in found:
        return found[name]
    raise_all(sources)
    if named_by_file:
        return next(iter(found.values()))
    raise UnknownScenario(f"there is no scenario {name!r}; there are: {', '.join(sorted(found)) or 'none'}")
