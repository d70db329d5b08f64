"""Which choices a text names, and which of them it turns down."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from graph.fields.spec import FieldSpec


@dataclass(frozen=True)
class Cue:
    """Words that name a choice. `value` is None for words that only look like one (credit card)."""

    start: int
    end: int
    value: str | None
    denied: bool = False


_NOT_BEFORE = re.compile(
    r"(?:不想要?|不要|不用|不需要|不给|不是|不能|不走|不收|不接受|不退|不补|不|别|没有|没|无需|拒绝|非|"
    r"(?<![a-z])(?:not|no|never|without|don't|do not|dont|doesn't|does not|doesnt|isn't|won't|wouldn't|refuses?|refused|declines?|"
    r"declined|instead of|rather than|neither|nor|other than))"
    r"(?:再|要|给|用|退|补|赔|发|走|是|成|客人|他|她|(?<![a-z])(?:want|need|wants|needs|take|accept|any|the|a|in|as|by|be|to|for|"
    r"pay|give|with|of|it|get|like|him|her|them|give)(?![a-z])| )*$"
)
_NOT_AFTER = re.compile(
    r" ?(?:就|也|都|是)?(?:不行|不要|不用|不可以|不能|不好|不需要|不接受|免了|算了|(?:is|are|was|would be|will)(?: not|n't)|won't)"
)
_AND = re.compile(r" ?(?:和|或者|或|跟|与|、|,|/|or|and|nor|也) ?$")


@lru_cache(maxsize=64)
def _pattern(spec: FieldSpec) -> tuple[re.Pattern[str], dict[str, str | None]]:
    by_word: dict[str, str | None] = {word.lower(): None for word in spec.not_cues}
    for choice in spec.choices:
        for word in (*choice.cues.zh, *choice.cues.en):
            by_word.setdefault(word.lower(), choice.value)
        by_word.setdefault(choice.value.lower(), choice.value)
        for label in (choice.label, choice.short):
            if label:
                by_word.setdefault(label.zh.lower(), choice.value)
                by_word.setdefault(label.en.lower(), choice.value)
    words = sorted(by_word, key=len, reverse=True)
    return re.compile("|".join(_bounded(word) for word in words) or r"(?!)"), by_word


def _bounded(word: str) -> str:
    pattern = re.escape(word)
    if word[:1].isascii() and word[:1].isalnum():
        pattern = r"(?<![a-z0-9_])" + pattern
    if word[-1:].isascii() and word[-1:].isalnum():
        pattern += r"(?![a-z0-9_])"
    return pattern


def cues(text: str, spec: FieldSpec) -> list[Cue]:
    """The choices of `spec` that a normalised text names, in order; the longest words win."""
    pattern, by_word = _pattern(spec)
    found: list[Cue] = []
    for match in pattern.finditer(text):
        cue = Cue(match.start(), match.end(), by_word[match.group()])
        denied = denied_before(text, cue.start) or _NOT_AFTER.match(text, cue.end) is not None
        if found and not denied and found[-1].denied and _AND.fullmatch(text[found[-1].end : cue.start]):
            denied = denied_before(text, found[-1].start)
        found.append(replace(cue, denied=denied))
    return found


def denied_before(text: str, at: int) -> bool:
    """Whether what stands right before `at` turns down what follows: 不要…, not …, instead of …"""
    return _NOT_BEFORE.search(text, max(0, at - 32), at) is not None


def payable(text: str, specs: Iterable[FieldSpec]) -> list[Cue]:
    """The cues of all choice fields, which may stand for the unit of an amount: 20 积分, 5000 cash."""
    return [cue for spec in specs if spec.type == "choice" for cue in cues(text, spec)]
