"""The parts of a dry run's lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph.fields import FieldSpec, shown
from graph.model import Fact, JsonValue, Route, Text
from graph.phrases import both, catalogue, money

_LONG = 160


def titled(tool: str) -> Text:
    """A tool as people call it."""
    return catalogue().get(f"tools.{tool}") or both(tool)


def names(fields: Sequence[str], specs: Mapping[str, FieldSpec], facts: Mapping[str, Fact] | None = None) -> Text:
    """The labels of fields, with their values where there are any; what is sensitive is masked."""
    parts = []
    for name in fields:
        label = specs[name].label if name in specs else both(name)
        fact = (facts or {}).get(name)
        value = shown(specs[name], fact) if fact is not None and name in specs else None
        parts.append(Text(zh=f"{label.zh} {value.zh}", en=f"{label.en} {value.en}") if value else label)
    return Text(zh="、".join(each.zh for each in parts), en=", ".join(each.en for each in parts))


def plain(value: JsonValue) -> str:
    """A value on one line, cut where it is long."""
    words = _plain(value)
    return words if len(words) <= _LONG else f"{words[:_LONG]}…"


def _plain(value: JsonValue) -> str:
    match value:
        case dict():
            return ", ".join(f"{name} {_plain(part)}" for name, part in value.items())
        case list():
            return f"[{'; '.join(_plain(part) for part in value)}]"
        case None:
            return "-"
        case _:
            return str(value)


def routed(route: Route) -> str:
    """Where a part of the money would go; the account stays out of it."""
    return f"{route.kind} {money(route.amount, route.currency)}"


def amount_of(records: Sequence[Fact], label: str) -> str:
    """The name of the first of what is offered."""
    part = records[0].at_path(label) if records else None
    return "-" if part is None else str(part.plain())
