"""A picture out of boxes and arrows."""

from __future__ import annotations

import io
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from bot.drawing.flow import Arrow, Box, Tone
from bot.drawing.fonts import font
from bot.drawing.layout import Layout, Place, arrange
from bot.drawing.wrap import wrapped

WIDTH = 800
_SCALE = 2  # pixels painted for one of the picture: sharp on good screens
_TEXT, _SMALL, _HEAD = 17, 15, 21
_PAD, _MARGIN, _LANE = 12, 24, 26
_WIDEST = 196
_SHARES = (0.45, 0.3, 0.62, 0.18, 0.78)
"""How far along a line its words may stand, best first."""
Point = tuple[float, float]
Area = tuple[float, float, float, float]
Words = tuple[Point, Point, str]
"""The line that words belong to, and the words."""
_PAPER, _INK = "#ffffff", "#1d1c1d"


@dataclass(frozen=True)
class _Colours:
    fill: str
    edge: str
    line: int = 2


_TONES: dict[Tone, _Colours] = {
    "plain": _Colours("#f5f5f5", "#9a9a9a"),
    "done": _Colours("#dff2e6", "#1f7a4d", 4),
    "wrong": _Colours("#fdecd2", "#b45f06", 4),
    "next": _Colours("#e3eefc", "#1264a3", 4),
    "end": _Colours("#ececec", "#555555", 3),
    "quiet": _Colours("#fbfbfb", "#c9c9c9"),
}


def draw(boxes: Sequence[Box], arrows: Sequence[Arrow], *, title: str = "") -> bytes:
    """A PNG, at least 800 pixels wide and drawn twice as fine. ValueError for a box named twice or not at all."""
    if len({box.id for box in boxes}) != len(boxes) or not boxes:
        raise ValueError("a picture has boxes, and every box has an id of its own")
    lines = {box.id: wrapped(box.text, _WIDEST - 2 * _PAD, _TEXT) for box in boxes}
    sizes = {name: _size(rows) for name, rows in lines.items()}
    layout = arrange(sizes, arrows)
    head = _HEAD * 2 if title else 0
    lanes = _lanes(layout, arrows)
    beside = max(lanes.values(), default=layout.width) - layout.width
    width = max(WIDTH, layout.width + 2 * (_MARGIN + beside))
    left = (width - layout.width) / 2
    top = _MARGIN + head
    canvas = Image.new("RGB", (round(width * _SCALE), round((top + layout.height + _MARGIN) * _SCALE)), _PAPER)
    pen = _Pen(ImageDraw.Draw(canvas), left, top)
    if title:
        pen.text((_MARGIN - left, _MARGIN - top), title, _HEAD, bold=True)
    words = [*_forward(pen, layout, arrows), *_backward(pen, layout, arrows, lanes)]
    for box in boxes:
        _box(pen, layout.boxes[box.id], lines[box.id], box.tone)
    taken: list[Area] = []
    for start, end, text in words:
        taken.append(pen.label(start, end, text, taken))
    out = io.BytesIO()
    canvas.save(out, "PNG", optimize=True)
    return out.getvalue()


@dataclass
class _Pen:
    """Draws in the picture's own pixels, shifted to where the boxes begin."""

    paper: ImageDraw.ImageDraw
    left: float
    top: float

    def point(self, at: tuple[float, float]) -> tuple[float, float]:
        return (at[0] + self.left) * _SCALE, (at[1] + self.top) * _SCALE

    def text(self, at: tuple[float, float], words: str, size: int, *, bold: bool = False) -> None:
        self.paper.text(self.point(at), words, fill=_INK, font=font(size * _SCALE, bold=bold))

    def line(self, points: Sequence[tuple[float, float]], tone: Tone) -> None:
        colours = _TONES[tone]
        path = [self.point(at) for at in points]
        self.paper.line(path, fill=colours.edge, width=colours.line * _SCALE // 2, joint="curve")

    def head(self, tip: tuple[float, float], came: tuple[float, float], tone: Tone) -> None:
        angle = math.atan2(tip[1] - came[1], tip[0] - came[0])
        wings = [(tip[0] - 10 * math.cos(angle + turn), tip[1] - 10 * math.sin(angle + turn)) for turn in (0.45, -0.45)]
        self.paper.polygon([self.point(at) for at in (tip, *wings)], fill=_TONES[tone].edge)

    def label(self, start: Point, end: Point, words: str, taken: Sequence[Area]) -> Area:
        """Words on a line, where they cover no others if that can be; returns what they cover."""
        face = font(_SMALL * _SCALE)
        areas = []
        for share in _SHARES:
            x, y = self.point((start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share))
            areas.append(((x, y), self.paper.textbbox((x, y), words, font=face, anchor="mm")))
        at, area = next((each for each in areas if not any(_meet(each[1], other) for other in taken)), areas[0])
        self.paper.rectangle(area, fill=_PAPER)
        self.paper.text(at, words, fill=_INK, font=face, anchor="mm")
        return area


def _meet(one: Area, other: Area) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _size(rows: Sequence[str]) -> tuple[float, float]:
    widths = [font(_TEXT, bold=not number).getlength(row) for number, row in enumerate(rows)]
    return max(widths) + 2 * _PAD, len(rows) * _TEXT * 1.4 + 2 * _PAD


def _box(pen: _Pen, place: Place, rows: Sequence[str], tone: Tone) -> None:
    colours = _TONES[tone]
    corners = [
        *pen.point((place.x - place.width / 2, place.y - place.height / 2)),
        *pen.point((place.x + place.width / 2, place.y + place.height / 2)),
    ]
    pen.paper.rounded_rectangle(corners, radius=9 * _SCALE, fill=colours.fill, outline=colours.edge, width=colours.line)
    y = place.y - len(rows) * _TEXT * 0.7
    for number, row in enumerate(rows):
        wide = font(_TEXT, bold=not number).getlength(row)
        pen.text((place.x - wide / 2, y), row, _TEXT, bold=not number)
        y += _TEXT * 1.4


def _forward(pen: _Pen, layout: Layout, arrows: Sequence[Arrow]) -> list[Words]:
    """Draw the arrows downwards; returns where their words go."""
    leaving: dict[str, list[int]] = defaultdict(list)
    coming: dict[str, list[int]] = defaultdict(list)
    for index, way in layout.ways.items():
        leaving[arrows[index].source].append(index)
        coming[arrows[index].target].append(index)
        way.sort(key=lambda place: place.y)

    def towards(index: int) -> float:
        return layout.ways[index][0].x if layout.ways[index] else layout.boxes[arrows[index].target].x

    def origin(index: int) -> float:
        return layout.ways[index][-1].x if layout.ways[index] else layout.boxes[arrows[index].source].x

    words: list[Words] = []
    for index, way in layout.ways.items():
        arrow = arrows[index]
        source, target = layout.boxes[arrow.source], layout.boxes[arrow.target]
        start = (_port(source, sorted(leaving[arrow.source], key=towards), index), source.y + source.height / 2)
        tip = (_port(target, sorted(coming[arrow.target], key=origin), index), target.y - target.height / 2)
        points = [start]
        for place in way:
            points += [(place.x, place.y - place.height / 2), (place.x, place.y + place.height / 2)]
        points.append(tip)
        pen.line(points, arrow.tone)
        pen.head(tip, points[-2], arrow.tone)
        if arrow.text:
            words.append((points[0], points[1], arrow.text))
    return words


def _port(place: Place, order: Sequence[int], index: int) -> float:
    """Where on the box's edge this one of its arrows begins or ends."""
    share = (order.index(index) + 1) / (len(order) + 1)
    return place.x - place.width / 2 + place.width * share


def _lanes(layout: Layout, arrows: Sequence[Arrow]) -> dict[int, float]:
    """How far to the right each arrow that leads back goes; its words stand on that line."""
    at, found = layout.width, {}
    for index in layout.back:
        half = font(_SMALL).getlength(arrows[index].text) / 2
        found[index] = at + max(half, 4) + _LANE / 2
        at = found[index] + max(half, 4)
    return found


def _backward(pen: _Pen, layout: Layout, arrows: Sequence[Arrow], lanes: Mapping[int, float]) -> list[Words]:
    """Draw the arrows that lead back, each in a lane of its own on the right; returns where their words go."""
    words: list[Words] = []
    for index, lane in lanes.items():
        arrow = arrows[index]
        source, target = layout.boxes[arrow.source], layout.boxes[arrow.target]
        start = (source.x + source.width / 2, source.y)
        tip = (target.x + target.width / 2, target.y)
        pen.line([start, (lane, start[1]), (lane, tip[1]), tip], arrow.tone)
        pen.head(tip, (lane, tip[1]), arrow.tone)
        if arrow.text:
            words.append(((lane, start[1]), (lane, tip[1]), arrow.text))
    return words
