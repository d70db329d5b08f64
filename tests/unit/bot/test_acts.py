"""Forms that decide: as what they are judged, and the event of one that may not be opened."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from blocks.press import Do, Press
from bot import acts
from graph.model import ANOTHER_AMOUNT, Actor, Verdict

NOW = datetime(2026, 9, 4, tzinfo=UTC)
WANG = Actor(id="U0WANG", name="王")


def press(do: Do, verdict: str = "", option: str = "") -> Press:
    """A button of an approval card."""
    return Press(do=do, case="C-1", thread="t", request="C-1/approval/1", field=verdict, value=option)


@pytest.mark.parametrize(
    ("pressed", "verdict", "choice", "values"),
    [
        (press("option", "approve", "pay"), "approve", "pay", {"option": "pay"}),
        (press("option", "reject", "no"), "reject", "no", {"option": "no"}),
        (press("another_amount"), "approve", ANOTHER_AMOUNT, {"amount": "-"}),
        (press("reject"), "reject", None, {}),
        (press("ask_requester"), "reject", None, {}),
    ],
)
def test_a_refused_form_is_judged_for_what_it_would_have_decided(
    pressed: Press, verdict: Verdict, choice: str | None, values: dict[str, str]
) -> None:
    """So that the reason that is told is the true one; without a reason of its own it never counts."""
    assert (acts.judged_as(pressed), acts.choice_of(pressed)) == (verdict, choice)
    event = acts.refused_at_once(pressed, "click:1", WANG, NOW)
    assert (event.verdict, event.values, event.reason) == (verdict, values, "")
