"""What a node of the tree stands for: a fact's path, or a literal."""

from __future__ import annotations

import ast
from decimal import Decimal, InvalidOperation

from graph.model import Fact

Literal = str | Decimal | bool
Operand = Fact | Literal | tuple[Literal, ...]


def path_of(node: ast.AST) -> str | None:
    """The dotted path of a name or an attribute; None for anything else."""
    if isinstance(node, ast.Name):
        return None if node.id in ("true", "false") or node.id.startswith("__") else node.id
    if isinstance(node, ast.Attribute):
        head = path_of(node.value)
        return None if head is None or node.attr.startswith("__") else f"{head}.{node.attr}"
    return None


def literal_of(node: ast.expr) -> Literal | None:
    """The value of a literal; None for anything else."""
    match node:
        case ast.Constant(value=bool() as value):
            return value
        case ast.Constant(value=str() as value):
            return value
        case ast.Constant(value=int() | float()):
            return number_of(ast.unparse(node))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float()) as operand) if not isinstance(
            operand.value, bool
        ):
            number = number_of(ast.unparse(operand))
            return None if number is None else -number
        case ast.Name(id="true"):
            return True
        case ast.Name(id="false"):
            return False
        case _:
            return None


def number_of(text: str) -> Decimal | None:
    """An exact, finite number; None for anything else."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
