"""Presses and submitted forms -> events: whose act it is, what about, and as what a form that decides is judged."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from blocks.press import Do, Press
from bot import acts
from graph.model import ANOTHER_AMOUNT, Actor, Verdict

_OF_A_REQUEST = {"queue", "apart", "begin", "practise"}
"""What is about words, or a drill to come, wherever they stand."""
_AMENDS = '{"amount":["60","60"]}'
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


@pytest.mark.parametrize("do", sorted({*acts._PRESSED, *acts._SENT}))
def test_what_a_person_does_on_a_surface_of_a_case_names_the_case(do: str) -> None:
    """A form may be sent, and a button pressed, long after another case has begun in the thread."""
    press = Press.model_validate({"do": do, "thread": "t", "case": "C-7K3F", "value": _AMENDS if do == "amend" else ""})
    made = acts.pressed(press, "click:1", WANG, NOW), acts.sent(press, "form:1", WANG, NOW, {})
    found = {event.case for event in made if event is not None}
    assert found == ({""} if do in _OF_A_REQUEST else {"C-7K3F"})


@pytest.mark.parametrize("refused", [acts.refused_at_once, acts.refused_form])
def test_what_somebody_may_not_do_names_the_case_it_was_tried_on(refused: object) -> None:
    """It stands in the audit log of that case."""
    assert callable(refused)
    assert refused(Press(do="correct", thread="t", case="C-7K3F"), "click:1", WANG, NOW).case == "C-7K3F"
