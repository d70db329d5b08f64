"""What a drill has to tell: hints, whether a turn was right, and the score card. Words in both languages."""

from __future__ import annotations

from collections import Counter

from graph.coach.frontier import rule_of
from graph.coach.scenario import END, Scenario
from graph.coach.scoring import named
from graph.coach.state import DrillState, Turn
from graph.coach.tree import tree
from graph.model import DrillRow, DrillTurn, DrillView, Text
from graph.phrases import both, text


def hint_text(scenario: Scenario, state: DrillState) -> Text:
    """What is due now, and the rule it follows from. Taking it costs points."""
    if state.over:
        return text("coach.over")
    rules = " / ".join(rule_of(scenario, node) for node in state.expected_node_ids)
    return text("coach.hint", due=named(scenario, state.expected_node_ids), rule=both(rules), points=str(scenario.hint))


def right_text(scenario: Scenario, state: DrillState) -> Text:
    """Whether the last message was right."""
    if not state.turns:
        return text("coach.no_turn_yet")
    turn, number = state.turns[-1], len(state.turns)
    line = turn_line(scenario, number, turn)
    return Text(zh=f"{line.zh}。{turn.reason.zh}", en=f"{line.en}. {turn.reason.en}")


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


def drill_view(scenario: Scenario, state: DrillState) -> DrillView:
    """The drill as its cards show it. The tree is drawn only once it is over: before, it would tell what is due."""
    nodes, edges = tree(scenario, state) if state.over else ([], [])
    turns = [
        DrillTurn(line=turn_line(scenario, number, turn), reason=turn.reason if turn.slips else None)
        for number, turn in enumerate(state.turns, 1)
    ]
    return DrillView(
        scenario=scenario.name,
        title=scenario.title,
        goal=scenario.goal,
        over=state.over,
        score=state.score,
        path=path_line(scenario, state),
        turns=turns,
        slips=[
            text("coach.slip_line", number=str(number), reason=turn.reason)
            for number, turn in enumerate(state.turns, 1)
            if turn.slips
        ],
        hints=state.hints,
        why=text(f"coach.why_{state.end_reason}") if state.end_reason else None,
        nodes=nodes,
        edges=edges,
    )


def drill_row(scenario: Scenario, state: DrillState, trainee: str, name: str) -> DrillRow:
    """The drill's line in reports."""
    return DrillRow(
        scenario=scenario.name,
        title=scenario.title,
        trainee=trainee,
        name=name,
        score=state.score,
        reason=state.end_reason or "",
        slips=dict(Counter(slip.kind for turn in state.turns for slip in turn.slips)),
        hints=state.hints,
        turns=len(state.turns),
    )
