"""A question as it was meant: one width, words spelled as the handbook spells them, and what "it" stands for.

What is repaired only finds passages. Facts are taken from the words as they were said, so that no repair adds one.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import Final

from graph.fields.words import Source, any_of

_IT: Final = re.compile(
    any_of(
        r"它们?|(?:这|那)(?:个|款|种|条)(?:产品|方案|套餐|宽带|专线)?(?!月|人|单|订单)",
        r"(?:this|that) (?:one|plan|line|product)|it(?!')|(?<=does )this|(?<=is )this",
    )
)
_WORD: Final = re.compile(r"[a-z]{5,}")
_NEAR: Final = 0.84


def repaired(question: str, subject: str, vocabulary: Collection[str]) -> str:
    """The question with each slip of spelling set right by the nearest word of `vocabulary`, and "it" replaced by the
    `subject` of the thread. Numbers and codes stay as they are."""
    norm = Source(question).norm
    known = set(vocabulary)
    spelled = _WORD.sub(lambda word: _nearest(word.group(), known), norm)
    return _IT.sub(lambda _: f" {subject} ", spelled) if subject else spelled


def _nearest(word: str, known: set[str]) -> str:
    if word in known or word.removesuffix("s") in known:
        return word
    same_start = [each for each in known if each[0] == word[0]]
    found = get_close_matches(word, same_start, n=1, cutoff=_NEAR)
    return found[0] if found else word
