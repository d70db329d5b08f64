"""The smaller unit after an amount: `3 dollars 50 cents`, `15 dollars and 50`, 三块五."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from graph.fields.chinese import chinese_number
from graph.fields.context import CENT, COUNTED, TENTH
from graph.fields.numerals import Numeral
from graph.model import ProblemCode

_CLOSED = re.compile(r" ?(?:[.,;!?，。；！？\n]|$)")

_DIGIT = "[1-9一二两三四五六七八九]"
#: 三毛, 三毛五, 三毛五分, 五分: tenths and hundredths.
_COINS = re.compile(rf"零?(?:(?P<mao>{_DIGIT})[毛角](?:钱)?)(?:(?P<fen>{_DIGIT})分?)?(?![\d一二三四五六七八九十百千万])")


def coins_at(text: str, start: int) -> tuple[int, Decimal] | None:
    """An amount in 毛 and 分 alone: where it ends, and its value."""
    found = _COINS.match(text, start)
    return (found.end(), _in_coins(found)) if found else None


def _in_coins(found: re.Match[str]) -> Decimal:
    mao, fen = (chinese_number(digit) if digit else None for digit in (found["mao"], found["fen"]))
    return (mao or Decimal(0)) / 10 + (fen or Decimal(0)) / 100


def with_part(
    text: str, later: Sequence[Numeral], end: int, value: Decimal | None, code: ProblemCode | None
) -> tuple[int, Decimal | None, ProblemCode | None, int]:
    """What follows the currency may belong to the amount: `3 dollars 50 cents`, `15 dollars and 50`, 三块五."""
    if value is None or not later:
        return end, value, code, 0
    small = later[0]
    gap = text[end : small.start]
    if not gap and text[end - 1] in "块元刀" and (coins := _COINS.match(text, end)):
        used = sum(number.start < coins.end() for number in later)
        return coins.end(), value + _in_coins(coins), code, used
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
