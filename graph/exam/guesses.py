"""Fields that a case names and the desk does not have: those whose name tells their type are read as such."""

from __future__ import annotations

import re
from typing import get_args

from graph.fields import FieldSpec, FieldType
from graph.model import Text

_BY_NAME: tuple[tuple[str, FieldType], ...] = (
    ("phone|mobile|tel|telephone", "phone"),
    ("date|day|deadline|until", "date"),
    ("percent|percentage|rate|discount", "percent"),
    ("account|iban", "account"),
    ("amount|price|budget|money|fee|sum|cost", "money"),
    ("count|people|guests|persons|nights|quantity|number|pax|days", "integer"),
    ("reason|note|text|comment|description|destination|city|name|need|needs|message|subject", "text"),
)
_PATTERNS: dict[str, str] = {"account": r"\d{8,34}", "code": r"[A-Z]{2,4}-\d{3,8}"}


def guessed(name: str) -> FieldSpec | None:
    """A field of the type that its name, or a part of it, says; None where it says none."""
    types: tuple[FieldType, ...] = tuple(kind for kind in get_args(FieldType) if kind == name and kind != "choice")
    parts = name.replace("_", " ")
    types += tuple(kind for words, kind in _BY_NAME if re.search(rf"(?<![a-z])(?:{words})(?![a-z])", parts))
    if not types:
        return None
    return FieldSpec(
        name=name,
        type=types[0],
        label=Text(zh=name, en=name),
        pattern=_PATTERNS.get(types[0]),
        currency="USD" if types[0] == "money" else None,
    )
