"""Telephone numbers that are spelled out sign by sign: 幺三八零零…, one three eight, double zero …"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ZH = dict(zip("零〇○一幺二两三四五六七八九", "00011223456789", strict=True))
_EN = {"zero": "0", "oh": "0", "o": "0", "nought": "0"} | {
    word: str(value)
    for value, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), start=1)
}
_TIMES = {"double": 2, "triple": 3, "treble": 3}
_FILLED = {"hundred": "00", "thousand": "000"}
_SIGNS = "".join(_ZH)
#: So many digits at least: fewer are an amount, a count or a room.
_LEAST = 7
_CHINESE = re.compile(
    rf"(?<![{_SIGNS}十百千万\d])\+?[{_SIGNS}](?:[ -]?[{_SIGNS}]){{{_LEAST - 1},14}}(?![{_SIGNS}十百千万亿元块])"
)
_DIGIT = rf"(?:(?:{'|'.join(_TIMES)}) )?(?:{'|'.join(_EN)})(?: (?:{'|'.join(_FILLED)}))?(?![a-z])"
_ENGLISH = re.compile(rf"(?<![a-z])(?:plus )?{_DIGIT}(?:[ ,.-]{{1,2}}(?:{_DIGIT}|\d{{1,4}}(?!\d))){{3,16}}")


def spelled(text: str) -> Iterator[tuple[int, int, str]]:
    """The runs of spelled digits in a normalised text: start, end, digits, with the plus sign where one was said."""
    for match in _CHINESE.finditer(text):
        yield match.start(), match.end(), "".join(_ZH.get(sign, "+" if sign == "+" else "") for sign in match.group())
    for match in _ENGLISH.finditer(text):
        digits = _digits(match.group())
        if len(digits.lstrip("+")) >= _LEAST:
            yield match.start(), match.end(), digits


def _digits(words: str) -> str:
    found, times = "", 1
    for word in re.findall(r"[a-z]+|\d+", words):
        if word in _TIMES:
            times = _TIMES[word]
            continue
        found += "+" if word == "plus" else _FILLED.get(word) or _EN.get(word, word) * times
        times = 1
    return found
