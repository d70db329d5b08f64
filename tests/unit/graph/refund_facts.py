"""A refund's case as facts, and its procedure's steps, for tests of single states."""

from __future__ import annotations

from graph.model import Fact
from graph.steps.choose_spec import ChooseSpec
from tests.unit.graph.builders import money, shipped, word

LIBRARY = shipped()
SOP = LIBRARY.sops["refund_arrival"]
STATES = {step.id: step for step in SOP.steps if isinstance(step, ChooseSpec)}
REFUND_NO, OTHERS_NO, ORDER_NO = "RF202609010001", "RF202609010002", "KL-1001"


def record(**parts: Fact | str | bool | int) -> Fact:
    """A record of words, yes and no, and whatever is a fact already."""
    made: dict[str, Fact] = {}
    for name, part in parts.items():
        if isinstance(part, Fact):
            made[name] = part
        elif isinstance(part, bool):
            made[name] = Fact(type="boolean", value=part)
        else:
            made[name] = Fact(type="integer", value=part) if isinstance(part, int) else word(part)
    return Fact(type="record", value=made, by="tool:test")


def order(**changes: Fact | str | bool | int) -> Fact:
    """The order's record."""
    known: dict[str, Fact | str | bool | int] = {
        "order_id": ORDER_NO,
        "user_id": "CU000005",
        "customer": "张先生",
        "amount": money("62"),
        "complaint": False,
        "refunded": True,
        "refund_no": REFUND_NO,
        "refund_amount": money("62"),
    }
    return record(**(known | changes))


def refund(**changes: Fact | str | bool | int) -> Fact:
    """The refund's record."""
    known: dict[str, Fact | str | bool | int] = {
        "refund_no": REFUND_NO,
        "order_id": ORDER_NO,
        "user_id": "CU000005",
        "amount": money("62"),
        "channel": "alipay",
        "submitted": True,
    }
    return record(**(known | changes))


def channel(status: str) -> Fact:
    """What the channel says."""
    return record(refund_no=REFUND_NO, channel="alipay", status=status)


def known(**more: Fact) -> dict[str, Fact]:
    """What is known once order and refund were looked up."""
    said = {
        "order_id": Fact(type="code", value=ORDER_NO, by="U0LI"),
        "user_id": Fact(type="code", value="CU000005", by="U0LI"),
        "amount": money("62", by="U0LI"),
    }
    return {**said, "order": order(), "refund": refund(), **more}
