"""The rules of the compensation procedure."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import pytest

from graph.errors import MissingFact
from graph.model import Fact
from graph.rules import Against, rule, rules_of
from tests.unit.graph.builders import RULES, money, word


def order(**changes: Fact | None) -> dict[str, Fact]:
    """An order that nothing stands against, with changes; None leaves a part out."""
    parts: dict[str, Fact | None] = {
        "order_id": word("KL-778"),
        "payment_status": word("paid"),
        "fraud_status": word("pass"),
    }
    kept = {name: fact for name, fact in (parts | changes).items() if fact is not None}
    return {
        "order": Fact(type="record", value=kept),
        "payouts": payouts(),
        "refundable": money("900"),
        "booking": booking(),
    }


def booking(**changes: Fact) -> Fact:
    """A hotel booking that may be changed, with changes."""
    parts = {
        "booking_id": word("HB-201"),
        "hotel": word("Inn"),
        "status": word("confirmed"),
        "changes": word("allowed"),
    }
    return Fact(type="record", value=parts | changes)


def payouts(**parts: Fact) -> Fact:
    """What an order has had already."""
    return Fact(type="record", value=parts)


ABOUT_ORDERS = sorted(set(RULES) - {"refund_may_close"})
PENDING = Fact(type="record", value={"no": word("RA1"), "amount": money("30"), "status": word("pending")})


@pytest.mark.parametrize("name", ABOUT_ORDERS)
def test_nothing_stands_against_a_good_order(name: str) -> None:
    """Paid, checked, nothing open."""
    assert RULES[name].judge(order()) is None
    assert len(RULES[name].reads) == 1


@pytest.mark.parametrize(
    ("name", "facts", "words"),
    [
        ("order_paid", order(payment_status=word("unpaid")), "KL-778 is unpaid"),
        ("order_paid", order(payment_status=word("refunded")), "KL-778 is unpaid"),
        ("not_in_fraud_review", order(fraud_status=word("review")), "KL-778 is under fraud review"),
        (
            "no_open_compensation",
            order(open_compensation=PENDING),
            "KL-778 already has an open compensation RA1 (30.00 USD)",
        ),
        (
            "not_compensated",
            {"payouts": payouts(compensation=PENDING)},
            "there is the compensation RA1 (30.00 USD); an order is not refunded after that",
        ),
        ("not_refunded", {"payouts": payouts(refund=word("RF000001"))}, "already refunded by RF000001"),
        ("something_refundable", {"refundable": money("0")}, "the cancellation policy gives nothing back"),
        ("booking_confirmed", {"booking": booking(status=word("cancelled"))}, "HB-201 is cancelled"),
        (
            "hotel_allows_change",
            {"booking": booking(changes=word("not_allowed"))},
            "Inn does not allow a change of HB-201",
        ),
    ],
)
def test_a_rule_says_what_stands_against_it(name: str, facts: dict[str, Fact], words: str) -> None:
    """And what the agent can do next, in both languages."""
    against = RULES[name].judge(facts)
    assert against is not None
    assert against.why.en == words
    assert against.why.zh and against.next.zh and against.next.en


@pytest.mark.parametrize("name", ABOUT_ORDERS)
def test_a_rule_without_its_order_does_not_pass(name: str) -> None:
    """What is not known stands against it."""
    with pytest.raises(MissingFact):
        RULES[name].judge({})


@pytest.mark.parametrize(("name", "part"), [("order_paid", "payment_status"), ("not_in_fraud_review", "fraud_status")])
def test_a_rule_without_the_part_it_looks_at_does_not_pass(name: str, part: str) -> None:
    """An order that does not say is no good order."""
    with pytest.raises(MissingFact, match=part):
        RULES[name].judge(order(**{part: None}))


def test_an_open_compensation_without_particulars_stands_against_it_all_the_same() -> None:
    """Number and amount are only for the wording."""
    assert RULES["no_open_compensation"].judge(order(open_compensation=Fact(type="record", value={}))) is not None


def test_only_marked_functions_of_a_module_are_rules() -> None:
    """A helper is none."""
    module = ModuleType("m")

    @rule("a", "b")
    def never(facts: Mapping[str, Fact]) -> Against | None:
        """No reason."""
        return None

    vars(module).update(never=never, helper=len, number=5)
    assert [(spec.name, spec.reads) for spec in rules_of([module]).values()] == [("never", ("a", "b"))]


@pytest.mark.parametrize(
    ("facts", "closes"),
    [
        ({}, False),
        ({"arrival": Fact(type="record", value={"arrived": Fact(type="boolean", value=False)})}, False),
        ({"arrival": Fact(type="record", value={"arrived": Fact(type="boolean", value=True)})}, True),
        ({"arrived": Fact(type="choice", value="no")}, False),
        ({"arrived": Fact(type="choice", value="has_arrived")}, True),
        ({"closing": word("by review")}, True),
    ],
)
def test_a_refund_is_closed_by_a_record_a_word_or_a_person(facts: dict[str, Fact], closes: bool) -> None:
    """Nothing else closes it."""
    assert (RULES["refund_may_close"].judge(facts) is None) == closes
