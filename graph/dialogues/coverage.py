"""What of a procedure its dialogues have gone through: steps, branches, tiers and rejections, by name. Pure.

A branch is a condition of a step that held or did not, or a way that leads elsewhere. Ways of one part that lead to the
same step count as one: the record says where a case went, not which of them it took.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from graph.model import RunView, TrailEntry
from graph.sop import Sop
from graph.steps import AnySpec, ApproveSpec, CheckSpec, ChooseSpec
from graph.ways import Way, ways_of

Kind = Literal["steps", "branches", "tiers", "rejections"]
KINDS_OF_ITEMS: Final[tuple[Kind, ...]] = ("steps", "branches", "tiers", "rejections")
_LEFT: Final = ("watch", "result", "requested", "told", "")
"""Why a `choose` step was left in another way than by giving up."""


class Item(NamedTuple):
    """One thing to be covered, by the name under which it is told."""

    kind: Kind
    name: str


def items_of(sop: Sop) -> tuple[Item, ...]:
    """All that there is to cover, in the order of the file."""
    return tuple(dict.fromkeys(item for step in sop.steps for item in _items(step)))


def covered_by(sop: Sop, views: Sequence[RunView]) -> frozenset[Item]:
    """What these cases of the procedure have gone through."""
    return frozenset(item for view in views for entry in view.trail for item in _seen(sop, entry, view))


def _items(step: AnySpec) -> Iterator[Item]:
    yield Item("steps", step.id)
    if step.when is not None:
        yield _held(step, held=True)
        yield _held(step, held=False)
    for way in ways_of(step):
        yield _way(step, way)
    if isinstance(step, CheckSpec):
        for rule in step.rules:
            yield Item("rejections", f"{step.id}: {rule}")
    if isinstance(step, ApproveSpec):
        yield from (_tier(step, tier.level) for tier in step.tiers)
        if isinstance(step.on_expire, str) and any(tier.expire_after for tier in step.tiers):
            yield Item("branches", f"{step.id}: on_expire → {step.on_expire}")
        if not step.options or any(each.verdict == "reject" for each in step.options):
            yield from (_rejected(step, tier.level) for tier in step.tiers if tier.level != "auto")


def _seen(sop: Sop, entry: TrailEntry, view: RunView) -> Iterator[Item]:
    step = next((each for each in sop.steps if each.id == entry.step), None)
    if step is None:
        return
    if entry.what == "skip" and step.when is not None and entry.reason == step.when.source:
        yield _held(step, held=False)
        return
    yield Item("steps", step.id)
    if step.when is not None:
        yield _held(step, held=True)
    if entry.goto is not None:
        yield from (_way(step, way) for way in ways_of(step) if way.goto == entry.goto and _taken(step, way, entry))
    if isinstance(step, CheckSpec) and entry.rule:
        yield Item("rejections", f"{step.id}: {entry.rule}")
    if isinstance(step, ApproveSpec):
        if entry.what in ("auto", "ask") and entry.level:
            yield _tier(step, entry.level)
        if entry.what == "reject" and entry.level:
            yield _rejected(step, entry.level)
        if entry.what == "expire" and isinstance(step.on_expire, str):
            yield Item("branches", f"{step.id}: on_expire → {step.on_expire}")


def _taken(step: AnySpec, way: Way, entry: TrailEntry) -> bool:
    """Whether the record's line is one of this way, which leads where the line does."""
    head = way.path[0]
    code = str(way.path[1]) if len(way.path) > 1 else "default"
    match head:
        case "on_error":
            return entry.what == "error" and _by_code(step, "on_error", code, entry.reason)
        case "on_fail":
            return entry.what == "check" and _by_code(step, "on_fail", code, entry.rule or "")
        case "on_reject":
            return entry.what == "reject" and _by_code(step, "on_reject", code, entry.level or "")
        case "on_approve":
            return entry.what == "approve" and _by_code(step, "on_approve", code, entry.level or "")
        case "on_expire":
            return entry.what == "expire" and _by_code(step, "on_expire", code, entry.level or "")
        case "on_no":
            return entry.what == "confirm"
        case "then":
            return entry.what == "wait" and not entry.by
        case "on_message":
            return entry.reason == "told" or (entry.what == "wait" and bool(entry.by) and not entry.reason)
        case "options":
            return _named(step, "options", way) == entry.values.get("option")
        case "actions":
            return entry.what == "choose" and _named(step, "actions", way) == entry.values.get("chosen")
        case "watch":
            return entry.what in ("choose", "wait") and entry.reason == "watch"
        case "on_exhausted":
            return entry.what == "choose" and entry.reason not in _LEFT
        case _:
            return True


def _by_code(step: AnySpec, key: str, code: str, given: str) -> bool:
    targets = step.targets()[key].targets
    return given == code if given in targets else code == "default"


def _held(step: AnySpec, *, held: bool) -> Item:
    return Item("branches", f"{step.id}: when {'true' if held else 'false'}")


def _tier(step: ApproveSpec, level: str) -> Item:
    limits = [f"≤{tier.max}" if tier.max is not None else "above" for tier in step.tiers if tier.level == level]
    return Item("tiers", f"{step.id}: {level} {' '.join(limits)}")


def _rejected(step: ApproveSpec, level: str) -> Item:
    return Item("rejections", f"{step.id}: {level}")


def _way(step: AnySpec, way: Way) -> Item:
    key = [str(way.path[0]), _named(step, str(way.path[0]), way)]
    if way.path[0] in step.targets() and len(way.path) > 1:
        key[1] = str(way.path[1])
    return Item("branches", f"{step.id}: {'.'.join(part for part in key if part)} → {way.goto}")


def _named(step: AnySpec, key: str, way: Way) -> str:
    """The name of the action or option that a way belongs to; empty for any other way."""
    number = way.path[1] if len(way.path) > 1 else None
    if not isinstance(number, int):
        return ""
    if key == "actions" and isinstance(step, ChooseSpec):
        return step.actions[number].called
    if key == "options" and isinstance(step, ApproveSpec):
        return step.options[number].id
    return ""
