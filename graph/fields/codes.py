"""Codes such as order numbers: found whole, in any width and case, with or without their dash."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from graph.fields.cues import denied_before
from graph.fields.spec import FieldSpec
from graph.fields.words import any_of


@dataclass(frozen=True)
class Code:
    """A code in the text, in its canonical writing."""

    start: int
    end: int
    value: str
    denied: bool = False


_CALLED = re.compile(
    any_of("订单号?|单号|工单", r"(?:order|booking|case)(?: (?:number|no\.?|nr\.?|id))?")
    + r"(?:[ :#是为]|(?<![a-z])is(?![a-z]))*(?P<digits>\d+)"
    r"(?![\d.,%-]|[a-z]| ?(?:美元|美金|元|块|刀|dollars?|usd|[个单张份件笔]))"
)

_BARE = re.compile(r"^[ \n]*(?:是|it's|it is)?[ \n]*(?P<digits>\d+)[ \n.。!！]*$")


@lru_cache(maxsize=64)
def _patterns(pattern: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    strict = re.compile(pattern)
    outside = re.sub(r"\[[^\]]*\]|\\.|-", lambda part: "[- ]?" if part.group() == "-" else part.group(), pattern)
    outside = re.sub(r"^([A-Z]+)(?=\\d|\[0-9\])", r"\1[- ]?", outside)  # CU 300112
    loose = re.compile(rf"(?<![a-z0-9_])(?<![a-z0-9][-_])(?:{outside})(?![a-z0-9_])(?!-[a-z0-9])", re.IGNORECASE)
    return strict, loose


def codes(text: str, spec: FieldSpec, *, alone: bool = False) -> list[Code]:
    """The codes of `spec` in a normalised text, in order. A part of a longer code is none. `alone`: the text answers a
    question for the code, so that digits by themselves are its digits."""
    if not spec.pattern:
        return []
    strict, loose = _patterns(spec.pattern)
    found: list[Code] = []
    for match in loose.finditer(text):
        if value := _canonical(match.group(), strict):
            found.append(Code(match.start(), match.end(), value, denied_before(text, match.start())))
    return found or _short(text, strict, spec.pattern, alone)


def _short(text: str, strict: re.Pattern[str], pattern: str, alone: bool) -> list[Code]:
    """Digits that are called an order's, without the letters that every code of the field begins with: 订单 778."""
    letters = re.match(r"[A-Z]+-?", pattern)
    if letters is None:
        return []
    found = []
    for match in _CALLED.finditer(text) if not alone else [*_CALLED.finditer(text), *_BARE.finditer(text)][:1]:
        value = letters.group() + match["digits"]
        if strict.fullmatch(value):
            found.append(Code(match.start(), match.end(), value, denied_before(text, match.start())))
    return found


def _canonical(words: str, strict: re.Pattern[str]) -> str | None:
    for form in (words.upper(), words):
        if strict.fullmatch(form):
            return form
    bare = re.sub(r"[- ]", "", words.upper())
    forms = {bare, *(f"{bare[:at]}-{bare[at:]}" for at in range(1, len(bare)))}
    fitting = [form for form in forms if strict.fullmatch(form)]
    return fitting[0] if len(fitting) == 1 else None
