"""Sensitive facts reduced to what may be shown, kept and logged."""

from __future__ import annotations

from graph.model import Fact
from graph.phrases import last_four


def masked_fact(fact: Fact) -> Fact:
    """The fact with what is sensitive inside it reduced to its last four signs."""
    if fact.sensitive and isinstance(fact.value, str):
        return fact.model_copy(update={"value": f"…{last_four(fact.value)}", "quote": None})
    if isinstance(fact.value, dict):
        return fact.model_copy(update={"value": {name: masked_fact(inner) for name, inner in fact.value.items()}})
    if isinstance(fact.value, list):
        return fact.model_copy(update={"value": [masked_fact(inner) for inner in fact.value]})
    return fact
