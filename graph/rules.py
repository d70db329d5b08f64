"""`@rule`: what must hold before money moves. A rule gets the facts and gives None, or the reason against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType

from graph.errors import MissingFact
from graph.model import Fact, Text
from graph.phrases import fact_money, text


@dataclass(frozen=True)
class Against:
    """Why a rule does not pass, and what the agent can do next."""

    why: Text
    next: Text


RuleFunction = Callable[[Mapping[str, Fact]], Against | None]


@dataclass(frozen=True)
class RuleSpec:
    """A rule as the engine knows it. `reads` are the facts it looks at."""

    name: str
    reads: tuple[str, ...]
    judge: RuleFunction
    lacking: bool = False


def rule(*reads: str, lacking: bool = False) -> Callable[[RuleFunction], RuleFunction]:
    """Mark a function as a rule that reads these facts; `lacking`: it judges though some of them are not known."""

    def mark(function: RuleFunction) -> RuleFunction:
        function.__dict__["rule"] = reads
        function.__dict__["lacking"] = lacking
        return function

    return mark


def rules_of(modules: Iterable[ModuleType]) -> dict[str, RuleSpec]:
    """All functions marked as rules in these modules, by name."""
    return {
        name: RuleSpec(name, function.__dict__["rule"], function, function.__dict__["lacking"])
        for module in modules
        for name, function in vars(module).items()
        if callable(function) and "rule" in getattr(function, "__dict__", {})
    }


@rule("order")
def order_paid(facts: Mapping[str, Fact]) -> Against | None:
    """Nothing is paid on an order that was not paid for."""
    if _word(facts, "order.payment_status") == "paid":
        return None
    return _against("order_paid", order=_word(facts, "order.order_id"))


@rule("order")
def not_in_fraud_review(facts: Mapping[str, Fact]) -> Against | None:
    """Nothing is paid while the order is looked at for fraud."""
    if _word(facts, "order.fraud_status") == "pass":
        return None
    return _against("not_in_fraud_review", order=_word(facts, "order.order_id"))


@rule("order")
def no_open_compensation(facts: Mapping[str, Fact]) -> Against | None:
    """One compensation at a time for an order; one that is paid is not open."""
    order = facts.get("order")
    if order is None:
        raise MissingFact("order")
    pending = order.at_path("open_compensation")
    if pending is None or pending.value is None:
        return None
    number, amount = pending.at_path("no"), pending.at_path("amount")
    return _against(
        "no_open_compensation",
        order=_word(facts, "order.order_id"),
        no=str(number.value) if number else "",
        amount=fact_money(amount) if amount else "",
    )


@rule("payouts")
def not_compensated(facts: Mapping[str, Fact]) -> Against | None:
    """An order that has a compensation, open or paid, is not refunded."""
    made = _part(facts, "payouts.compensation")
    if made is None:
        return None
    number, amount = made.at_path("no"), made.at_path("amount")
    return _against(
        "not_compensated", no=str(number.value) if number else "", amount=fact_money(amount) if amount else ""
    )


@rule("payouts")
def not_refunded(facts: Mapping[str, Fact]) -> Against | None:
    """An order is refunded once."""
    number = _part(facts, "payouts.refund")
    return None if number is None else _against("not_refunded", no=str(number.value))


@rule("refundable")
def something_refundable(facts: Mapping[str, Fact]) -> Against | None:
    """Where the cancellation policy gives nothing back there is nothing to approve."""
    amount = facts.get("refundable")
    if amount is None or amount.value is None:
        raise MissingFact("refundable")
    return None if amount.decimal() > 0 else _against("something_refundable")


@rule("booking")
def booking_confirmed(facts: Mapping[str, Fact]) -> Against | None:
    """A booking that is cancelled is not changed."""
    if _word(facts, "booking.status") == "confirmed":
        return None
    return _against("booking_confirmed", booking=_word(facts, "booking.booking_id"))


@rule("booking")
def hotel_allows_change(facts: Mapping[str, Fact]) -> Against | None:
    """Whether a stay may be changed is for the hotel to say."""
    if _word(facts, "booking.changes") == "allowed":
        return None
    return _against("hotel_allows_change", booking=_word(facts, "booking.booking_id"), hotel=_word(facts, "booking.hotel"))


def _part(facts: Mapping[str, Fact], path: str) -> Fact | None:
    """What an optional part of a result holds; None where it is left out. MissingFact without the result."""
    name, _, rest = path.partition(".")
    if name not in facts:
        raise MissingFact(name)
    found = facts[name].at_path(rest)
    return None if found is None or found.value is None else found


@rule("arrival", "arrived", "closing", lacking=True)
def refund_may_close(facts: Mapping[str, Fact]) -> Against | None:
    """A refund's case is closed by the bank's record, by the customer's own word, or by a person in review."""
    arrival, told, closing = facts.get("arrival"), facts.get("arrived"), facts.get("closing")
    recorded = arrival.at_path("arrived") if arrival is not None else None
    if recorded is not None and recorded.value is True:
        return None
    if (told is not None and told.value == "has_arrived") or closing is not None:
        return None
    return Against(text("rules.refund_may_close"), text("rules.refund_may_close_next"))


def _word(facts: Mapping[str, Fact], path: str) -> str:
    name, _, rest = path.partition(".")
    fact = facts.get(name)
    found = fact.at_path(rest) if fact is not None else None
    if found is None or found.value is None:
        raise MissingFact(path)
    return str(found.value)


def _against(name: str, **values: str) -> Against:
    return Against(text(f"rules.{name}", **values), text(f"rules.{name}_next", **values))
