"""Many patterns looked for at once: what is found is what each would find by itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.reading.lexicon import Lexicon, heads_of

WORDS = {
    "refund": ["退款", "退(?!货)", r"(?<![a-z])(?:refund[a-z]*)(?![a-z])"],
    "crew": ["[司导][机游]", r"(?<![a-z])(?:(?:tour )?guides?|drivers?)(?![a-z])"],
    "count": [r"\d+人", "(?<!一)个人"],
    "loose": [".{1,2}人"],
}


@given(st.text(alphabet="退款货司机导游个人一12 refundsguidtor", max_size=24))
@settings(max_examples=200, deadline=None)
def test_it_finds_what_the_patterns_find_one_by_one(text: str) -> None:
    """The spans of each name are those of one pattern of all its alternatives."""
    single = [(m.start(), m.end(), name) for name, listed in WORDS.items() for m in re.finditer("|".join(listed), text)]
    assert sorted(Lexicon(WORDS).find(text)) == sorted(single)


@pytest.mark.parametrize(
    ("pattern", "heads"),
    [("退款", "退"), ("(?<!a)[甲乙]x", "甲乙"), (r"\d+人", "0123456789"), ("(?:ab|cd)?e", None), ("a?b", None)],
)
def test_the_first_sign_of_a_pattern(pattern: str, heads: str | None) -> None:
    """What cannot be seen to begin with certain signs is tried everywhere."""
    assert heads_of(pattern) == (None if heads is None else frozenset(heads))
