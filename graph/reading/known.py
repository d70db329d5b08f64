"""Words that name what a case knows already: the value that is to be another, the code that it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from graph.fields import FieldSpec, parse
from graph.fields.codes import codes
from graph.fields.words import Source
from graph.model import Fact


def same(spec: FieldSpec, old: str, known: Fact | None) -> bool:
    """Whether these words are the value that the case knows."""
    if known is None or spec.sensitive:
        return False
    old = old.strip(" ,，.。的")
    if spec.type == "text":
        return len(old) > 1 and old in Source(str(known.value)).norm
    if digits_of(spec, old, known) == known.value:
        return True
    read = parse(spec, old)
    return isinstance(read, Fact) and read.value == known.value


def digits_of(spec: FieldSpec, words: str, known: Fact | None) -> str | None:
    """A code of which only the digits were said, written as the known one is: 788 beside KL-778."""
    digits = re.fullmatch(r"[ #号是]*(\d{2,})[ 号吧。.]*", Source(words).norm)
    if spec.type != "code" or known is None or digits is None or not re.search(r"\d+$", str(known.value)):
        return None
    return re.sub(r"\d+$", digits[1], str(known.value))


def without_codes(words: str, known: Mapping[str, Fact], told: Sequence[FieldSpec]) -> str:
    """Words without the codes that the case has anyway: 把 KL-778 的金额改成 200."""
    for spec in told:
        if spec.type == "code" and spec.name in known:
            for code in reversed(codes(words, spec)):
                if code.value == known[spec.name].value:
                    lead = re.sub(r"(?:订单号?|单号|(?:the )?order(?: number)?)[ :#]*$", "", words[: code.start])
                    words = f"{lead} {words[code.end :]}"
    return words
