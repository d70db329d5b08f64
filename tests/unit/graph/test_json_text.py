"""Values as JSON texts: the same as the standard library makes them, whatever the value."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.json_text import canonical, dumps

#: Half characters and numbers of any size too: they may have been said.
TEXTS = st.text(st.characters())
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)


@given(VALUES)
def test_a_text_is_the_value_and_is_the_one_the_standard_library_makes(value: object) -> None:
    """Short, with its signs as they are."""
    assert dumps(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert json.loads(dumps(value)) == value


@given(VALUES)
def test_equal_values_have_one_canonical_text(value: object) -> None:
    """However their keys are ordered; a digest of it does not depend on which of the two libraries made it."""
    assert canonical(value) == json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    turned = dict(reversed(value.items())) if isinstance(value, dict) else value
    assert canonical(turned) == canonical(value)


@pytest.mark.parametrize("value", ["\ud83d", {"\udc00": 1}, [2**64, -(2**63) - 1], {"b": "\ud83d", "a": 2**70}])
def test_what_is_no_json_for_the_faster_library_is_written_all_the_same(value: object) -> None:
    """Half characters, and numbers of more than 64 bits."""
    assert json.loads(canonical(value)) == value
    assert json.loads(dumps(value)) == value


def test_what_is_no_json_is_refused() -> None:
    """Nothing is written for an object."""
    with pytest.raises(TypeError):
        dumps({"x": object()})
