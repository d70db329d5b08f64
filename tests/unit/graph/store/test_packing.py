"""Long texts are packed, and come back as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.store.packing import LONG, pack, unpack

TEXT = '{"row": {"case": "C-1"}, "say": "客人包车迟到两小时"} ' * 12
KEPT = "packed1:eH1o8JV4q8aSkgwhtTI4fSo9Xbfoya5dT3taX+xd9mL//KcdG57sWPJ0Q/+z6duUakEpflT7qPahpR0A3R9g8A=="
"""The same, as the first version stored it."""


@given(st.one_of(st.text(), st.text(min_size=3).map(lambda text: text * LONG)))
def test_what_is_packed_comes_back(text: str) -> None:
    """Short or long; a long one that repeats itself takes up less."""
    stored = pack(text)
    assert unpack(stored) == text
    assert len(stored) <= len(text)


def test_words_that_look_packed_are_kept_apart() -> None:
    """Whoever says `packed1:` is not misread."""
    assert unpack(pack("packed1:abc")) == "packed1:abc"


def test_what_was_packed_before_is_still_read() -> None:
    """The words that packing starts from belong to the format: changed under the same prefix, this could not be read."""
    assert unpack(KEPT) == TEXT
    assert len(pack(TEXT)) == len(KEPT)


@pytest.mark.parametrize("stored", [KEPT[:-8], KEPT[:-1], f"{KEPT[:20]}AAAA{KEPT[24:]}", "packed1:", "packed1:!"])
def test_what_does_not_hold_is_an_error(stored: str) -> None:
    """Cut, changed, or nothing at all: never half a text."""
    with pytest.raises(ValueError, match="packed"):
        unpack(stored)
