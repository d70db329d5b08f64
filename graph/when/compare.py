"""Typed comparison: numbers with numbers, words with words, money of one currency; all else cannot be compared."""

from __future__ import annotations

import ast
from datetime import date
from decimal import Decimal

from graph.errors import IncomparableFacts
from graph.model import Fact
from graph.when.nodes import Operand

_NUMBERS = ("money", "integer", "percent")
_WORDS = ("code", "choice", "text", "phone", "account", "date")


def compare(op: ast.cmpop, left: Operand, right: Operand) -> bool:
    """Whether the comparison holds. IncomparableFacts where the two cannot be compared."""
    if isinstance(op, ast.In | ast.NotIn):
        options = right if isinstance(right, tuple) else (right,)
        found = any(_equal(left, option) for option in options)
        return found if isinstance(op, ast.In) else not found
    if isinstance(op, ast.Eq | ast.NotEq):
        return _equal(left, right) == isinstance(op, ast.Eq)
    sign = _order(left, right)
    match op:
        case ast.Lt():
            return sign < 0
        case ast.LtE():
            return sign <= 0
        case ast.Gt():
            return sign > 0
        case _:
            return sign >= 0


def _equal(left: Operand, right: Operand) -> bool:
    if _is_number(left) and _is_number(right):
        return _order(left, right) == 0
    if _is_word(left) and _is_word(right):
        return _bare(left) == _bare(right)
    if isinstance(_bare(left), bool) and isinstance(_bare(right), bool):
        return _bare(left) is _bare(right)
    raise IncomparableFacts(f"{_kind(left)} cannot be compared with {_kind(right)}")


def _order(left: Operand, right: Operand) -> int:
    """Negative, zero or positive as `left` is below, equal to or above `right`."""
    if _is_number(left) and _is_number(right):
        kinds = {(side.type, side.currency) for side in (left, right) if isinstance(side, Fact)}
        if len(kinds) > 1:
            named = sorted(f"{kind} in {currency}" if currency else kind for kind, currency in kinds)
            raise IncomparableFacts(f"{' and '.join(named)} cannot be compared")
        low, high = _decimal(left), _decimal(right)
        return (low > high) - (low < high)
    if isinstance(left, Fact) or isinstance(right, Fact):
        first, second = _day(left), _day(right)
        if first is not None and second is not None:
            return (first > second) - (first < second)
    raise IncomparableFacts(f"{_kind(left)} has no order with {_kind(right)}")


def _day(side: Operand) -> date | None:
    """The day that a date fact or a literal such as '2026-09-04' stands for."""
    written = side.value if isinstance(side, Fact) and side.type == "date" else side
    if not isinstance(written, str):
        return None
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def _is_number(side: Operand) -> bool:
    return isinstance(side, Decimal) or (isinstance(side, Fact) and side.type in _NUMBERS)


def _is_word(side: Operand) -> bool:
    return isinstance(side, str) or (isinstance(side, Fact) and side.type in _WORDS)


def _decimal(side: Operand) -> Decimal:
    return side if isinstance(side, Decimal) else side.decimal() if isinstance(side, Fact) else Decimal("NaN")


def _bare(side: Operand) -> object:
    return side.value if isinstance(side, Fact) else side


def _kind(side: Operand) -> str:
    if isinstance(side, Fact):
        return f"a {side.type}"
    return "a number" if isinstance(side, Decimal) else f"a {type(side).__name__}"
