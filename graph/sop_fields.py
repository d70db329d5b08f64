"""Whether a field, of fields.yaml or of a procedure's own, is one that can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graph.fields import FieldSpec
from graph.sources import Source
from graph.steps.base import fact_name


def check_field(source: Source, spec: FieldSpec, at: tuple[str | int, ...]) -> None:
    """Record every mistake of a field that stands at `at`."""
    try:
        fact_name(spec.name)
    except ValueError as error:
        source.wrong(at, str(error))
    try:
        re.compile(spec.pattern or "")
    except re.error as error:
        source.wrong((*at, "pattern"), f"this is no regular expression: {error}")
    if spec.type == "money" and not spec.currency:
        source.wrong((*at, "currency"), "an amount has a currency, such as USD")
    if spec.type == "choice" and not spec.choices:
        source.wrong((*at, "choices"), "a choice has choices")
    if spec.min is not None and spec.max is not None and spec.min > spec.max:
        source.wrong((*at, "max"), f"{spec.max} is below min, {spec.min}")


def one_of(source: Source, at: tuple[str | int, ...], name: str, allowed: Iterable[str], what: str) -> bool:
    """Whether the name is one of those allowed; that it is not becomes a mistake at `at`."""
    if name in allowed:
        return True
    wrong = f"{name!r} is no {what}; {allowed_words(allowed)}"
    source.wrong(at, wrong, code=f"unknown-{what.partition(' ')[0]}", text=name, allowed=allowed)
    return False


def allowed_words(names: Iterable[str]) -> str:
    """The names that are allowed, as a mistake lists them."""
    return f"allowed: {', '.join(sorted(names)) or 'none'}"
