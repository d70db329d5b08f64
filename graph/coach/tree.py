"""The scenario as a tree: which node leads to which, found by walking the rules, and the path that a drill took."""

from __future__ import annotations

from graph.coach.frontier import ahead, ending, expected, openings, values
from graph.coach.scenario import END, Question, Scenario
from graph.coach.state import DrillState
from graph.model import NodeTone, Text, TreeEdge, TreeNode
from graph.phrases import text


def tree(scenario: Scenario, state: DrillState) -> tuple[list[TreeNode], list[TreeEdge]]:
    """Nodes and edges, coloured by what was done right and what was not."""
    links: dict[tuple[str, str], list[str]] = {}
    for start in openings(scenario):
        for node in start:
            for target in expected(scenario, start):
                links.setdefault((node, target), [])
        for slots in ahead(scenario, start):
            before = expected(scenario, slots)
            for node in before:
                for value in values(scenario, node):
                    then = {**slots, node: value}
                    targets = (
                        [END]
                        if ending(scenario, then)
                        else [each for each in expected(scenario, then) if each not in before]
                    )
                    for target in targets:
                        found = links.setdefault((node, target), [])
                        if value not in found:
                            found.append(value)
    ids = list(dict.fromkeys([*state.slots, *(name for link in links for name in link)]))
    nodes = [_node(scenario, state, name) for name in [*(n for n in scenario.nodes if n in ids), END]]
    edges = [_edge(scenario, state, source, target, found) for (source, target), found in links.items()]
    return nodes, edges


def _node(scenario: Scenario, state: DrillState, name: str) -> TreeNode:
    slips = [slip for turn in state.turns for slip in turn.slips if slip.node == name]
    title = text("coach.end") if name == END else scenario.title_of(name)
    lines = [text("coach.ended")] if name == END else [Text(zh=f"{name}\n{title.zh}", en=f"{name}\n{title.en}")]
    tone: NodeTone = "plain"
    ended = state.end_reason in ("solution_accepted", "fallback_given")
    if name in state.slots or (name == END and ended):
        tone = "done"
    elif name == END:
        tone = "end"
    if slips:
        tone = "wrong" if tone == "plain" or name == END else tone
        cost = str(sum(slip.points for slip in slips))
        lines.append(text(f"coach.mark_{slips[0].kind}", points=cost))
    return TreeNode(
        id=name, text=Text(zh="\n".join(each.zh for each in lines), en="\n".join(each.en for each in lines)), tone=tone
    )


def _edge(scenario: Scenario, state: DrillState, source: str, target: str, found: list[str]) -> TreeEdge:
    known = scenario.nodes[source]
    labels = [
        known.values[value].label if isinstance(known, Question) else text(f"coach.result_{value}") for value in found
    ]
    if source.startswith("P"):
        labels = []
    reached = target in state.slots or (target == END and state.end_reason in ("solution_accepted", "fallback_given"))
    taken = reached and source in state.slots and (not found or state.slots[source] in found)
    return TreeEdge(
        source=source,
        target=target,
        text=Text(zh="、".join(each.zh for each in labels), en=", ".join(each.en for each in labels)),
        tone="done" if taken else "plain",
    )
