"""A decision at the end of a story: `he wants 300, but we'll do 100`. What stood before it is only told of."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from graph.fields.words import any_of
from graph.reading.clauses import MOST, clauses
from graph.reading.spans import Span

#: Words of a settlement: an amount before them is no longer meant.
_SETTLED = any_of(
    "[只就]能|只可以|最后|最终|后来|谈妥|谈好|谈到|说好|敲定|商定|定下",
    "can only|only do|only offer|settled|agreed on|in the end|finally|eventually|ended up|we'll do|we will do|"
    "we can do|we decided|final offer",
)
#: Words that lead from a story to what is to be done.
_THEN = any_of(
    "我们[补赔给退]|现在[补赔给改要换]|改[成为]?|换|这次|这回|这单|于是|所以|那就|就[补给赔退按]|统一",
    "so|this time|let's|we'll|make it|go with|give (?:these|him|her|them|this)|wants? it|we owe|now|refund|then|instead",
)
_STRONG, _WEAK = re.compile(_SETTLED), re.compile(rf"{_SETTLED}|{_THEN}")
#: What is added to something leaves it in force.
_ADDED = re.compile(
    any_of("再加|另加|加上?|另外|还有|外加|还要|追加", "plus|extra|another|also|more|on top|as well|and then")
)


@lru_cache(maxsize=256)
def decided(norm: str, *, settled: bool = False) -> Span | None:
    """The last clause of a text with words of a decision, with what joins it to the one before. None where there is none,
    or where it only adds to it. `settled`: only such words as do away with an earlier amount."""
    pattern = _STRONG if settled else _WEAK
    if pattern.search(norm) is None:
        return None
    spans = clauses(norm)
    if not 1 < len(spans) <= MOST or _ADDED.search(norm):
        return None
    for (_, low), (_, high) in reversed(list(pairwise(spans))):
        if pattern.search(norm, low, high):
            return low, high
    return None
