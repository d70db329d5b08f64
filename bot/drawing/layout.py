"""Where boxes stand: in ranks from top to bottom, by the layered method of Sugiyama, Tagawa and Toda (1981).

Arrows that lead back are kept out of the ranks and go round on the right. An arrow over several ranks gets a waypoint in
each, so that it passes between the boxes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bot.drawing.flow import Arrow

GAP_X, GAP_Y = 28.0, 58.0
_SWEEPS = 12
_SLIVER = 18.0
"""Width kept free for an arrow that passes through a rank; it goes straight down as far as the rank is tall."""


@dataclass
class Place:
    """A box, or a waypoint of an arrow: its middle and its size, in pixels."""

    x: float
    y: float
    width: float
    height: float


@dataclass
class Layout:
    """Places of all boxes by id, the waypoints of each forward arrow by its index, and the arrows that lead back."""

    boxes: dict[str, Place]
    ways: dict[int, list[Place]] = field(default_factory=dict)
    back: list[int] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0


def arrange(sizes: Mapping[str, tuple[float, float]], arrows: Sequence[Arrow]) -> Layout:
    """Place boxes of these sizes (width, height). ValueError when an arrow names a box that is not there."""
    for arrow in arrows:
        for end in (arrow.source, arrow.target):
            if end not in sizes:
                raise ValueError(f"an arrow names {end!r}, which is no box of this picture")
    back = _leading_back(list(sizes), arrows)
    forward = [index for index in range(len(arrows)) if index not in back]
    ranks = _ranks(list(sizes), [arrows[index] for index in forward])
    places = {name: Place(0, 0, *size) for name, size in sizes.items()}
    rows: dict[int, list[str]] = defaultdict(list)
    for name, rank in ranks.items():
        rows[rank].append(name)
    links: list[tuple[str, str]] = []
    ways: dict[int, list[str]] = {}
    for index in forward:
        arrow = arrows[index]
        ways[index] = [f"\0{index}/{rank}" for rank in range(ranks[arrow.source] + 1, ranks[arrow.target])]
        for rank, name in enumerate(ways[index], ranks[arrow.source] + 1):
            places[name] = Place(0, 0, _SLIVER, 0)
            rows[rank].append(name)
        chain = [arrow.source, *ways[index], arrow.target]
        links += pairwise(chain)
    _set_x(rows, links, places)
    height = _set_y(rows, places)
    left = min(place.x - place.width / 2 for place in places.values())
    for place in places.values():
        place.x -= left
    return Layout(
        boxes={name: places[name] for name in sizes},
        ways={index: [places[name] for name in names] for index, names in ways.items()},
        back=sorted(back),
        width=max(place.x + place.width / 2 for place in places.values()),
        height=height,
    )


def _leading_back(names: Sequence[str], arrows: Sequence[Arrow]) -> set[int]:
    """The arrows that close a circle, or stay on their box."""
    found: set[int] = set()
    after: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for index, arrow in enumerate(arrows):
        after[arrow.source].append((index, arrow.target))
    done: set[str] = set()
    for root in names:
        stack: list[tuple[str, int]] = [(root, 0)]
        open_: list[str] = [] if root in done else [root]
        while open_ and stack:
            name, step = stack.pop()
            if step == len(after[name]):
                done.add(name)
                open_.pop()
                continue
            stack.append((name, step + 1))
            index, target = after[name][step]
            if target in open_:
                found.add(index)
            elif target not in done:
                open_.append(target)
                stack.append((target, 0))
    return found


def _ranks(names: Sequence[str], arrows: Sequence[Arrow]) -> dict[str, int]:
    """Every box below all that lead to it."""
    ranks = dict.fromkeys(names, 0)
    for _ in names:
        for arrow in arrows:
            ranks[arrow.target] = max(ranks[arrow.target], ranks[arrow.source] + 1)
    return ranks


def _set_x(rows: Mapping[int, list[str]], links: Sequence[tuple[str, str]], places: dict[str, Place]) -> None:
    above: dict[str, list[str]] = defaultdict(list)
    below: dict[str, list[str]] = defaultdict(list)
    for upper, lower in links:
        above[lower].append(upper)
        below[upper].append(lower)
    for row in rows.values():
        _spread(row, places, dict.fromkeys(row, 0.0))
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        near = above if down else below
        for rank in sorted(rows, reverse=not down):
            row = rows[rank]
            wish = {
                name: sum(places[other].x for other in near[name]) / len(near[name]) if near[name] else places[name].x
                for name in row
            }
            if sweep < _SWEEPS - 4:
                row.sort(key=lambda name: wish[name])
            _spread(row, places, wish)


def _spread(row: Sequence[str], places: dict[str, Place], wish: Mapping[str, float]) -> None:
    """As near to the wished places as the widths allow, in the order of the row."""
    groups: list[tuple[list[str], float, float]] = []  # names, wished left edge, width
    for name in row:
        width = places[name].width + GAP_X
        groups.append(([name], wish[name] - width / 2, width))
        while len(groups) > 1 and groups[-2][1] + groups[-2][2] > groups[-1][1]:
            right, left = groups.pop(), groups.pop()
            total = len(left[0]) + len(right[0])
            edge = (left[1] * len(left[0]) + (right[1] - left[2]) * len(right[0])) / total
            groups.append(([*left[0], *right[0]], edge, left[2] + right[2]))
    for names, edge, _ in groups:
        at = edge
        for name in names:
            width = places[name].width + GAP_X
            places[name].x = at + width / 2
            at += width


def _set_y(rows: Mapping[int, list[str]], places: dict[str, Place]) -> float:
    top = 0.0
    for rank in sorted(rows):
        tallest = max(places[name].height for name in rows[rank])
        for name in rows[rank]:
            places[name].y = top + tallest / 2
            places[name].height = places[name].height or tallest
        top += tallest + GAP_Y
    return top - GAP_Y
