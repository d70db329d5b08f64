"""A model's words about the end are used only where the record bears them out."""

from __future__ import annotations

import pytest

from graph.model import Route, TrailEntry
from graph.state import RunState
from graph.summary import contradicts
from tests.unit.graph.builders import LI

AT = "2026-11-30T10:00:00+00:00"
BY_HAND = Route(kind="manual_transfer", amount="20", currency="USD")


def ended(status: str, *trail: TrailEntry, written: list[str] | None = None) -> RunState:
    """A run that is over."""
    return RunState.model_validate(
        {
            "run": "r",
            "case": "C-1",
            "thread": "t",
            "lang": "zh",
            "opener": LI,
            "owner": LI,
            "opened_at": AT,
            "updated_at": AT,
            "text": "…",
            "status": status,
            "trail": list(trail),
            "written": written or [],
        }
    )


PAID = TrailEntry(step="submit", what="call", at=AT, routes=[BY_HAND])
REJECTED = TrailEntry(step="approval", what="reject", at=AT)


@pytest.mark.parametrize(
    ("words", "run", "wrong"),
    [
        ("已提交，20 USD 请手工转账。", ended("done", PAID, written=["submit"]), False),
        ('{"mode": "sop"}', ended("done", PAID, written=["submit"]), True),
        ("```已提交```", ended("done", PAID, written=["submit"]), True),
        ("钱已到账。", ended("done", PAID, written=["submit"]), True),
        ("The money has arrived.", ended("done", PAID, written=["submit"]), True),
        ("已全部原路退回，无需手工转账。", ended("done", PAID, written=["submit"]), True),
        ("Nothing left to do.", ended("done", PAID, written=["submit"]), True),
        ("Nothing left to do.", ended("done", written=["submit"]), False),
        ("主管已驳回，未付款。", ended("done", PAID, written=["submit"]), True),
        ("300 被驳回，150 已批准。", ended("done", REJECTED, PAID, written=["submit"]), False),
        ("资格校验未通过，请核对支付状态。", ended("stopped"), False),
        ("已提交补偿。", ended("stopped"), True),
        ("It has been paid.", ended("stopped"), True),
        ("备注没有写上，补偿已提交。", ended("stopped", PAID, written=["submit"]), False),
    ],
)
def test_words_against_the_record_are_not_used(words: str, run: RunState, wrong: bool) -> None:
    """No arrival that no tool told of, no rejection or payment that did not happen, nothing left where a transfer is."""
    assert contradicts(words, run) is wrong
