"""Which of the things that were offered a sentence takes: by name, by id, or by its place in the list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graph.fields.cues import denied_before
from graph.fields.words import Source
from graph.model import Offered

_ZH = "一二三四五六七八九十"
_EN = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_EN_CARDINAL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLACE = re.compile(
    rf"第 ?(?P<zh>[{_ZH}]|\d{{1,2}}) ?(?:个|款|项|种|条|档|份|套)?|"
    rf"(?<![a-z])(?P<en>{'|'.join(_EN)})(?![a-z])(?: one| option| plan)?|"
    rf"(?:(?<![a-z])(?:option|number|no\.?|plan) ?|#|选项? ?)(?P<no>\d{{1,2}}|{'|'.join(_EN_CARDINAL)})(?![\da-z.,%])|"
    r"(?P<last>最后(?:一|那)?个|(?<![a-z])(?:the )?last one)"
)
_BARE = re.compile(rf"(?P<no>\d{{1,2}}|[{_ZH}])[.。)）]?")


@dataclass(frozen=True)
class Picked:
    """What a sentence takes: `values` of offers, in the order of the list; `denied` those it turns down."""

    values: tuple[str, ...]
    denied: tuple[str, ...]


def picked(text: str, offers: Sequence[Offered]) -> Picked:
    """The offers that a sentence names. Nothing is taken that is not named."""
    norm = Source(text).norm.strip()
    bare = _BARE.fullmatch(norm)
    if bare is not None:
        return Picked(tuple(_at(offers, _number(bare["no"]))), ())
    named: dict[str, bool] = {}
    for at, value in _named(norm, offers):
        named[value] = named.get(value, True) and denied_before(norm, at)
    ordered = [offer.value for offer in offers if offer.value in named]
    taken = tuple(value for value in ordered if not named[value])
    return Picked(taken, tuple(value for value in ordered if named[value]))


def _named(norm: str, offers: Sequence[Offered]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for place in _PLACE.finditer(norm):
        number = len(offers) if place["last"] else _number(place["zh"] or place["en"] or place["no"])
        found += [(place.start(), value) for value in _at(offers, number)]
    words = sorted(
        ((word, offer.value) for offer in offers for word in (Source(offer.value).norm, Source(offer.label).norm)),
        key=lambda pair: -len(pair[0]),
    )
    covered: list[tuple[int, int]] = []
    for word, value in words:
        pattern = rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])" if word.isascii() else re.escape(word)
        for match in re.finditer(pattern, norm):
            if not any(low <= match.start() < high for low, high in covered):
                covered.append(match.span())
                found.append((match.start(), value))
    return sorted(found)


def _number(word: str) -> int:
    if word.isdecimal():
        return int(word)
    for words in (_ZH, _EN, _EN_CARDINAL):
        if word in words:
            return list(words).index(word) + 1
    return 0


def _at(offers: Sequence[Offered], number: int) -> list[str]:
    return [offers[number - 1].value] if 1 <= number <= len(offers) else []
