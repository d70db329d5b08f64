"""What is known of a case when an action is picked: kept with each step in the audit log, shown to a model that picks."""

from __future__ import annotations

from collections.abc import Mapping

from graph.fields import FieldSpec
from graph.masking import masked_fact
from graph.model import Fact, JsonValue
from graph.steps.alarms import PROGRESS
from graph.steps.book import Book


def snapshot(
    state: str,
    facts: Mapping[str, Fact],
    own: Mapping[str, Mapping[str, Fact]],
    fields: Mapping[str, FieldSpec],
    book: Book,
) -> dict[str, JsonValue]:
    """The state; what people told and the case's own arguments, such as order, customer, amount, refund and channel; the
    last action with its result; when each action was last taken. Sensitive values are masked."""
    told = {name: fact for name, fact in facts.items() if name in fields}
    arguments = {name: fact for each in own.values() for name, fact in each.items()}
    known: dict[str, JsonValue] = {name: _plain(fact) for name, fact in {**arguments, **told}.items()}
    return {"state": state, **known, "last": _last(facts), "times": dict[str, JsonValue](book.last)}


def _plain(fact: Fact) -> JsonValue:
    shown = masked_fact(fact)
    return f"{shown.value} {shown.currency}" if shown.type == "money" else shown.plain()


def _last(facts: Mapping[str, Fact]) -> JsonValue:
    left = facts.get(PROGRESS)
    if left is None:
        return None
    parts = {name: fact.value for name in ("state", "action", "code", "saved") if (fact := left.at_path(name)) is not None}
    result = facts.get(str(parts.pop("saved", "")))
    told: dict[str, JsonValue] = {name: str(value) for name, value in parts.items()}
    return told | ({"result": masked_fact(result).plain()} if result is not None else {})
