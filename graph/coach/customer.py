"""The customer's first layer: which reply is due. The second, `graph.coach.speaker`, only words it.

What the customer will answer is settled by the seed: it counts through the answers of all nodes, so that neighbouring
seeds give different paths and every path has a seed.
"""

from __future__ import annotations

from dataclasses import dataclass

from graph.coach.frontier import values
from graph.coach.scenario import Action, Fallback, Opening, Question, Scenario
from graph.coach.scoring import Judgement
from graph.coach.state import DrillState, IntentKind, Persona, with_slot
from graph.model import Lang


@dataclass(frozen=True)
class Intent:
    """What the customer's next reply must say, and no more. `facts` may be said: the new one and those shown before."""

    kind: IntentKind
    node: str | None = None
    value: str | None = None
    facts: tuple[str, ...] = ()


def begin(scenario: Scenario, *, lang: Lang, persona: Persona = "plain", seed: int = 0) -> DrillState:
    """A new drill: the customer has said the opening."""
    opening = scenario.openings[seed % len(scenario.openings)]
    state = DrillState(
        scenario=scenario.name,
        version=scenario.version,
        lang=lang,
        persona=persona,
        seed=seed,
        opening=pick(opening.says.in_(lang), seed),
        hint_cost=scenario.hint,
    )
    return with_slot(scenario, state, opening.id, "yes").model_copy(update={"stage": "S0"})


def answer(scenario: Scenario, state: DrillState, node: str) -> str:
    """What becomes of a node when it is touched: a slot value, or a step's result."""
    found = scenario.nodes[node]
    if isinstance(found, Action) and state.persona in ("easy", "unlucky"):
        return "success" if state.persona == "easy" else "fail"
    count = state.seed
    for each in scenario.nodes.values():
        if isinstance(each, Opening):
            continue
        options = values(scenario, each.id)
        if each.id == node:
            return options[count % len(options)]
        count //= len(options)
    raise KeyError(node)


def plan(scenario: Scenario, state: DrillState, judged: Judgement, repeated: str | None) -> Intent:
    """The reply to a message: an answer to what was due, else to what was asked again, else the problem once more."""
    shown = state.visible_facts
    if not judged.entered:
        if repeated is not None:
            return Intent("answer_slot", repeated, state.slots[repeated], shown)
        return Intent("repeat_problem", facts=shown)
    node = judged.entered[0]
    value = answer(scenario, state, node)
    found = scenario.nodes[node]
    if isinstance(found, Question):
        return Intent("answer_slot", node, value, (*shown, f"{node}={value}"))
    if isinstance(found, Fallback):
        return Intent("acknowledge", node, value, shown)
    curt = state.persona == "brief"
    if value == "success":
        return Intent("acknowledge" if curt else "feedback_step_result", node, value, shown)
    return Intent("needs_fallback" if curt else "feedback_step_result", node, value, shown)


def asked_again(scenario: Scenario, state: DrillState, touched: tuple[str, ...]) -> str | None:
    """A question among the nodes touched that was answered before: its answer may be repeated."""
    return next((node for node in touched if node in state.slots and isinstance(scenario.nodes[node], Question)), None)


def pick(lines: tuple[str, ...], seed: int) -> str:
    """One of the lines, always the same for the same seed."""
    return lines[(seed // 7) % len(lines)]
