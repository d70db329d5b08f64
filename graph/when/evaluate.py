"""Evaluation over facts. A name that is missing fails closed; `and` and `or` stop as soon as they know."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from graph.errors import IncomparableFacts, MissingFact
from graph.model import Fact
from graph.when.compare import compare
from graph.when.nodes import Operand, literal_of, path_of


def truth(node: ast.expr, facts: Mapping[str, Fact]) -> bool:
    """Whether a condition's tree is true of these facts. MissingFact, IncomparableFacts."""
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(truth(value, facts) for value in values)
        case ast.BoolOp(values=values):
            return any(truth(value, facts) for value in values)
        case ast.UnaryOp(operand=inner):
            return not truth(inner, facts)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            value = operand(left, facts)
            for op, right in zip(ops, comparators, strict=True):
                other = operand(right, facts)
                if not compare(op, value, other):
                    return False
                value = other
            return True
        case _:
            value = operand(node, facts)
            if isinstance(value, bool):
                return value
            if isinstance(value, Fact) and isinstance(value.value, bool):
                return value.value
            raise IncomparableFacts(f"{ast.unparse(node)!r} is not a yes or no")


def operand(node: ast.expr, facts: Mapping[str, Fact]) -> Operand:
    """What a side of a comparison stands for. MissingFact when it is not known."""
    if isinstance(node, ast.List | ast.Tuple):
        return tuple(value for item in node.elts if (value := literal_of(item)) is not None)
    literal = literal_of(node)
    if literal is not None:
        return literal
    path = path_of(node) or ""
    name, _, rest = path.partition(".")
    fact = facts.get(name)
    if fact is not None and rest:
        fact = fact.at_path(rest)
    if fact is None or fact.value is None:
        raise MissingFact(path)
    return fact
