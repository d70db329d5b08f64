"""What is wrong with a scenario whose shape is right: nodes never reached, dead ends, values nobody can give."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from graph.coach.frontier import ahead, conditions, ending, expected, openings
from graph.coach.hearing import hear_customer, hear_trainee
from graph.coach.scenario import Action, Fallback, Scenario
from graph.errors import IncomparableFacts
from graph.model import Fact, Lang
from graph.sources import Source
from graph.when import Expression

At = tuple[str | int, ...]
_MOST = 20_000
_LANGS: tuple[Lang, ...] = ("zh", "en")


def check(source: Source, scenario: Scenario) -> None:
    """Record every mistake with its place. What follows from a wrong name is looked at only once all names are right."""
    before = len(source.mistakes)
    _ids(source, scenario)
    _groups(source, scenario)
    for at, node in conditions(scenario):
        _names(source, scenario, (*at, "when"), node.when)
    if len(source.mistakes) > before:
        return
    never = _never(source, scenario)
    if not never:
        _paths(source, scenario)
    _words(source, scenario)


def _ids(source: Source, scenario: Scenario) -> None:
    counted = Counter(node.id for node in (*scenario.openings, *scenario.due_nodes))
    for key, nodes in _lists(scenario):
        for index, name in enumerate(nodes):
            if counted[name] > 1:
                source.wrong((key, index, "id"), f"{name!r} stands {counted[name]} times; ids differ", code="twice")


def _groups(source: Source, scenario: Scenario) -> None:
    for at, cues in _cues(scenario):
        for index, cue in enumerate(cues):
            for group in cue.split():
                if group.removeprefix("!") not in scenario.words:
                    wrong = f"{group!r} is no group of `words`"
                    source.wrong((*at, index), wrong, code="unknown-group", text=group, allowed=scenario.words)


def _names(source: Source, scenario: Scenario, at: At, condition: Expression) -> None:
    for name in condition.reads:
        if name not in scenario.domains:
            wrong = f"{name!r} is no node of this scenario; allowed: {', '.join(scenario.domains)}"
            source.wrong(at, wrong, code="unknown-node", text=name, allowed=scenario.domains)
            return
    for name, value in _compared(condition.tree):
        if value not in scenario.domains[name]:
            allowed = scenario.domains[name]
            wrong = f"nobody can give {name} the value {value!r}; its values: {', '.join(allowed)}"
            source.wrong(at, wrong, code="impossible-value", text=value, allowed=allowed)


def _compared(tree: ast.expr) -> Iterator[tuple[str, str]]:
    """Each slot with each literal that it is compared with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            names = [side.id for side in sides if isinstance(side, ast.Name)]
            literals = [
                each.value
                for side in sides
                for each in (side.elts if isinstance(side, ast.List | ast.Tuple) else [side])
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            yield from product(names, literals)


def _never(source: Source, scenario: Scenario) -> bool:
    """Rules that hold for no values at all, or that compare what cannot be compared."""
    found = False
    for at, node in conditions(scenario):
        here = (*at, "when")
        try:
            if not _can_hold(scenario, node.when):
                wrong = f"this can never hold, whatever is answered: {node.when.source}"
                source.wrong(here, wrong, code="never-holds")
                found = True
        except IncomparableFacts as error:
            source.wrong(here, f"{error}; slots hold words, such as Q1 == 'yes'", code="never-holds")
            found = True
    return found


def _can_hold(scenario: Scenario, condition: Expression) -> bool:
    domains = [scenario.domains[name] for name in condition.names]
    for count, values in enumerate(product(*domains)):
        facts = {name: Fact(type="text", value=value) for name, value in zip(condition.names, values, strict=True)}
        if condition.holds(facts) or count > _MOST:
            return True
    return False


def _paths(source: Source, scenario: Scenario) -> None:
    """Walk every path: which nodes are never due, where does it stop before the end, which values lead nowhere new."""
    due: set[str] = set()
    reasons: set[str] = set()
    given: set[tuple[str, str]] = set()
    dead: dict[str, str] = {}
    for start in openings(scenario):
        for slots in ahead(scenario, start):
            given |= set(slots.items())
            reason = ending(scenario, slots)
            here = expected(scenario, slots)
            due |= set(here)
            if reason is not None:
                reasons.add(reason)
            elif not here:
                last = list(slots)[-1]
                dead.setdefault(last, ", ".join(f"{name}={value}" for name, value in slots.items()))
    places = {name: (key, index) for key, nodes in _lists(scenario) for index, name in enumerate(nodes)}
    for node in scenario.due_nodes:
        if node.id not in due:
            wrong = f"{node.id} is never reached: no path makes this hold: {node.when.source}"
            source.wrong((*places[node.id], "when"), wrong, code="unreachable")
    for last, path in dead.items():
        wrong = f"a dead end: after {path} nothing is due and the end is not reached"
        source.wrong(places[last], wrong, code="dead-end")
    for index, end in enumerate(scenario.end):
        if end.reason not in reasons and not dead:
            wrong = f"no path ends in this way: {end.when.source}"
            source.wrong(("end", index, "when"), wrong, code="unreachable")


def _words(source: Source, scenario: Scenario) -> None:
    """The file's own sentences must be heard as what they are, or neither side of a drill could say them."""
    for index, node in enumerate(scenario.questions):
        for lang in _LANGS:
            heard = hear_trainee(scenario, node.asks.in_(lang))
            if node.id not in heard.asked_slots:
                wrong = f"`asks` in {lang} is not heard as {node.id}; add words or cues"
                source.wrong(("questions", index, "cues"), wrong, code="not-heard")
        for value, spec in node.values.items():
            for lang in _LANGS:
                for line in spec.says.in_(lang):
                    if hear_customer(scenario, line).asked_slots_updates.get(node.id) != value:
                        at = ("questions", index, "values", value, "says", lang)
                        wrong = f"nobody can give {node.id} this value: {line!r} is not heard as {value}"
                        source.wrong(at, wrong, code="impossible-value")
    for key, steps in _steps(scenario):
        for index, step in enumerate(steps):
            for lang in _LANGS:
                if step.id not in hear_trainee(scenario, step.tells.in_(lang)).provided_steps:
                    wrong = f"`tells` in {lang} is not heard as {step.id}; add words or cues"
                    source.wrong((key, index, "cues"), wrong, code="not-heard")
    for index, action in enumerate(scenario.actions):
        for result, feedback in (("success", action.success), ("fail", action.fail)):
            for lang in _LANGS:
                for line in (*feedback.says.in_(lang), *feedback.short.in_(lang)):
                    heard_as = hear_customer(scenario, line, action.id).provided_steps_updates.get(action.id)
                    if heard_as != result:
                        wrong = f"{line!r} is not heard as {result}, but as {heard_as}"
                        source.wrong(("actions", index, result), wrong, code="not-heard")


def _lists(scenario: Scenario) -> list[tuple[str, list[str]]]:
    return [
        ("openings", [node.id for node in scenario.openings]),
        ("questions", [node.id for node in scenario.questions]),
        ("actions", [node.id for node in scenario.actions]),
        ("fallbacks", [node.id for node in scenario.fallbacks]),
    ]


def _steps(scenario: Scenario) -> list[tuple[str, Sequence[Action | Fallback]]]:
    return [("actions", scenario.actions), ("fallbacks", scenario.fallbacks)]


def _cues(scenario: Scenario) -> Iterator[tuple[At, tuple[str, ...]]]:
    for index, node in enumerate(scenario.questions):
        yield ("questions", index, "cues"), node.cues
        for value, spec in node.values.items():
            yield ("questions", index, "values", value, "cues"), spec.cues
    for key, steps in _steps(scenario):
        for index, step in enumerate(steps):
            yield (key, index, "cues"), step.cues
