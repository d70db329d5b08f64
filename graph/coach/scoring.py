"""Scoring by the frontier alone: were the nodes that were touched among those that were due? Style is not scored.

The same events on the same state always give the same points. What is not understood costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from graph.coach.frontier import can_come, rule_of
from graph.coach.hearing import TraineeEvent
from graph.coach.scenario import END, Action, Fallback, Question, Scenario
from graph.coach.state import DrillState, Slip
from graph.model import SlipKind, Text
from graph.phrases import both, text


@dataclass(frozen=True)
class Judgement:
    """What one message was worth. `entered` are the nodes touched that were due, in the order they were due."""

    hit: bool
    points: int
    slips: tuple[Slip, ...]
    entered: tuple[str, ...]
    reason: Text


def judge(scenario: Scenario, state: DrillState, event: TraineeEvent) -> Judgement:
    """Compare what was touched with what was due."""
    due = state.expected_node_ids
    entered = tuple(node for node in event.touched if node in due)
    slips = tuple(
        Slip(kind=kind, node=node, points=scenario.cost(kind))
        for node in event.touched
        if node not in due
        for kind in (_kind(scenario, state, node),)
    )
    return Judgement(
        hit=bool(entered) and not slips,
        points=sum(slip.points for slip in slips),
        slips=slips,
        entered=entered,
        reason=_reason(scenario, state, entered, slips),
    )


def _kind(scenario: Scenario, state: DrillState, node: str) -> SlipKind:
    fallback_due = any(isinstance(scenario.nodes[due], Fallback) for due in state.expected_node_ids)
    if node == END:
        return "missing_fallback" if fallback_due else "early_ending"
    found = scenario.nodes[node]
    later = node not in state.slots and can_come(scenario, state.slots, node)
    if isinstance(found, Question):
        return "skipped_step" if later else "needless_question"
    if fallback_due and isinstance(found, Action):
        return "missing_fallback"
    return "skipped_step" if later else "wrong_branch"


def named(scenario: Scenario, nodes: tuple[str, ...]) -> Text:
    """Nodes with their titles: `A2 (contact the seller)`."""
    found = [
        text("coach.node", id=node, title=text("coach.end") if node == END else scenario.title_of(node)) for node in nodes
    ]
    return Text(zh="、".join(each.zh for each in found), en=", ".join(each.en for each in found))


def _reason(scenario: Scenario, state: DrillState, entered: tuple[str, ...], slips: tuple[Slip, ...]) -> Text:
    due = named(scenario, state.expected_node_ids)
    if not slips:
        if entered:
            return text("coach.right", done=named(scenario, entered))
        return text("coach.nothing", due=due)
    parts = [
        text(
            f"coach.slip_{slip.kind}",
            node=named(scenario, (slip.node,)),
            due=due,
            rule=both(rule_of(scenario, slip.node)),
            known=_known(scenario, state),
            points=str(slip.points),
        )
        for slip in slips
    ]
    return Text(zh="".join(part.zh for part in parts), en=" ".join(part.en for part in parts))


def _known(scenario: Scenario, state: DrillState) -> Text:
    """What is settled so far, as the rules see it."""
    return both(", ".join(f"{node}={value}" for node, value in state.slots.items()))
