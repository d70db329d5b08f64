"""The step kind `check`: the first rule that does not pass stops the case with its reason."""

from __future__ import annotations

import pytest

from graph.model import Fact, Goto, Next, Stop
from graph.steps.base import StepKind
from graph.steps.check import Check, CheckSpec
from tests.unit.graph.builders import context, step_event, word

RULES = ["order_paid", "not_in_fraud_review", "no_open_compensation"]


def spec(**given: object) -> CheckSpec:
    """A check of all three rules."""
    return CheckSpec.model_validate({"id": "judge", "kind": "check", "rules": RULES} | given)


def order(paid: str = "paid", fraud: str = "pass") -> dict[str, Fact]:
    """An order."""
    parts = {"order_id": word("KL-1"), "payment_status": word(paid), "fraud_status": word(fraud)}
    return {"order": Fact(type="record", value=parts)}


async def test_all_rules_pass() -> None:
    """The trail names them."""
    move = await Check().run(spec(), order(), context())
    assert isinstance(move, Next)
    assert move.trail[0].values == {"passed": RULES}


async def test_the_first_rule_that_does_not_pass_stops() -> None:
    """With its reason, and what to do next."""
    move = await Check().run(spec(), order(paid="unpaid", fraud="review"), context())
    assert isinstance(move, Stop)
    assert (move.rule, move.why.en) == ("order_paid", "KL-1 is unpaid")
    assert move.next is not None
    assert (move.trail[0].what, move.trail[0].rule) == ("stop", "order_paid")


async def test_a_rule_that_lacks_a_fact_does_not_pass() -> None:
    """Not knowing is no yes."""
    move = await Check().run(spec(rules=["no_open_compensation"]), {}, context())
    assert isinstance(move, Stop)
    assert (move.rule, move.why.en) == ("no_open_compensation", "order is not known, so this cannot be judged")


@pytest.mark.parametrize(("fraud", "paid", "to"), [("pass", "unpaid", "start"), ("review", "paid", "later")])
async def test_on_fail_leads_where_the_file_says(fraud: str, paid: str, to: str) -> None:
    """By rule, else by default."""
    on_fail = {"order_paid": {"goto": "start", "reset": ["order_id"]}, "default": {"goto": "later"}}
    move = await Check().run(spec(on_fail=on_fail), order(paid, fraud), context())
    assert isinstance(move, Goto)
    assert (move.to, move.drop) == (to, ["order_id"] if to == "start" else [])
    assert (move.trail[0].what, move.trail[0].goto) == ("check", to)


async def test_a_kind_that_waits_for_nothing_takes_no_answer() -> None:
    """An answer to a check is a mistake of ours."""
    request_free: StepKind[CheckSpec] = Check()
    with pytest.raises(ValueError, match="'check' waits for nothing"):
        await request_free.answered(spec(), {}, None, step_event("message"), context())  # type: ignore[arg-type]  # there is none
