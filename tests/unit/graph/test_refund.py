"""The refund procedure: told from a compensation in both languages, and refused once one was paid."""

from __future__ import annotations

import pytest

from graph.opening import cards
from graph.reading import understand
from tests.unit.graph.builders import Desk, shipped, view, waits

CARDS = cards(shipped())


@pytest.mark.parametrize(
    ("text", "sop"),
    [
        ("给 KL-502 退款，行程取消了", "refund"),
        ("客人要退 KL-1003 的钱", "refund"),
        ("refund KL-502, the trip was cancelled", "refund"),
        ("Customer wants a refund for KL-502, flight was cancelled", "refund"),
        ("给 KL-778 补 80 美元现金，商户漏发接送", "compensation"),
        ("不要退款，给 KL-778 补 30 积分，导游迟到", "compensation"),
        ("compensate KL-778 80 dollars cash, guide late", "compensation"),
        ("Give KL-778 30 credit, guide late", "compensation"),
        ("KL-1006 的退款还没到，客人 CU000010，144 美元", "refund_arrival"),
        ("The refund for KL-1006 customer CU000010 144 USD has not arrived", "refund_arrival"),
        ("customer CU000010 says her refund for KL-1006 (144 USD) hasn't arrived", "refund_arrival"),
        ("查一下 KL-1006 退款到哪了，客人 CU000010，144 美元", "refund_arrival"),
        ("refund KL-502 because the guide has not arrived", "refund"),
        ("Refund KL-502, tickets not received", "refund"),
        ("补偿还是退款都行 KL-778", None),
        ("refund or compensate KL-778?", None),
    ],
)
async def test_a_refund_is_told_from_a_compensation(text: str, sop: str | None) -> None:
    """By the words alone; where both are named, neither is begun. Who asks after a refund wants no second one."""
    assert (await understand(text, CARDS, None)).sop == sop


async def test_a_word_that_begins_like_a_number_is_none() -> None:
    """一直 and 一起 are no tenth of the amount before them."""
    for words in ("一直没收到", "一起的退款没到"):
        heard = await understand(f"KL-1006 客人 CU000010 退款 144 美元{words}", CARDS, None)
        assert heard.reading.fields["amount"].value == "144"


async def test_compensated_first_is_refused(desk: Desk) -> None:
    """The order was compensated in one thread; in another its refund stops at the rule, and nothing is paid."""
    await desk.say("KL-502 补 30 积分，导游迟到")
    desk.thread = "T1:C1:2.0"
    refused = view(await desk.say("给 KL-502 退款，行程取消了"))
    assert refused.stopped is not None
    assert (refused.status, refused.stopped.step, refused.stopped.rule) == ("stopped", "eligibility", "not_compensated")
    assert "先补偿再退款不可以" in refused.stopped.why.zh


async def test_a_compensation_between_card_and_write_is_refused_by_the_back_office(desk: Desk) -> None:
    """What the rule saw was right then; the write is judged anew."""
    asked = await desk.say("给 KL-502 退款，行程取消了")
    assert waits(asked)[0] == "approve"
    first = desk.thread
    desk.thread = "T1:C1:2.0"
    await desk.say("KL-502 补 30 积分，导游迟到")
    desk.thread = first
    ended = view(await desk.decide(asked))
    assert ended.stopped is not None
    assert (ended.status, ended.stopped.step) == ("stopped", "submit")
    assert "已经补偿过" in ended.stopped.why.zh
    assert [each["comp_type"] for each in await desk.payouts()] == ["credit"]


async def test_the_card_shows_the_amount_that_comes_back(desk: Desk) -> None:
    """The headline is the refundable amount, and the preview says where it will go."""
    shown = view(await desk.say("给 KL-502 退款，行程取消了"))
    request = shown.open_request()
    assert shown.headline.amount == "900.00 USD"
    assert request is not None
    assert [(route.kind, route.amount) for route in request.routes] == [("gateway", "900")]
