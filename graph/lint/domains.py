"""A condition over few values: each fact it looks at gets one value out of every range that its literals make."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise

from graph.lint.kinds import NUMBERS, WORDS, Facts, Kind
from graph.when import Expression
from graph.when.nodes import Literal, literal_of, path_of

Value = str | Decimal | bool
OTHER = "\0"
"""A word that no literal of the file names."""
_SIGNS = (Decimal(-1), Decimal(0), Decimal(1))


@dataclass(frozen=True)
class Unknown:
    """What a condition turns on: a fact, how two facts stand to each other, or a comparison nothing is known of."""

    key: str
    names: tuple[str, ...]
    values: tuple[Value, ...]


class NeedsMore(Exception):
    """The condition turns on something that has no value yet."""

    def __init__(self, unknown: Unknown) -> None:
        super().__init__(unknown.key)
        self.unknown = unknown


class Domains:
    """The values that facts can take, for all conditions of one procedure."""

    def __init__(self, facts: Facts, conditions: Iterable[Expression]) -> None:
        self._facts = facts
        self._literals: dict[str, set[Literal]] = {}
        for condition in conditions:
            for node in ast.walk(condition.tree):
                if isinstance(node, ast.Compare):
                    self._note(node)

    def holds(self, condition: Expression, given: Mapping[str, Value]) -> bool:
        """Whether a condition is true of these values. NeedsMore where it turns on something that has none."""
        return self._truth(condition.tree, given)

    def outcomes(self, condition: Expression, given: Mapping[str, Value]) -> Iterator[tuple[bool, dict[str, Value]]]:
        """Each way a condition can turn out, with the values that make it so."""
        try:
            yield self.holds(condition, given), dict(given)
        except NeedsMore as more:
            for value in more.unknown.values:
                yield from self.outcomes(condition, {**given, more.unknown.key: value})

    def _note(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for path in filter(None, map(path_of, sides)):
            found = self._literals.setdefault(path, set())
            for side in sides:
                listed = side.elts if isinstance(side, ast.List | ast.Tuple) else [side]
                found |= {literal for each in listed if (literal := literal_of(each)) is not None}

    def _truth(self, node: ast.expr, given: Mapping[str, Value]) -> bool:
        match node:
            case ast.BoolOp(op=ast.And(), values=values):
                return all(self._truth(each, given) for each in values)
            case ast.BoolOp(values=values):
                return any(self._truth(each, given) for each in values)
            case ast.UnaryOp(operand=inner):
                return not self._truth(inner, given)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [left, *comparators]
                return all(self._compared(op, a, b, given) for op, (a, b) in zip(ops, pairwise(sides), strict=True))
            case _:
                literal, path = literal_of(node), path_of(node) or ""
                return bool(literal if literal is not None else _value(Unknown(path, _names(path), (True, False)), given))

    def _compared(self, op: ast.cmpop, left: ast.expr, right: ast.expr, given: Mapping[str, Value]) -> bool:
        if isinstance(op, ast.In | ast.NotIn):
            listed = right.elts if isinstance(right, ast.List | ast.Tuple) else []
            found = any(self._compared(ast.Eq(), left, each, given) for each in listed)
            return found == isinstance(op, ast.In)
        paths = [path for path in (path_of(left), path_of(right)) if path is not None]
        if len(paths) == 2:
            return self._between(op, paths, given)
        if not paths:
            return _ordered(op, literal_of(left), literal_of(right))
        kind = self._facts.at(paths[0])
        known = self._known(paths[0], kind) if isinstance(kind, Kind) else ()
        if not known:
            text = f"{ast.unparse(left)} {type(op).__name__} {ast.unparse(right)}"
            return bool(_value(Unknown(text, _names(*paths), (True, False)), given))
        value = _value(Unknown(paths[0], _names(*paths), known), given)
        sides = (value, literal_of(right)) if path_of(left) else (literal_of(left), value)
        return _ordered(op, *sides)

    def _between(self, op: ast.cmpop, paths: Sequence[str], given: Mapping[str, Value]) -> bool:
        """How two facts stand to each other, whichever of them is named first."""
        if paths[0] == paths[1]:
            return _ordered(op, Decimal(0), Decimal(0))
        first, second = sorted(paths)
        sign = _value(Unknown(f"{first} ~ {second}", _names(*paths), _SIGNS), given)
        turned = Decimal(str(sign)) if [first, second] == list(paths) else -Decimal(str(sign))
        return _ordered(op, turned, Decimal(0))

    def _known(self, path: str, kind: Kind) -> tuple[Value, ...]:
        """One value of every range; none where nothing is known of the kind."""
        literals = self._literals.get(path, set())
        if kind.values:
            return kind.values
        if kind.type == "boolean":
            return (True, False)
        if kind.type in NUMBERS:
            points = sorted({each for each in literals if isinstance(each, Decimal)} | {*_bounds(kind)})
            return tuple(each for each in _spread(points) if _inside(each, kind))
        words = sorted({each for each in literals if isinstance(each, str)})
        if kind.type == "date":
            days = sorted(each for each in words if _is_day(each))
            return (*_days(days),) if days else ()
        return (*words, OTHER) if kind.type in WORDS else ()


def _value(unknown: Unknown, given: Mapping[str, Value]) -> Value:
    if unknown.key not in given:
        raise NeedsMore(unknown)
    return given[unknown.key]


def _names(*paths: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path.partition(".")[0] for path in paths))


def _ordered(op: ast.cmpop, left: Literal | None, right: Literal | None) -> bool:
    if type(left) is not type(right) or left is None or right is None:
        return isinstance(op, ast.NotEq)
    match op:
        case ast.Eq():
            return left == right
        case ast.NotEq():
            return left != right
        case ast.Lt():
            return left < right  # type: ignore[operator]  # of one type, see above
        case ast.LtE():
            return left <= right  # type: ignore[operator]
        case ast.Gt():
            return left > right  # type: ignore[operator]
        case _:
            return left >= right  # type: ignore[operator]


def _bounds(kind: Kind) -> list[Decimal]:
    return [bound for bound in (kind.low, kind.high) if bound is not None]


def _inside(value: Decimal, kind: Kind) -> bool:
    return not ((kind.low is not None and value < kind.low) or (kind.high is not None and value > kind.high))


def _spread(points: Sequence[Decimal]) -> list[Decimal]:
    """The points, one value between every two, and one beyond either end."""
    if not points:
        return [Decimal(0)]
    between = [(a + b) / 2 for a, b in pairwise(points)]
    return sorted({*points, *between, points[0] - 1, points[-1] + 1})


def _is_day(word: str) -> bool:
    try:
        date.fromisoformat(word)
    except ValueError:
        return False
    return True


def _days(days: Sequence[str]) -> list[str]:
    """The same for days: they order as their writing does."""
    return sorted({"0000-00-00", "9999-99-99", *days, *(f"{day}~" for day in days)})
