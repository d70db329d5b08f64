"""Codes such as order numbers: found whole, in any width and case, with or without their dash."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from graph.fields.cues import denied_before
from graph.fields.spec import FieldSpec


@dataclass(frozen=True)
class Code:
    """A code in the text, in its canonical writing."""

    start: int
    end: int
    value: str
    denied: bool = False


@lru_cache(maxsize=64)
def _patterns(pattern: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    strict = re.compile(pattern)
    outside = re.sub(r"\[[^\]]*\]|\\.|-", lambda part: "[- ]?" if part.group() == "-" else part.group(), pattern)
    loose = re.compile(rf"(?<![a-z0-9_])(?<![a-z0-9][-_])(?:{outside})(?![a-z0-9_])(?!-[a-z0-9])", re.IGNORECASE)
    return strict, loose


def codes(text: str, spec: FieldSpec) -> list[Code]:
    """The codes of `spec` in a normalised text, in order. A part of a longer code is none."""
    if not spec.pattern:
        return []
    strict, loose = _patterns(spec.pattern)
    found: list[Code] = []
    for match in loose.finditer(text):
        if value := _canonical(match.group(), strict):
            found.append(Code(match.start(), match.end(), value, denied_before(text, match.start())))
    return found


def _canonical(words: str, strict: re.Pattern[str]) -> str | None:
    for form in (words.upper(), words):
        if strict.fullmatch(form):
            return form
    bare = re.sub(r"[- ]", "", words.upper())
    forms = {f"{bare[:at]}-{bare[at:]}" for at in range(1, len(bare))}
    fitting = [form for form in forms if strict.fullmatch(form)]
    return fitting[0] if len(fitting) == 1 else None
