"""Shipped scenarios and right messages, for the tests of the coach."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from graph.coach.customer import begin
from graph.coach.drill import take
from graph.coach.files import parse_scenarios, scenario_sources
from graph.coach.scenario import END, Question, Scenario
from graph.coach.state import DrillState
from graph.model import Lang

SOPS = Path(__file__).resolve().parents[4] / "sops"
CLOSING = {"zh": "感谢您的咨询，再见", "en": "Thank you for contacting us, goodbye."}
SEEDS = range(32)
"""As many as the invoice's answers have combinations: two questions and three actions of two outcomes each."""


@cache
def scenarios() -> dict[str, Scenario]:
    """The scenarios that are shipped, by name."""
    return dict(parse_scenarios(scenario_sources(SOPS)))


def invoice() -> Scenario:
    """Seed 2's example."""
    return scenarios()["invoice_change"]


def message(scenario: Scenario, node: str, lang: Lang = "zh") -> str:
    """What a trainee says to touch a node."""
    if node == END:
        return CLOSING[lang]
    found = next(each for each in scenario.due_nodes if each.id == node)
    return (found.asks if isinstance(found, Question) else found.tells).in_(lang)


async def play(scenario: Scenario, state: DrillState, *nodes: str) -> DrillState:
    """The drill after messages that touch these nodes."""
    for node in nodes:
        state = await take(scenario, state, message(scenario, node, state.lang))
    return state


async def play_right(scenario: Scenario, seed: int, lang: Lang = "zh") -> DrillState:
    """A drill in which the trainee always does what is due."""
    state = begin(scenario, lang=lang, seed=seed)
    while not state.over:
        state = await play(scenario, state, state.expected_node_ids[0])
    return state


async def at(scenario: Scenario, *slots: str) -> DrillState:
    """A drill in which the customer has revealed these slots (`Q1=self`), by the seed that leads there."""
    for seed in SEEDS:
        state = begin(scenario, lang="zh", seed=seed)
        while not set(slots) <= {f"{name}={value}" for name, value in state.slots.items()} and not state.over:
            state = await play(scenario, state, state.expected_node_ids[0])
        if not state.over and len(state.slots) == len(slots) + 1:
            return state
    raise LookupError(f"no seed leads to {slots}")


def every() -> Iterator[tuple[str, Scenario]]:
    """Each scenario by name."""
    return iter(scenarios().items())
