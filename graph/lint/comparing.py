"""Comparisons that cannot be made, or that can only turn out one way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from graph.lint.kinds import NUMBERS, WORDS, Facts, Kind, Lacking
from graph.lint.parts import Path
from graph.lint.report import Report
from graph.when import Expression
from graph.when.nodes import Literal, literal_of, path_of


def check_condition(report: Report, path: Path, condition: Expression, facts: Facts) -> bool:
    """Record what is wrong with the comparisons of one condition; whether all can be made."""
    before = len(report)
    for dotted in condition.reads:
        check_path(report, path, dotted, facts)
    if len(report) > before:
        return False
    for node in ast.walk(condition.tree):
        if isinstance(node, ast.Compare):
            for op, (left, right) in zip(node.ops, pairwise([node.left, *node.comparators]), strict=True):
                _check_pair(report, path, op, left, right, facts)
    for name in _alone(condition.tree):
        kind = facts.at(name)
        if isinstance(kind, Kind) and kind.type not in ("", "boolean"):
            wrong = f"{name!r} alone is no yes or no: it is a {kind.type}; compare it with something"
            report.add(path, wrong, code="cannot-compare", text=name)
    return len(report) == before


def check_path(report: Report, path: Path, dotted: str, facts: Facts) -> None:
    """Record a dotted name that leads nowhere."""
    found = facts.at(dotted)
    if isinstance(found, Lacking):
        wrong = f"{dotted!r} leads nowhere: there is no {found.name!r}"
        wrong += f"; allowed: {', '.join(sorted(found.allowed))}" if found.allowed else " in what is no record"
        report.add(path, wrong, code="unknown-fact", text=found.name, allowed=found.allowed, part=dotted)


def _check_pair(report: Report, path: Path, op: ast.cmpop, left: ast.expr, right: ast.expr, facts: Facts) -> None:
    if isinstance(op, ast.In | ast.NotIn):
        for each in right.elts if isinstance(right, ast.List | ast.Tuple) else []:
            _check_pair(report, path, ast.Eq(), left, each, facts)
        return
    sides = [_side(left, facts), _side(right, facts)]
    if any(side.type == "" for side in sides):
        return
    ordered = not isinstance(op, ast.Eq | ast.NotEq)
    if not _comparable(sides[0], sides[1], ordered=ordered):
        shown = [f"{ast.unparse(node)} ({_said(side)})" for node, side in zip((left, right), sides, strict=True)]
        wrong = f"{shown[0]} and {shown[1]} cannot be compared{' by order' if ordered else ''}"
        report.add(path, wrong, code="cannot-compare", text=path_of(left) or path_of(right) or "")
        return
    for node, other, kind in ((left, right, sides[0]), (right, left, sides[1])):
        literal = literal_of(other)
        if path_of(node) and kind.values and isinstance(literal, str) and literal not in kind.values:
            wrong = f"{path_of(node)} is never {literal!r}; allowed: {', '.join(kind.values)}"
            report.add(path, wrong, code="impossible-value", text=literal, allowed=kind.values)


def _comparable(left: Kind, right: Kind, *, ordered: bool) -> bool:
    if left.type in NUMBERS and right.type in NUMBERS:
        return left.type == right.type or _LITERAL in (left, right)
    if ordered:
        return "date" in (left.type, right.type) and {left.type, right.type} <= {"date", "day"}
    words = (*WORDS, "day")
    return (left.type in words and right.type in words) or left.type == right.type == "boolean"


_LITERAL = Kind("integer", ("literal",))


def _side(node: ast.expr, facts: Facts) -> Kind:
    literal = literal_of(node)
    if literal is None:
        kind = facts.at(path_of(node) or "")
        return kind if isinstance(kind, Kind) else Kind()
    return _of_literal(literal)


def _of_literal(literal: Literal) -> Kind:
    if isinstance(literal, bool):
        return Kind("boolean")
    if isinstance(literal, str):
        return Kind("day") if len(literal) == 10 and literal[4:5] == literal[7:8] == "-" else Kind("text")
    return _LITERAL


def _said(kind: Kind) -> str:
    if kind is _LITERAL:
        return "a number"
    return {"day": "a day", "boolean": "true or false"}.get(kind.type, f"a {kind.type}")


def _alone(node: ast.expr) -> Iterator[str]:
    """The names that stand for a yes or no by themselves."""
    match node:
        case ast.BoolOp(values=values):
            for each in values:
                yield from _alone(each)
        case ast.UnaryOp(operand=inner):
            yield from _alone(inner)
        case ast.Compare():
            return
        case _:
            path = path_of(node)
            if path is not None:
                yield path
