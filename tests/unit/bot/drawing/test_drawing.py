"""Pictures of flows."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.drawing import Arrow, Box, draw
from bot.drawing.layout import arrange
from bot.drawing.wrap import wrapped

BOXES = [Box("a", "开始"), Box("b", "第一步"), Box("c", "第二步"), Box("d", "结束")]
ARROWS = [Arrow("a", "b"), Arrow("a", "c", "否"), Arrow("b", "d"), Arrow("c", "d"), Arrow("a", "d")]
ARROWS.append(Arrow("d", "b", "again"))
SIZES = {box.id: (120.0, 50.0) for box in BOXES}


def test_boxes_do_not_touch_and_arrows_point_down() -> None:
    """Boxes of one rank stand side by side, and every arrow but the one that leads back goes to a lower rank."""
    layout = arrange(SIZES, ARROWS)
    assert layout.back == [5]
    for number, arrow in enumerate(ARROWS[:5]):
        assert layout.boxes[arrow.source].y < layout.boxes[arrow.target].y, number
    b, c = layout.boxes["b"], layout.boxes["c"]
    assert b.y == c.y
    assert abs(b.x - c.x) >= 120


def test_a_long_arrow_passes_beside_the_boxes() -> None:
    """The waypoint of an arrow over two ranks is outside every box of the rank it passes."""
    layout = arrange(SIZES, ARROWS)
    (way,) = layout.ways[4]
    assert all(abs(way.x - layout.boxes[name].x) > 60 for name in "bc")


def test_a_picture_is_a_png_of_slacks_width() -> None:
    """A small flow is painted 800 pixels wide, twice as fine, and has ink on it."""
    picture = Image.open(io.BytesIO(draw(BOXES, ARROWS, title="流程")))
    assert (picture.format, picture.width) == ("PNG", 1600)
    colours = picture.convert("L").getcolors(1 << 16)
    assert colours is not None
    assert len(colours) > 20


def test_chinese_is_not_painted_as_empty_boxes() -> None:
    """Two different Chinese words give two different pictures: the font has them."""
    assert draw([Box("a", "发票")], []) != draw([Box("a", "订单")], [])


def test_lines_fit_their_width() -> None:
    """Words are broken between words, Chinese between signs, and what is too long ends with an ellipsis."""
    assert wrapped("change it in the order page", 120, 17)[0] == "change it in"
    assert len(wrapped("兜底方案" * 3, 90, 17)) == 3
    assert wrapped("兜底方案" * 30, 90, 17)[-1].endswith("…")


def test_an_arrow_to_nowhere_is_refused() -> None:
    """An arrow that names no box is a mistake of the caller, named."""
    with pytest.raises(ValueError, match="'x'"):
        draw(BOXES, [Arrow("a", "x")])
