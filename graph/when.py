"""Conditions and arguments: small expressions over facts, parsed once, from an allow-list.

Names and dotted paths are facts; quoted strings, numbers, true and false are literals; `== != < <= > >= in not in`,
`and or not` and parentheses combine them. Nothing else is accepted, and nothing is ever passed to `eval`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation

from graph.errors import ExpressionError, IncomparableFacts, MissingFact
from graph.model import Fact

_NUMBERS = ("money", "integer", "percent")
_WORDS = ("code", "choice", "text", "phone", "account", "date")
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)
_ALLOWED = "names, dotted names, strings, numbers, == != < <= > >= in, and or not, ( )"
_MAX_LENGTH = 500

Literal = str | Decimal | bool
Operand = Fact | Literal | tuple[Literal, ...]


@dataclass(frozen=True)
class Expression:
    """A compiled expression. `reads` are the dotted paths of the facts it may look at, in order of appearance."""

    source: str
    reads: tuple[str, ...]
    tree: ast.expr

    @property
    def names(self) -> tuple[str, ...]:
        """The facts read, without the paths into them."""
        return tuple(dict.fromkeys(path.partition(".")[0] for path in self.reads))

    def holds(self, facts: Mapping[str, Fact]) -> bool:
        """Whether the condition is true of these facts.

        Raises MissingFact where a fact that matters is not known and IncomparableFacts where two cannot be compared:
        a condition never turns false for lack of knowledge.
        """
        return _truth(self.tree, facts)

    def value(self, facts: Mapping[str, Fact]) -> Fact:
        """The single value an argument stands for. MissingFact when it is not known."""
        found = _operand(self.tree, facts)
        if isinstance(found, Fact):
            return found
        if isinstance(found, bool):
            return Fact(type="boolean", value=found)
        if isinstance(found, Decimal):
            if found == found.to_integral_value():
                return Fact(type="integer", value=int(found))
            return Fact(type="percent", value=str(found))
        if isinstance(found, str):
            return Fact(type="text", value=found)
        raise ExpressionError(f"{self.source!r} is a list; an argument is a single value")


def compile_condition(source: str) -> Expression:
    """A condition. ExpressionError names what is not allowed in it."""
    expression = _compile(source)
    _check_truth(expression.tree, source)
    return expression


def compile_value(source: str) -> Expression:
    """An argument: a fact's name, a dotted path, or a literal."""
    expression = _compile(source)
    _check_operand(expression.tree, source, lists=False)
    return expression


def _compile(source: str) -> Expression:
    if len(source) > _MAX_LENGTH:
        raise ExpressionError(f"an expression may have {_MAX_LENGTH} signs, this has {len(source)}")
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"{source!r} cannot be read; allowed: {_ALLOWED}") from error
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            _refuse_rounded(node, source)
    paths: list[str] = []
    _collect(tree, paths)
    return Expression(source=source, reads=tuple(dict.fromkeys(paths)), tree=tree)


def _refuse_rounded(node: ast.Constant, source: str) -> None:
    """A number whose digits a float cannot hold would be compared as another number."""
    written = ast.get_source_segment(source.strip(), node) or ""
    if _number(written) is None or _number(written) != _number(ast.unparse(node)):
        raise ExpressionError(f"{written!r} in {source!r} has more digits than can be kept; write a shorter number")


def _collect(node: ast.AST, paths: list[str]) -> None:
    path = _path(node)
    if path is not None:
        paths.append(path)
        return
    for child in ast.iter_child_nodes(node):
        _collect(child, paths)


def _path(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return None if node.id in ("true", "false") or node.id.startswith("__") else node.id
    if isinstance(node, ast.Attribute):
        head = _path(node.value)
        return None if head is None or node.attr.startswith("__") else f"{head}.{node.attr}"
    return None


def _refuse(node: ast.AST, source: str) -> ExpressionError:
    piece = ast.get_source_segment(source.strip(), node) or source
    return ExpressionError(f"{piece!r} is not allowed in {source!r}; allowed: {_ALLOWED}")


def _check_truth(node: ast.expr, source: str) -> None:
    match node:
        case ast.BoolOp(values=values):
            for value in values:
                _check_truth(value, source)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            _check_truth(operand, source)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            if not all(isinstance(op, _COMPARISONS) for op in ops):
                raise _refuse(node, source)
            _check_operand(left, source, lists=False)
            for op, right in zip(ops, comparators, strict=True):
                _check_operand(right, source, lists=isinstance(op, ast.In | ast.NotIn))
        case ast.Name() | ast.Attribute() if _path(node) is not None:
            return
        case ast.Constant(value=bool()) | ast.Name(id="true" | "false"):
            return
        case _:
            raise _refuse(node, source)


def _check_operand(node: ast.expr, source: str, *, lists: bool) -> None:
    if isinstance(node, ast.List | ast.Tuple):
        if not lists or not all(_literal(item) is not None for item in node.elts):
            raise _refuse(node, source)
        return
    if lists:
        raise ExpressionError(f"'in' wants a list of literals in {source!r}, like ['cash', 'credit']")
    if _path(node) is None and _literal(node) is None:
        raise _refuse(node, source)


def _literal(node: ast.expr) -> Literal | None:
    match node:
        case ast.Constant(value=bool() as value):
            return value
        case ast.Constant(value=str() as value):
            return value
        case ast.Constant(value=int() | float()):
            return _number(ast.unparse(node))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float()) as operand) if not isinstance(
            operand.value, bool
        ):
            number = _number(ast.unparse(operand))
            return None if number is None else -number
        case ast.Name(id="true"):
            return True
        case ast.Name(id="false"):
            return False
        case _:
            return None


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _truth(node: ast.expr, facts: Mapping[str, Fact]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_truth(value, facts) for value in values)
        case ast.BoolOp(values=values):
            return any(_truth(value, facts) for value in values)
        case ast.UnaryOp(operand=operand):
            return not _truth(operand, facts)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            value = _operand(left, facts)
            for op, right in zip(ops, comparators, strict=True):
                other = _operand(right, facts)
                if not _compare(op, value, other):
                    return False
                value = other
            return True
        case _:
            value = _operand(node, facts)
            if isinstance(value, bool):
                return value
            if isinstance(value, Fact) and isinstance(value.value, bool):
                return value.value
            raise IncomparableFacts(f"{ast.unparse(node)!r} is not a yes or no")


def _operand(node: ast.expr, facts: Mapping[str, Fact]) -> Operand:
    if isinstance(node, ast.List | ast.Tuple):
        return tuple(value for item in node.elts if (value := _literal(item)) is not None)
    literal = _literal(node)
    if literal is not None:
        return literal
    path = _path(node) or ""
    name, _, rest = path.partition(".")
    fact = facts.get(name)
    if fact is not None and rest:
        fact = fact.at_path(rest)
    if fact is None or fact.value is None:
        raise MissingFact(path)
    return fact


def _compare(op: ast.cmpop, left: Operand, right: Operand) -> bool:
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
