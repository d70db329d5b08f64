"""What a message only tells of, puts off or leads on to: none of it is a value, and none of it costs the others."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from graph.fields import FieldSpec
from graph.model import Text
from graph.reading import Reading, SopCard, extract, understand
from tests.unit.graph.builders import shipped
from tests.unit.graph.reading.house import COLLECT, COMPENSATION

TODAY = date(2026, 11, 30)
HOUSE = shipped().words.fields
STAY = [HOUSE[name] for name in ("check_in", "nights", "room_type")]
PERSON = [HOUSE[name] for name in ("contact_name", "contact_phone")]
CHASED = [HOUSE[name] for name in ("order_id", "user_id", "amount")]


def said(reading: Reading) -> Mapping[str, object]:
    """The values that were taken."""
    return {name: fact.value for name, fact in reading.fields.items()}


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("隔壁那单给了 100 现金", {}),
        ("I gave another guest 90 cash", {}),
        ("the last guest took 60 in cash", {}),
        ("大家都赔 50 积分，他也一样", {}),
        ("we normally give 50 credits", {}),
        ("上次赔过她 30，这次 50", {"amount": "50"}),
        ("she got 30 credit last time, 50 now", {"amount": "50"}),
        ("rather than cash give points", {"comp_type": "credit"}),
        ("退她卡里，80", {"amount": "80", "comp_type": "cash"}),
        ("80 dollars back on her card", {"amount": "80", "comp_type": "cash"}),
        ("金额还没定，积分", {"comp_type": "credit"}),
        ("60 美元，哦不，65 美元", {"amount": "65"}),
        ("80 个积分", {"amount": "80", "comp_type": "credit"}),
    ],
)
async def test_another_time_or_case_is_told_not_said(text: str, read: Mapping[str, object]) -> None:
    """Only what holds for this case and now is taken."""
    got = dict(said(await extract(text, COLLECT, None, None, today=TODAY)))
    got.pop("reason", None)
    assert got == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("从标间换到套房，其他不变", {"room_type": "suite"}),
        ("原来是 12 月 1 号，改成 12 月 8 号", {"check_in": "2026-12-08"}),
        ("they had a standard room, now they want deluxe", {"room_type": "deluxe"}),
        ("后天入住，住两晚，标间", {"check_in": "2026-12-02", "nights": 2, "room_type": "standard"}),
        ("the suite was booked, they prefer the standard room", {"room_type": "standard"}),
        ("tomorrow or the day after", {}),
        ("deluxe or suite", {}),
    ],
)
async def test_what_stood_before_a_change_is_not_wanted(text: str, read: Mapping[str, object]) -> None:
    """The new value counts; of two that are both left open, none."""
    assert said(await extract(text, STAY, None, None, today=TODAY)) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("王小明 一三八零零一三八零零零", {"contact_name": "王小明", "contact_phone": "13800138000"}),
        ("联系人张三，电话幺三九 幺二三四 五六七八", {"contact_name": "张三", "contact_phone": "13912345678"}),
        ("one three nine, one two three four, five six seven eight", {"contact_phone": "13912345678"}),
        (
            "double one five nine, triple seven, six five four two, ask for Jim",
            {"contact_name": "Jim", "contact_phone": "11597776542"},
        ),
        ("my name's Tom Baker and my number is 415-555-0132", {"contact_name": "Tom Baker", "contact_phone": "4155550132"}),
        ("电话回头给你", {}),
        ("you already have my number", {}),
        ("Name: Maria Lopez / Tel: +34 612 345 678", {"contact_name": "Maria Lopez", "contact_phone": "+34612345678"}),
    ],
)
async def test_names_beside_numbers_however_they_are_spelled(text: str, read: Mapping[str, object]) -> None:
    """A number spelled out is that number, and what is left is the name; words about a name or a number are neither."""
    assert said(await extract(text, PERSON, None, None, today=TODAY, talking=True)) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("客人编号是 CU 300112，订单我待会儿给", {"user_id": "CU300112"}),
        ("the order is KL-315, don't have the customer id on me", {"order_id": "KL-315"}),
        ("单号 KL-901，金额两百四", {"order_id": "KL-901", "amount": "240"}),
        ("KL-901，金额待会儿给，240", {}),
    ],
)
async def test_what_is_put_off_costs_only_itself(text: str, read: Mapping[str, object]) -> None:
    """A field that comes later leaves the others standing, unless its value was said all the same."""
    assert said(await extract(text, CHASED, None, None, today=TODAY)) == read


async def test_what_has_arrived_is_denied_as_people_deny_it() -> None:
    """Of two that exclude each other one is said by turning the other down."""
    arrived = [HOUSE["arrived"]]
    denied = ("they haven't received anything", "还没到账", "not yet")
    for text, value in (*((text, "not_arrived") for text in denied), ("到账了", "has_arrived")):
        assert said(await extract(text, arrived, None, None, today=TODAY)) == {"arrived": value}
    assert said(await extract("到账了吗？", arrived, None, None, today=TODAY)) == {}


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("能不能给 KL-778 补 80 美元现金？", "sop"),
        ("可否帮 KL-778 补 80 美元积分", "sop"),
        ("能不能补 80？", "question"),
        ("Can he get 80 dollars?", "question"),
        ("KL-778 能补多少？", "question"),
        ("补KL-778八十", "sop"),
    ],
)
async def test_a_polite_request_is_no_question(text: str, mode: str) -> None:
    """Who names an order and its amount asks for it, however politely; who asks whether somebody may get it asks."""
    heard = await understand(text, [COMPENSATION], None, today=TODAY)
    assert heard.mode == mode
    assert mode == "sop" or heard.reading.fields == {}
    assert mode != "sop" or heard.reading.fields["amount"].value == "80"


_LIBRARY = SopCard(
    name="pay_fine",
    title=Text(zh="缴清欠款", en="Pay a fine"),
    description=Text(zh="读者付清逾期罚款", en="A reader pays what is due for late books"),
    fields=(
        FieldSpec(name="card", type="code", label=Text(zh="读者证", en="reader card"), pattern=r"RD-\d{4}"),
        FieldSpec(name="due", type="money", label=Text(zh="欠款", en="due"), currency="USD"),
        FieldSpec(name="title", type="text", label=Text(zh="书名", en="title")),
    ),
    writes=True,
)


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("the reader wants to pay 12 dollars, RD-1234", True),
        ("our member would like to pay 12 dollars, RD-1234", True),
        ("读者 RD-1234 想缴清欠款 12 美元", True),
        ("the merchant wants to pay 12 dollars, RD-1234", False),
        ("没人要缴清欠款 12 美元 RD-1234", False),
    ],
)
async def test_whoever_it_is_that_wants_something(text: str, starts: bool) -> None:
    """A procedure's own people are called by any noun; a third party's wish, and nobody's, starts nothing."""
    heard = await understand(text, [_LIBRARY], None, today=TODAY)
    assert (heard.mode == "sop") is starts
    assert "title" not in heard.reading.fields


async def test_a_field_is_not_filled_with_its_own_name() -> None:
    """Who only names a field has not said it."""
    for text in ("title", "书名", "the title please"):
        assert said(await extract(text, [_LIBRARY.fields[2]], None, None, today=TODAY)) == {}
