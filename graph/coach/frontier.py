"""The frontier: which nodes may be touched now. Computed from the rules and what is known, and from nothing else."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from graph.coach.scenario import END, Action, End, EndReason, Fallback, Opening, Question, Scenario
from graph.model import Fact
from graph.when import Expression

Slots = Mapping[str, str]
_UNKNOWN = ""
_MOST = 100_000


def holds(scenario: Scenario, condition: Expression, slots: Slots) -> bool:
    """Whether the condition is certain: true whatever the slots that are not known yet turn out to be."""
    open_ = [name for name in condition.names if name not in slots]
    for values in product(*((_UNKNOWN, *scenario.domains[name]) for name in open_)):
        known = {**slots, **dict(zip(open_, values, strict=True))}
        if not condition.holds({name: Fact(type="text", value=known[name]) for name in condition.names}):
            return False
    return True


def ending(scenario: Scenario, slots: Slots) -> EndReason | None:
    """Why the talk is over; None while it is not."""
    return next((end.reason for end in scenario.end if holds(scenario, end.when, slots)), None)


def expected(scenario: Scenario, slots: Slots) -> list[str]:
    """The nodes that may be touched now, in the order of the file: entered by no one yet, and their condition holds."""
    if ending(scenario, slots) is not None:
        return []
    return [node.id for node in scenario.due_nodes if node.id not in slots and holds(scenario, node.when, slots)]


def openings(scenario: Scenario) -> Iterator[dict[str, str]]:
    """What is known at the start, by each way to begin."""
    for node in scenario.openings:
        yield {node.id: "yes"}


def ahead(scenario: Scenario, start: Slots) -> Iterator[dict[str, str]]:
    """Every state of knowledge that the rules lead to from `start`, itself included. ValueError where they are too many."""
    seen = {frozenset(start.items())}
    queue = deque([dict(start)])
    while queue:
        slots = queue.popleft()
        yield slots
        for node in expected(scenario, slots):
            for value in values(scenario, node):
                then = {**slots, node: value}
                key = frozenset(then.items())
                if key not in seen:
                    if len(seen) >= _MOST:
                        raise ValueError(f"the rules lead to more than {_MOST} states; ask fewer things at a time")
                    seen.add(key)
                    queue.append(then)


def values(scenario: Scenario, node: str) -> tuple[str, ...]:
    """What can become of a node once it is touched; a fallback that is given is given."""
    return ("success",) if isinstance(scenario.nodes[node], Fallback) else scenario.domains[node]


def can_come(scenario: Scenario, slots: Slots, node: str) -> bool:
    """Whether the node's turn can still come on this branch."""
    return any(node in expected(scenario, later) for later in ahead(scenario, slots))


def rule_of(scenario: Scenario, node: str) -> str:
    """The node's entry condition, as the file has it."""
    if node == END:
        return " or ".join(end.when.source for end in scenario.end)
    found = scenario.nodes[node]
    return "" if isinstance(found, Opening) else found.when.source


def conditions(scenario: Scenario) -> Iterator[tuple[tuple[str | int, ...], Question | Action | Fallback | End]]:
    """Everything that has a rule, with its place in the file."""
    places: list[tuple[str, Sequence[Question | Action | Fallback | End]]] = [
        ("questions", scenario.questions),
        ("actions", scenario.actions),
        ("fallbacks", scenario.fallbacks),
        ("end", scenario.end),
    ]
    for key, nodes in places:
        for index, node in enumerate(nodes):
            yield (key, index), node
