"""The smaller unit after an amount: `3 dollars 50 cents`, `15 dollars and 50`, 三块五."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from graph.fields.context import CENT, COUNTED, TENTH
from graph.fields.numerals import Numeral
from graph.model import ProblemCode

_CLOSED = re.compile(r" ?(?:[.,;!?，。；！？\n]|$)")


def with_part(
    text: str, later: Sequence[Numeral], end: int, value: Decimal | None, code: ProblemCode | None
) -> tuple[int, Decimal | None, ProblemCode | None, int]:
    """What follows the currency may belong to the amount: `3 dollars 50 cents`, `15 dollars and 50`, 三块五."""
    if value is None or not later:
        return end, value, code, 0
    small = later[0]
    gap = text[end : small.start]
    tenth = TENTH.match(text, end) if not gap and small.value is not None and text[end - 1] in "块塊刀元" else None
    if tenth and small.value is not None and not COUNTED.match(text, tenth.end()):
        return tenth.end(), value + small.value / 10, code, 1
    if gap not in ("", " ", " and ", ", and ", "又"):
        return end, value, code, 0
    if not gap and text[small.start].isdigit():
        return small.end, None, code or "unreadable", 1
    if re.match(r" ?(?:[毛角分銭]|mao(?![a-z])|jiao(?![a-z])|fen(?![a-z]))", text[small.end : small.end + 5]):
        return small.end, None, code or "unreadable", 1
    closed = _CLOSED.match(text, small.end)
    if gap == " " and closed and not text[end - 1].isascii():
        return small.end, None, code or "unreadable", 1  # 5 块 5
    if small.value is None or small.value != int(small.value) or not 0 < small.value < 100:
        return end, value, code, 0
    if cent := CENT.match(text, small.end):
        return cent.end(), value + small.value / 100, code, 1
    if small.value >= 10 and closed and text[end - 1].isascii():
        return small.end, value + small.value / 100, code, 1
    return end, value, code, 0
