"""Which choices a text names, and which of them it turns down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from graph.fields.spec import FieldSpec
from graph.fields.words import any_of


@dataclass(frozen=True)
class Cue:
    """Words that name a choice. `value` is None for words that only look like one (credit card). `supposed`: it stands
    under a condition."""

    start: int
    end: int
    value: str | None
    denied: bool = False
    supposed: bool = False


_NOT = any_of(
    "婉拒了?|谢绝了?|推掉了?|不想要?|(?<!要)不要|(?<!用)不用|(?<!需)不需要|(?<!给)不给|(?<!是)不是|(?<!能)不能|(?<!走)不走|不收|不接受|"
    "(?<!退)不退|(?<!补)不补|别|没有|没|无需|拒绝|非|除了?|(?<!要)不做|不搞|不开",
    "not|no|never|without|don't|do not|dont|doesn't|does not|doesnt|isn't|won't|wouldn't|hasn't|haven't|"
    "hadn't|didn't|wasn't|refuses?|refused|declines?|turn(?:s|ed) down|reject(?:s|ed)|said no to|"
    "nothing|declined|instead of|rather than|neither|nor|other than|except|anything but|can't|cannot|couldn't|unable to",
)
_OBJECTS = any_of(
    "再|要|给|用|退|补|赔|发|走|是|成|客人|他|她| ",
    "yet|been|even|really|still|ever|want|need|wants|needs|take|accept|any|the|an?|in|as|by|be|to|for|pay|give|with|of|it|get|like|him|her|them|do|offer",
)
_NOT_BEFORE = re.compile(rf"{_NOT}{_OBJECTS}*$")
_NOT_AFTER = re.compile(
    r" ?(?:就|也|都|是|他|她|客人)*(?:退不了|退不回|用不了|没法|不支持|不合适|不方便|不行|不可以|不能|不好|"
    r"没有?了|卖完|订完|满了|(?:is|are) (?:gone|full|sold out)|用不[上着]|没用|看不上|不感兴趣|不稀罕|(?:is|are|'s|"
    r"'re) (?:useless|worthless|no good|no use|pointless|"
    r"of no use|unwanted)|"
    r"太(?:慢|贵|麻烦|小|大|少|久)|(?:'s|is|was|are)? ?too (?:slow|dear|expensive|pricey|small|big|much|long|"
    r"little)(?![a-z])|"
    r"(?:不想要|不要|不用|不需要|不接受)(?![^ ,，.。;；!！?？\n了吧啊呢的给就])|免了|算了|"
    r"(?:is|are|was|would be|will)(?: not|n't)|won't|(?:is |are )?(?:impossible|"
    r"unavailable)|not (?:possible|ok|allowed|available))"
)
#: A choice under a condition is none: 现金不行就积分, credit if there is no cash.
_IF = re.compile(
    any_of(
        "如果|(?<!主)要是|假如|万一|除非|不行(?:的话)?[ ,，]*(?:再|就|那就|改)|实在不行|的话(?!吧)",
        "if(?! possible| you can| needed)|unless|in case",
    )
)
_CLAUSE = re.compile(r"[^。;；!！?？\n]+")
_AND = re.compile(r" ?(?:和|或者|或|跟|与|、|/|or|and|nor) ?$")


#: What `…` in a cue stands for: words that only lead on, in Chinese or in English.
_LEADING_ON = any_of("到|回|去|进|给|在|入|至|他们?|她们?|客人|客户|顾客|乘客|人家|自己|对方|的|了|那张|原来?")
_LEADING_ON_EN = (
    r"(?: (?:on|onto|to|into|in|via|the|a|his|her|their|my|its|our|guests?'?s?|customers?'?s?|"
    r"clients?'?s?|same|original|own))*"
)


@lru_cache(maxsize=64)
def _patterns(spec: FieldSpec) -> tuple[re.Pattern[str], dict[str, str | None]]:
    """What finds the cues of a field, and the value of each by the name of its group."""
    by_word: dict[str, str | None] = {word.lower(): None for word in spec.not_cues}
    for choice in spec.choices:
        labels = [text for text in (choice.label, choice.short) if text]
        names = [choice.value, *(name for text in labels for name in (text.zh, text.en))]
        for word in (*choice.cues.zh, *choice.cues.en, *names):
            by_word.setdefault(word.lower(), choice.value)
    words = sorted(by_word, key=lambda word: ("…" not in word, -len(word)))
    pattern = "|".join(f"(?P<w{place}>{_bounded(word)})" for place, word in enumerate(words))
    return re.compile(pattern or r"(?!)"), {f"w{place}": by_word[word] for place, word in enumerate(words)}


def _bounded(word: str) -> str:
    parts = word.replace(" …", "…").split("…")
    gap = _LEADING_ON_EN if parts[0].isascii() else f"{_LEADING_ON}{{0,4}}"
    pattern = gap.join(map(re.escape, parts))
    if word[:1].isascii() and word[:1].isalnum():
        pattern = r"(?<![a-z0-9_])" + pattern
    if word[-1:].isascii() and word[-1:].isalnum():
        pattern += r"(?![a-z0-9_])"
    return pattern


@lru_cache(maxsize=128)
def cues(text: str, spec: FieldSpec) -> tuple[Cue, ...]:
    """The choices of `spec` that a normalised text names, in order; the longest words win."""
    pattern, values = _patterns(spec)
    found: list[Cue] = []
    for match in pattern.finditer(text):
        cue = Cue(match.start(), match.end(), values[match.lastgroup or ""])
        denied = denied_before(text, cue.start) or _NOT_AFTER.match(text, cue.end) is not None
        if found and found[-1].denied and _AND.fullmatch(text[found[-1].end : cue.start]):
            denied = denied or denied_before(text, found[-1].start)  # no cash or credit
        found.append(replace(cue, denied=denied))
    supposed = [clause.span() for clause in _CLAUSE.finditer(text) if _IF.search(clause.group())] if found else []
    return tuple(replace(cue, supposed=True) if _within(cue, supposed) else cue for cue in found)


def _within(cue: Cue, spans: Sequence[tuple[int, int]]) -> bool:
    return any(low <= cue.start < high for low, high in spans)


def denied_before(text: str, at: int) -> bool:
    """Whether what stands right before `at` turns down what follows: 不要…, not …, instead of …"""
    return _NOT_BEFORE.search(text, max(0, at - 32), at) is not None
