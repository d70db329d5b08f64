"""What a drill has to tell: hints, whether a turn was right, and the score card. Words in both languages."""

from __future__ import annotations

from graph.coach.frontier import rule_of
from graph.coach.scenario import END, Scenario
from graph.coach.scoring import named
from graph.coach.state import DrillState, Turn
from graph.model import Text
from graph.phrases import both, text


def hint_text(scenario: Scenario, state: DrillState) -> Text:
    """What is due now, and the rule it follows from. Taking it costs points."""
    if state.over:
        return text("coach.over")
    rules = " / ".join(rule_of(scenario, node) for node in state.expected_node_ids)
    return text("coach.hint", due=named(scenario, state.expected_node_ids), rule=both(rules), points=str(scenario.hint))


def turn_line(scenario: Scenario, number: int, turn: Turn) -> Text:
    """One turn: what was due, what was done, and the points it cost."""
    return text(
        "coach.turn",
        number=str(number),
        due=named(scenario, turn.expected),
        done=named(scenario, turn.touched) if turn.touched else text("coach.no_step"),
        points=text("coach.minus", points=str(turn.points)) if turn.points else text("coach.no_points"),
    )


def path_line(scenario: Scenario, state: DrillState) -> Text:
    """The nodes that were due and done, in order, with the slips where they happened."""
    parts: list[Text] = []
    for turn in state.turns:
        parts += [_short(scenario, node) for node in turn.touched if node in turn.expected]
        parts += [
            text(f"coach.short_{slip.kind}", node=_short(scenario, slip.node), points=str(slip.points))
            for slip in turn.slips
        ]
    if state.over and state.end_reason != "ended_by_trainee":
        parts.append(text("coach.ended"))
    return Text(zh=" → ".join(part.zh for part in parts), en=" → ".join(part.en for part in parts))


def score_lines(scenario: Scenario, state: DrillState) -> list[Text]:
    """The score card as plain lines."""
    lines = [text("coach.score", score=str(state.score), title=scenario.title), path_line(scenario, state)]
    for number, turn in enumerate(state.turns, 1):
        lines.append(turn_line(scenario, number, turn))
        if turn.slips:
            lines.append(turn.reason)
    lines.append(text("coach.hints", count=str(state.hints)))
    if state.end_reason is not None:
        lines.append(text(f"coach.why_{state.end_reason}"))
    return lines


def _short(scenario: Scenario, node: str) -> Text:
    title = text("coach.end") if node == END else scenario.title_of(node)
    return Text(zh=f"{node} {title.zh}", en=f"{node} {title.en}")
