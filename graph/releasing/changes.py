"""What differs between two texts of a procedure, in words of both languages. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Final

from graph.model import JsonValue, Level, Text
from graph.phrases import both, text
from graph.sources import load

Parts = dict[str, JsonValue]
_LONGEST: Final = 80


def changes(old: str, new: str, levels: Mapping[str, Level]) -> list[Text]:
    """Every difference that matters to a procedure, in the order of the new text; empty where there is none."""
    before, after = _data(old), _data(new)
    keys = [key for key in _keys(before, after) if key != "steps"]
    found = [each for key in keys for each in _value(key, before.get(key), after.get(key))]
    return found + list(_steps(_by(before.get("steps"), "id"), _by(after.get("steps"), "id"), levels))


def _steps(before: dict[str, Parts], after: dict[str, Parts], levels: Mapping[str, Level]) -> Iterator[Text]:
    for name in before:
        if name not in after:
            yield text("releasing.step_removed", step=name)
    still = _in_order(list(before), list(after))
    last: str | None = None
    for name, step in after.items():
        place = both(last) if last else text("releasing.start")
        if name not in before:
            yield text("releasing.step_added", step=name, kind=str(step.get("kind", "")), after=place)
        else:
            if name not in still:
                yield text("releasing.step_moved", step=name, after=place)
            yield from _step(name, before[name], step, levels)
        last = name


def _in_order(before: list[str], after: list[str]) -> set[str]:
    """The names that stand in both in the same order."""
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return {name for start, _, size in blocks for name in before[start : start + size]}


def _step(name: str, before: Parts, after: Parts, levels: Mapping[str, Level]) -> Iterator[Text]:
    for key in _keys(before, after):
        if key == "tiers":
            yield from _tiers(name, _by(before.get(key), "level"), _by(after.get(key), "level"), levels)
        else:
            yield from _value(f"{name}.{key}", before.get(key), after.get(key))


def _tiers(step: str, before: dict[str, Parts], after: dict[str, Parts], levels: Mapping[str, Level]) -> Iterator[Text]:
    for level in _keys(before, after):
        label = levels[level].label if level in levels else both(level)
        old, new = before.get(level), after.get(level)
        if old is None or new is None:
            key = "releasing.tier_added" if old is None else "releasing.tier_removed"
            yield text(key, step=step, level=label, old=_limit(old or {}), new=_limit(new or {}))
            continue
        if old.get("max") != new.get("max"):
            yield text("releasing.tier_max", step=step, level=label, old=_limit(old), new=_limit(new))
        for key in _keys(old, new):
            if key != "max":
                yield from _value(f"{step}.{level}.{key}", old.get(key), new.get(key))


def _value(where: str, old: JsonValue, new: JsonValue) -> Iterator[Text]:
    """A difference of one key; of maps, of each key in them."""
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in _keys(old, new):
            yield from _value(f"{where}.{key}", old.get(key), new.get(key))
        return
    key = "releasing.added" if old is None else "releasing.removed" if new is None else "releasing.changed"
    yield text(key, where=where, old=_shown(old), new=_shown(new))


def _data(source: str) -> Parts:
    data = load("", source).data
    return data if isinstance(data, dict) else {}


def _by(listed: JsonValue, key: str) -> dict[str, Parts]:
    """The maps of a list by the value of `key` in them."""
    return {str(each.get(key)): each for each in listed if isinstance(each, dict)} if isinstance(listed, list) else {}


def _keys(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return list(dict.fromkeys((*after, *before)))


def _limit(tier: Parts) -> Text:
    return both(str(tier["max"])) if "max" in tier else text("releasing.no_limit")


def _shown(value: JsonValue) -> str:
    if isinstance(value, list):
        words = ", ".join(_shown(each) for each in value)
    elif isinstance(value, dict):
        words = ", ".join(f"{key} {_shown(each)}" for key, each in value.items())
    else:
        words = str(value)
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
