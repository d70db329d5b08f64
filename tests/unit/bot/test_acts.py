"""Presses and submitted forms -> events: whose act it is, and what about."""

from __future__ import annotations

import pytest

from blocks import Press
from bot import acts
from tests.unit.bot.queues import LI, NOON, THREAD

_OF_A_REQUEST = {"queue", "apart", "begin", "practise"}
"""What is about words, or a drill to come, wherever they stand."""
_AMENDS = '{"amount":["60","60"]}'


@pytest.mark.parametrize("do", sorted({*acts._PRESSED, *acts._SENT}))
def test_what_a_person_does_on_a_surface_of_a_case_names_the_case(do: str) -> None:
    """A form may be sent, and a button pressed, long after another case has begun in the thread."""
    press = Press.model_validate({"do": do, "thread": THREAD, "case": "C-7K3F", "value": _AMENDS if do == "amend" else ""})
    made = acts.pressed(press, "click:1", LI, NOON), acts.sent(press, "form:1", LI, NOON, {})
    found = {event.case for event in made if event is not None}
    assert found == ({""} if do in _OF_A_REQUEST else {"C-7K3F"})


@pytest.mark.parametrize("refused", [acts.refused_at_once, acts.refused_form])
def test_what_somebody_may_not_do_names_the_case_it_was_tried_on(refused: object) -> None:
    """It stands in the audit log of that case."""
    assert callable(refused)
    assert refused(Press(do="correct", thread=THREAD, case="C-7K3F"), "click:1", LI, NOON).case == "C-7K3F"
