"""The codec of buttons."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks import Press, action_id, callback_id, decode, is_ours
from blocks.press import OPTION_LIMIT

THREAD = "T0LOCAL:C0DESK:1764511200.000100"
WORDS = st.text(max_size=90)


@given(WORDS, WORDS, WORDS, WORDS, WORDS)
def test_what_is_encoded_is_decoded(thread: str, case: str, request: str, field: str, value: str) -> None:
    """Every press comes back as it went in."""
    press = Press(do="answer", thread=thread, case=case, request=request, field=field, value=value)
    assert decode(press.encode()) == press


def test_an_option_has_room_for_a_usual_press() -> None:
    """A choice of a field, with a run id of 32 signs, fits into Slack's 150 characters of an option."""
    press = Press(
        do="answer", thread=THREAD, case="C-7K3F", request=f"{'a' * 32}/collect/1", field="comp_type", value="credit"
    )
    assert len(press.encode(OPTION_LIMIT)) <= OPTION_LIMIT


def test_too_long_a_press_is_refused() -> None:
    """A press that does not fit is an error, never a torn value."""
    with pytest.raises(ValueError, match="does not fit into 150"):
        Press(do="facts", value="x" * 200).encode(OPTION_LIMIT)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "not json",
        "{}",
        "[]",
        '["dance"]',
        '["approve",1]',
        '["approve",null,"C-1"]',
        '["approve","a","b","c","d","e","f"]',
        '{"do":"approve"}',
        json.dumps(["approve", "x" * 201]),
        "[" * 1999,
        json.dumps(["approve", "x" * 2001]),
    ],
)
def test_forged_values_are_refused(line: str) -> None:
    """Whatever the codec did not make is a ValueError."""
    with pytest.raises(ValueError, match="press"):
        decode(line)


@given(st.text(max_size=2100))
def test_any_text_is_decoded_or_refused(line: str) -> None:
    """Decoding raises nothing but ValueError."""
    try:
        decode(line)
    except ValueError:
        return


def test_ids_say_whose_they_are() -> None:
    """Action and callback ids are recognised, foreign ones are not."""
    assert action_id("approve", 3) == "sop.approve.3"
    assert is_ours("sop.approve.3")
    assert is_ours(callback_id("reject"))
    assert not is_ours("sop.dance.1")
    assert not is_ours("sop.approve.x")
    assert not is_ours("approve.1")
