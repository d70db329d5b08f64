"""The hotel procedure: told from the others in both languages, and judged anew when it is written."""

from __future__ import annotations

import pytest

from graph.opening import cards
from graph.reading import understand
from tests.parts.http import asking
from tests.unit.graph.builders import Desk, shipped, view, waits

CARDS = cards(shipped())


@pytest.mark.parametrize(
    ("text", "sop"),
    [
        ("HB-201 改到 2031-03-05 入住，换标准间", "hotel_change"),
        ("HB-202 换房型", "hotel_change"),
        ("改一下酒店的入住日期", "hotel_change"),
        ("change hotel booking HB-201 to 2031-03-05, deluxe room", "hotel_change"),
        ("Guest wants to move hotel HB-203 to 2031-05-02", "hotel_change"),
        ("给 KL-502 退款，行程取消了", "refund"),
        ("KL-502 酒店不满意，补偿 50 美元积分", "compensation"),
        ("hotel was dirty, give KL-778 30 credit", "compensation"),
        ("We want a dedicated line for the office", "bandwidth_sales"),
        ("KL-1002 客人 CU000006 的 77 美元退款没到账", "refund_arrival"),
    ],
)
async def test_a_hotel_change_is_told_from_the_others(text: str, sop: str) -> None:
    """By the words alone."""
    assert (await understand(text, CARDS, None)).sop == sop


async def test_another_price_than_was_approved_is_refused_by_the_back_office(desk: Desk) -> None:
    """The booking was changed by somebody else meanwhile: the approved difference is not paid."""
    await desk.say("酒店 HB-201 改到 2031-03-05 入住，换标准间")
    await desk.say("3 晚")
    asked = await desk.say("是")
    assert waits(asked)[0] == "approve"
    body = {"check_in": "2031-03-02", "nights": 2, "room": "deluxe", "price": "280", "currency": "USD", "refund": "140"}
    async with asking(desk.backoffice.url) as client:
        made = await client.post("/bookings/HB-201/changes", json=body, headers={"Idempotency-Key": "k"})
        assert made.status_code == 201
        ended = view(await desk.decide(asked))
        assert ended.stopped is not None
        assert (ended.status, ended.stopped.step) == ("stopped", "submit")
        assert (await client.get("/booking-changes")).json()["total"] == 1
