"""How values are written, shown and masked."""

from __future__ import annotations

from decimal import Decimal

from graph import phrases
from graph.fields.spec import FieldSpec
from graph.model import Fact, Problem, Text


def canonical_money(amount: Decimal) -> str:
    """`80`, `1200.50`: whole numbers bare, else two decimals (more only where they are there)."""
    plain = amount.normalize()
    exponent = plain.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) else 0
    if places <= 0:
        return f"{plain:.0f}"
    return f"{plain:.{max(2, places)}f}"


def shown(spec: FieldSpec, fact: Fact) -> Text:
    """The value as people read it: `80.00 USD`, the label of a choice, the last four signs of what is sensitive."""
    value = "" if fact.value is None else str(fact.value)
    if spec.sensitive or fact.sensitive:
        return phrases.masked(value)
    if spec.type == "money":
        return phrases.both(phrases.fact_money(fact))
    if spec.type == "percent":
        return phrases.both(f"{value}%")
    choice = spec.choice(value) if spec.type == "choice" else None
    return choice.label if choice else phrases.both(value)


def masked_quote(spec: FieldSpec, quote: str) -> str:
    """The quote as it may be seen: of a sensitive field no more than dots and the last four digits."""
    if not spec.sensitive or not quote:
        return quote
    return f"••••{phrases.last_four(quote)}"


def discreet(spec: FieldSpec, problem: Problem) -> Problem:
    """The problem without the value of a sensitive field: problems are stored and shown where facts are masked."""
    if not spec.sensitive:
        return problem
    return problem.model_copy(update={"quote": masked_quote(spec, problem.quote), "candidates": []})
