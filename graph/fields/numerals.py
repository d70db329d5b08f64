"""Where numbers stand in a text, and which of them are whole numbers rather than parts of codes, dates or times."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from graph.fields.chinese import DIGITS, FORMAL, SCALES, SIGNS, UNITS, VAGUE, chinese_number
from graph.fields.currencies import ISO
from graph.fields.english import SPELLED, english_number

State = Literal["exact", "vague", "range", "either", "broken"]


@dataclass(frozen=True)
class Numeral:
    """A number of the text. `value` is None unless the state is exact; `values` are the ends of a range.

    `prefix` and `suffix` are the currency codes written onto it (`80usd`); `spelled` says that it is not in digits.
    """

    start: int
    end: int
    state: State
    value: Decimal | None = None
    values: tuple[Decimal, ...] = ()
    prefix: str = ""
    suffix: str = ""
    spelled: bool = False


_GROUPED = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_FACTORS = {"k": 10**3, "w": 10**4, "m": 10**6, "mm": 10**6, "mn": 10**6, "bn": 10**9, "b": 10**9}
_ISO = "|".join(sorted((code.lower() for code in ISO), key=len, reverse=True))
_PLAIN = re.compile(rf"({_ISO})?({_GROUPED})(k|w|mm|mn|m|bn|b)?({_ISO})?")
_SPAN = re.compile(rf"({_ISO})?({_GROUPED})(k|w)?-({_GROUPED})(k|w)?({_ISO})?")
_SLASH = re.compile(rf"({_GROUPED})((?:/(?:{_GROUPED}))+)")
_TWO_DIGITS = re.compile(rf"[{DIGITS}]{{2,3}}[{UNITS}{SCALES}]+|[十拾][{DIGITS}]{{2}}[{SCALES}]?")
#: No order is worth more; beyond it digits are an account, not a number.
_LARGEST = Decimal(10**16)

#: After 一 these make words that count nothing: 一共, 一起.
_NO_COUNT = "共起般样定直些下旦切律致路"
_CN_UNIT = f"[{UNITS}{SCALES}]"
_SKIPPED = rf"""
    (?<![{SIGNS}0-9])一[直些样起并旦般律切再共定下会同]  # words, not numbers
    | https?://\S+ | <[@\#!][^<>\s]{{1,80}}> | [a-z0-9._+-]{{1,64}}@[a-z0-9.-]{{1,64}}
    | (?<![a-z0-9])\d{{4}}\s?[-/.年]\s?\d{{1,2}}\s?[-/.月]\s?\d{{1,2}}(?!\d)(?:\s?[日号])?
    | (?<![a-z0-9])\d{{4}}年(?:\d{{1,2}}月)? | (?<![a-z0-9])\d{{1,2}}月(?:\d{{1,2}}[日号]?)?
    | (?<![a-z0-9/])\d{{1,2}}/\d{{1,2}}/\d{{2,4}}(?![a-z0-9/])
    | (?<![a-z0-9:])\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?![\d:])
    | (?<![a-z0-9-])\+?\d{{1,4}}(?:[-\ ]\d{{3,4}}){{2,6}}(?!\d)
    | (?<!\d)[{DIGITS}十]{{1,3}}月(?:[{DIGITS}十]{{1,3}}[日号])?"""
_CHINESE = rf"""
    (?<![a-z0-9])
    (?: \d+(?:,\d{{3}})*(?:\.\d+)?\ ?(?={_CN_UNIT}|[{VAGUE}]{_CN_UNIT}) | [{SIGNS}半] | [几幾数數](?={_CN_UNIT}) )
    (?: [{SIGNS}半0-9] | [{VAGUE}](?={_CN_UNIT}) | (?<=\d)\.(?=\d)
      | \ (?={_CN_UNIT}|[{DIGITS}0-9]{{1,4}}\ ?{_CN_UNIT}) )*"""
_RUN = r"\.?[a-z0-9]+(?:(?:[-_/]|(?<=\d)[.,'](?=\d))[a-z0-9]+)*"
_TOKENS = re.compile(
    "(?P<skip>{})|(?P<spelled>{})|(?P<chinese>{})|(?P<run>{})".format(
        _SKIPPED, SPELLED.replace(" ", r"\ "), _CHINESE, _RUN
    ),
    re.VERBOSE,
)


def numerals(text: str) -> list[Numeral]:
    """All numbers of a normalised text, in order. Codes, dates, times and telephone numbers are none."""
    found: list[Numeral] = []
    for token in _TOKENS.finditer(text):
        kind, words, start = token.lastgroup, token.group(), token.start()
        if kind == "chinese":
            found += _chinese(words, start, text[token.end() : token.end() + 1] or " ")
        elif kind == "spelled":
            found.append(_exact(start, token.end(), english_number(words), spelled=True))
        elif kind == "run":
            found += _run(words, start)
    return _not_apart(text, found)


def _exact(
    start: int, end: int, value: Decimal | None, *, prefix: str = "", suffix: str = "", spelled: bool = False
) -> Numeral:
    if value is None or value >= _LARGEST:
        return Numeral(start, end, "broken", spelled=spelled)
    return Numeral(start, end, "exact", value, prefix=prefix, suffix=suffix, spelled=spelled)


def _chinese(words: str, start: int, after: str) -> list[Numeral]:
    trimmed = words.rstrip(" 点點")
    end = start + len(trimmed)
    if not trimmed or trimmed in FORMAL:  # 伍, 陆, 拾 alone are names and verbs
        return []
    if trimmed == "一" and after in _NO_COUNT:
        return []
    if any(sign in VAGUE for sign in trimmed) or _TWO_DIGITS.fullmatch(trimmed):  # 七八十
        return [Numeral(start, end, "vague", spelled=True)]
    return [_exact(start, end, chinese_number(trimmed), spelled=True)]


def _run(words: str, start: int) -> list[Numeral]:
    end = start + len(words)
    if plain := _PLAIN.fullmatch(words):
        prefix, digits, factor, suffix = plain.groups(default="")
        return [_exact(start, end, _western(digits, factor), prefix=prefix, suffix=suffix)]
    if span := _SPAN.fullmatch(words):
        prefix, low, low_factor, high, high_factor, suffix = span.groups(default="")
        ends = [value for value in (_western(low, low_factor), _western(high, high_factor)) if value is not None]
        return [Numeral(start, end, "range", values=tuple(ends), prefix=prefix, suffix=suffix)]
    if _SLASH.fullmatch(words):
        parts = [value for part in words.split("/") if (value := _western(part, "")) is not None]
        return [Numeral(start, end, "either", values=tuple(parts))]
    if re.fullmatch(r"[\d.,']+", words):
        return [Numeral(start, end, "broken")]
    if "," in words or "/" in words:
        pieces = re.finditer(r"[^,/]+", words)
        numbers = [number for piece in pieces for number in _run(piece.group(), start + piece.start())]
        return [number for number in numbers if number.state == "exact"]
    return []


def _western(digits: str, factor: str) -> Decimal | None:
    return Decimal(digits.replace(",", "")) * _FACTORS.get(factor, 1) if len(digits) <= 24 else None


def _not_apart(text: str, found: list[Numeral]) -> list[Numeral]:
    """Digits in groups with a space between (`40 000`) are one thing that we do not read."""
    joined = found[:1]
    for before, after in pairwise(found):
        plain = not (before.spelled or after.spelled or before.suffix or after.prefix)
        if plain and text[before.end : after.start] == " ":
            joined[-1] = replace(joined[-1], end=after.end, state="broken", value=None, suffix=after.suffix)
        else:
            joined.append(after)
    return joined
