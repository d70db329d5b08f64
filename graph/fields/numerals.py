"""Where numbers stand in a text, and which of them are whole numbers rather than parts of codes, dates or times."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from graph.fields.chinese import DIGITS, SCALES, SIGNS, UNITS, VAGUE, chinese_number
from graph.fields.currencies import ISO
from graph.fields.english import SPELLED, english_number

State = Literal["exact", "vague", "range", "either", "broken"]


@dataclass(frozen=True)
class Numeral:
    """A number of the text. `value` is None unless the state is exact; `values` are the ends of a range.

    `prefix` and `suffix` are the currency codes written onto it (`80usd`). `bare` is digits alone, `spelled` words.
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

_SPELLED = SPELLED.pattern.replace(" ", r"\ ")
_TOKENS = re.compile(
    rf"""
    (?P<skip>https?://\S+ | <[@\#!][^<>\s]{{1,80}}> | [a-z0-9._+-]{{1,64}}@[a-z0-9.-]{{1,64}}
      | (?<![a-z0-9])\d{{4}}\s?[-/.年]\s?\d{{1,2}}\s?[-/.月]\s?\d{{1,2}}(?!\d)(?:\s?[日号])?
      | (?<![a-z0-9])\d{{4}}年(?:\d{{1,2}}月)? | (?<![a-z0-9])\d{{1,2}}月(?:\d{{1,2}}[日号]?)?
      | (?<![a-z0-9/])\d{{1,2}}/\d{{1,2}}/\d{{2,4}}(?![a-z0-9/])
      | (?<![a-z0-9:])\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?![\d:])
      | (?<![a-z0-9-])\+?\d{{1,4}}(?:[- ]\d{{3,4}}){{2,6}}(?![\d])
      | (?<!\d)[{DIGITS}十]{{1,3}}月(?:[{DIGITS}十]{{1,3}}[日号])?)
    | (?P<spelled>{_SPELLED})
    | (?P<chinese>(?<![a-z0-9.,-])(?:\d+(?:,\d{{3}})*(?:\.\d+)?(?=[{UNITS}{SCALES}]|[{VAGUE}][{UNITS}{SCALES}])
        |[{SIGNS}半]|[几幾数數](?=[{UNITS}{SCALES}]))(?:[{SIGNS}半0-9]|[{VAGUE}](?=[{UNITS}{SCALES}])|(?<=\d)\.(?=\d))*)
    | (?P<run>\.?[a-z0-9]+(?:(?:[-_/]|(?<=\d)[.,](?=\d))[a-z0-9]+)*)
    """,
    re.VERBOSE,
)


def numerals(text: str) -> list[Numeral]:
    """All numbers of a normalised text, in order. Codes, dates, times and telephone numbers are none."""
    found: list[Numeral] = []
    for token in _TOKENS.finditer(text):
        kind, words, start = token.lastgroup, token.group(), token.start()
        if kind == "chinese":
            found += _chinese(words, start)
        elif kind == "spelled":
            value = english_number(words)
            found.append(Numeral(start, token.end(), "broken" if value is None else "exact", value, spelled=True))
        elif kind == "run":
            found += _run(words, start)
    return _not_apart(text, found)


def _chinese(words: str, start: int) -> list[Numeral]:
    trimmed = words.rstrip("点點")
    end = start + len(trimmed)
    if not trimmed:
        return []
    if any(sign in VAGUE for sign in trimmed):
        return [Numeral(start, end, "vague", spelled=True)]
    value = chinese_number(trimmed)
    if value is None:
        vague = re.fullmatch(rf"[{DIGITS}]?[{DIGITS}]{{2}}[{UNITS}{SCALES}]+|[十][{DIGITS}]{{2}}[{SCALES}]?", trimmed)
        return [Numeral(start, end, "vague" if vague else "broken", spelled=True)]
    return [Numeral(start, end, "exact", value, spelled=True)]


def _run(words: str, start: int) -> list[Numeral]:
    end = start + len(words)
    if not any(sign.isdigit() for sign in words):
        return []
    if plain := _PLAIN.fullmatch(words):
        prefix, digits, factor, suffix = plain.groups()
        value = _western(digits, factor)
        return [Numeral(start, end, "exact", value, prefix=prefix or "", suffix=suffix or "")]
    if span := _SPAN.fullmatch(words):
        prefix, low, low_factor, high, high_factor, suffix = span.groups()
        ends = (_western(low, low_factor), _western(high, high_factor))
        return [Numeral(start, end, "range", values=ends, prefix=prefix or "", suffix=suffix or "")]
    if _SLASH.fullmatch(words):
        return [Numeral(start, end, "either", values=tuple(_western(part, None) for part in words.split("/")))]
    if re.fullmatch(r"[\d.,]+", words):
        return [Numeral(start, end, "broken")]
    if "," in words or "/" in words:
        parts = [found for part in re.finditer(r"[^,/]+", words) for found in _run(part.group(), start + part.start())]
        return [part for part in parts if part.state == "exact"]
    return []


def _western(digits: str, factor: str | None) -> Decimal:
    return Decimal(digits.replace(",", "")) * _FACTORS.get(factor or "", 1)


def _not_apart(text: str, found: list[Numeral]) -> list[Numeral]:
    """Digits in groups with a space between (`40 000`) are one thing that we do not read."""
    joined = found[:1]
    for before, after in pairwise(found):
        apart = text[before.end : after.start]
        plain = not (before.spelled or after.spelled or before.suffix or after.prefix)
        last = joined[-1]
        if apart == " " and plain and re.fullmatch(r"\d{3,}(?:\.\d+)?", text[after.start : after.end]):
            joined[-1] = replace(last, end=after.end, state="broken", value=None)
        else:
            joined.append(after)
    return joined
