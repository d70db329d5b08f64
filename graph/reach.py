"""What an approval lets happen: the steps that can be come to from where it leads, and the facts that they look at.

The ways of the file count, not its order: a decision may lead back to steps that stand before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from graph.steps import AnySpec, ApproveSpec
from graph.steps.alarms import PROGRESS
from graph.ways import REFUSING, Way, ways_of

_UNMADE: Final = (*REFUSING, "on_exhausted", "watch", "on_message")
"""The keys whose ways are gone without what the step makes."""
_OWN: Final = frozenset({PROGRESS, "approver", "approved_by"})
"""What the engine notes on every way: nobody approves of it."""


def starts(steps: Sequence[AnySpec], approval: ApproveSpec) -> tuple[str, ...]:
    """The steps that approving can lead to: the following one always, for so it goes on at a level without a way of its
    own, and with another amount where there are options."""
    following = _following(steps, approval)
    ways = (way.goto for way in ways_of(approval) if approves(approval, way))
    return tuple(dict.fromkeys((*([following] if following else ()), *ways)))


def approves(approval: ApproveSpec, way: Way) -> bool:
    """Whether this way of an approval is one that approving leads."""
    match way.path:
        case ("on_approve", *_):
            return True
        case ("options", int(number), *_):
            return approval.options[number].verdict == "approve"
        case _:
            return False


def reached(steps: Sequence[AnySpec], approval: str, starts: Iterable[str]) -> frozenset[str]:
    """The steps that can be come to from `starts` before `approval` is asked again."""
    by_id, found, waiting = {step.id: step for step in steps}, set[str](), list(starts)
    while waiting:
        here = waiting.pop()
        if here != approval and here not in found and here in by_id:
            found.add(here)
            waiting += [to for to, _ in _onward(steps, by_id[here])]
    return frozenset(found)


def wanted(
    steps: Sequence[AnySpec],
    looked: Mapping[str, Collection[str]],
    told: Collection[str],
    writing: Collection[str],
    within: Collection[str],
    starts: Collection[str],
) -> frozenset[str]:
    """The facts that the steps `within` reach of `starts` look at, and that the desk has not made anew on every way to
    them; what leads only back to the approval does not count. What people tell is wanted as it is known: they may tell it
    anew on any way."""
    ways = {step.id: list(_onward(steps, step, told)) for step in steps if step.id in within}
    counted = _counted(ways, {each for each in within if each in writing or _ends(steps, each)})
    found: dict[str, frozenset[str]] = dict.fromkeys(counted, frozenset())
    moved = True
    while moved:
        moved = False
        for here, before in found.items():
            later = (found.get(to, frozenset()) - made for to, made in ways[here])
            found[here] = frozenset(looked[here]).union(*later)
            moved = moved or found[here] != before
    return frozenset().union(*(found.get(start, frozenset()) for start in starts))


def decided(steps: Sequence[AnySpec], within: Collection[str], approval: str) -> frozenset[str]:
    """What the decisions make known of this approval and of those that can be come to from it."""
    deciding = (step for step in steps if step.id == approval or (step.id in within and isinstance(step, ApproveSpec)))
    return _OWN.union(*(step.writes() for step in deciding))


def derived(steps: Sequence[AnySpec], within: Collection[str]) -> frozenset[str]:
    """What the desk itself makes in these steps."""
    return frozenset().union(*(step.derives() for step in steps if step.id in within))


def _onward(
    steps: Sequence[AnySpec], step: AnySpec, told: Collection[str] = ()
) -> Iterator[tuple[str, frozenset[str]]]:
    """Where a step leads, with the facts that are made anew, or have to be, once it has led there."""
    made, known = frozenset(step.derives()).difference(told), frozenset(told)
    following = _following(steps, step) if step.passes() else None
    if following is not None:
        yield following, made
    for way in ways_of(step):
        yield way.goto, (frozenset() if _unmade(way) else made) | (frozenset(way.reset) - known)


def _counted(ways: dict[str, list[tuple[str, frozenset[str]]]], ends: Collection[str]) -> list[str]:
    """The steps from which one of `ends` can be come to, the last of the file first."""
    found, more = set(ends), True
    while more:
        new = {here for here, onward in ways.items() if here not in found and any(to in found for to, _ in onward)}
        found, more = found | new, bool(new)
    return [here for here in reversed(ways) if here in found]


def _ends(steps: Sequence[AnySpec], step: str) -> bool:
    return steps[-1].id == step and steps[-1].passes()


def _unmade(way: Way) -> bool:
    return any(key in _UNMADE for key in way.path)


def _following(steps: Sequence[AnySpec], step: AnySpec) -> str | None:
    return next((after.id for before, after in pairwise(steps) if before.id == step.id), None)
