"""Conditions and arguments: small expressions over facts, parsed once, from an allow-list.

Names and dotted paths are facts; quoted strings, numbers, true and false are literals; `== != < <= > >= in not in`,
`and or not` and parentheses combine them. Nothing else is accepted, and nothing is ever passed to `eval`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from graph.errors import ExpressionError
from graph.model import Fact
from graph.when.evaluate import operand, truth
from graph.when.nodes import literal_of, number_of, path_of

_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)
_ALLOWED = "names, dotted names, strings, numbers, == != < <= > >= in, and or not, ( )"
_MAX_LENGTH = 500
_EXACT = 2**53


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
        return truth(self.tree, facts)

    def value(self, facts: Mapping[str, Fact]) -> Fact:
        """The single value an argument stands for. MissingFact when it is not known."""
        found = operand(self.tree, facts)
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
    literal = literal_of(expression.tree)
    if isinstance(literal, Decimal) and literal == literal.to_integral_value() and abs(literal) > _EXACT:
        raise ExpressionError(f"{source!r} is beyond 2**53: such numbers do not survive the store; write it in quotes")
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
    if number_of(written) is None or number_of(written) != number_of(ast.unparse(node)):
        raise ExpressionError(f"{written!r} in {source!r} has more digits than can be kept; write a shorter number")


def _collect(node: ast.AST, paths: list[str]) -> None:
    path = path_of(node)
    if path is not None:
        paths.append(path)
        return
    for child in ast.iter_child_nodes(node):
        _collect(child, paths)


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
        case ast.Name() | ast.Attribute() if path_of(node) is not None:
            return
        case ast.Constant(value=bool()) | ast.Name(id="true" | "false"):
            return
        case _:
            raise _refuse(node, source)


def _check_operand(node: ast.expr, source: str, *, lists: bool) -> None:
    if isinstance(node, ast.List | ast.Tuple):
        if not lists or not all(literal_of(item) is not None for item in node.elts):
            raise _refuse(node, source)
        return
    if lists:
        raise ExpressionError(f"'in' wants a list of literals in {source!r}, like ['cash', 'credit']")
    if path_of(node) is None and literal_of(node) is None:
        raise _refuse(node, source)
