"""Bad input gets a reason and another question; what was right is kept."""

from __future__ import annotations

import pytest

from tests.desk.story import EMMA, LI, Story
from tests.parts.desk import LiveDesk

BAD_AMOUNTS = {
    "-80 美元": "负数",
    "0 美元": "是零",
    "50 到 80 美元": "范围",
    "80 欧元": "不是 USD",
    "30000 美元": "超过上限",
    "两百多美元": "不是确数",
    "80.123 美元": "小数",
}
BAD_ENTRIES = {
    "-80": "负数",
    "0": "零",
    "50-80": "范围",
    "80 EUR": "不是 USD",
    "30000": "超过上限",
    "abc": "没看懂",
    "80.123": "小数",
}


async def test_an_unknown_order(desk: LiveDesk, order: str) -> None:
    """An order that the back office does not know is said so and asked for again; nothing said is lost."""
    story = await Story.open(desk, "给 KL-999999 补 20 积分，导游迟到")
    ask = await story.asked("load_order")
    assert "KL-999999" in desk.workspace.text(ask)
    assert "等坐席回答" in await story.card("等坐席回答")
    await story.say("KL-888888")
    assert "KL-888888" in desk.workspace.text(await story.asked("load_order", 2))
    await story.say(f"打错了，是 {order}")
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]
    reasons = [fact.text.zh for fact in (await story.view()).facts if fact.name == "reason"]
    assert reasons == ["导游迟到"]


async def test_an_unknown_order_by_form(desk: LiveDesk, order: str) -> None:
    """The order can be put right in the form as well; one that has the wrong form is refused under its field."""
    story = await Story.open(desk, "给 KL-999998 补 20 积分，导游迟到")
    form = await story.form(await story.asked("load_order"), "填表单…")
    errors = await story.submit(form, {"order_id": "778"})
    assert errors is not None
    assert "格式" in errors["order_id"]
    assert await story.submit(form, {"order_id": order}) is None
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_no_order_at_all(desk: LiveDesk, order: str) -> None:
    """A request without an order is asked for one."""
    story = await Story.open(desk, "客人投诉导游迟到，补偿 20 积分")
    await story.asked("load_order")
    await story.say(order)
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


@pytest.mark.parametrize("words", BAD_AMOUNTS)
async def test_bad_amounts_in_the_first_sentence(desk: LiveDesk, order: str, words: str) -> None:
    """An amount that cannot be taken is asked for again with the reason, first thing on the card; nothing is paid."""
    story = await Story.open(desk, f"{order} 导游迟到，补积分，{words}")
    said = desk.workspace.text(await story.asked("collect"))
    assert BAD_AMOUNTS[words] in said.splitlines()[0]
    assert "金额" in said
    assert [field.name for field in (await story.open_request()).fields] == ["amount"]
    await story.say("20 美元")
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


@pytest.mark.parametrize("words", BAD_AMOUNTS)
async def test_bad_amounts_as_an_answer(desk: LiveDesk, order: str, words: str) -> None:
    """The same when it is the answer to the question."""
    story = await Story.open(desk, f"{order} 导游迟到，补积分")
    await story.asked("collect")
    await story.say(words)
    assert BAD_AMOUNTS[words] in desk.workspace.text(await story.asked("collect", 2)).splitlines()[0]
    assert await story.payouts(order) == []


async def test_bad_amounts_in_the_form(desk: LiveDesk, order: str) -> None:
    """In the form the reason stands under the field, the form stays open, and a right amount is then taken."""
    story = await Story.open(desk, f"{order} 导游迟到，补积分")
    form = await story.form(await story.asked("collect"), "填表单…")
    for entry, reason in BAD_ENTRIES.items():
        errors = await story.submit(form, {"amount": entry})
        assert errors is not None, entry
        assert reason in errors["amount"], (entry, errors)
    assert desk.workspace.views(LI) == [form]
    assert await story.submit(form, {"amount": "20"}) is None
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_an_order_in_fraud_review(desk: LiveDesk) -> None:
    """An order in fraud review stops: the rule and the next step are named, and no money moved."""
    story = await Story.open(desk, "给 KL-1009 补 20 积分，导游迟到")
    result = desk.workspace.text(await story.done())
    assert "KL-1009 在风控审核中" in result
    assert "钱没有动" in result
    assert "not_in_fraud_review" in result
    assert "下一步" in result
    assert "已停止" in await story.card("已停止")


async def test_both_ways_named(desk: LiveDesk, order: str) -> None:
    """Cash and credit in one breath: which of the two is asked, with both as buttons."""
    story = await Story.open(desk, f"{order} 导游迟到，补 20 美元，现金或者积分都行")
    ask = await story.asked("collect")
    assert "选一个" in desk.workspace.text(ask)
    await story.press(ask, "积分")
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_an_answer_that_says_nothing(desk: LiveDesk, order: str) -> None:
    """The question is put again; the first one says that the answer could not be used, and has no buttons."""
    story = await Story.open(desk, f"{order} 导游迟到，补积分")
    await story.asked("collect")
    await story.say("等一下，我去查查")
    await story.asked("collect", 2)
    first = await story.shown("collect/1", "没有用上")
    assert desk.workspace.buttons(first) == []
    await story.say("20 美元")
    await story.done()


async def test_reasons_in_english(desk: LiveDesk, order: str) -> None:
    """In an English thread the reason under the field is an English sentence."""
    story = await Story.open(desk, f"credit for {order}, the guide was late", by=EMMA)
    form = await story.form(await story.asked("collect"), "Fill in form…")
    errors = await story.submit(form, {"amount": "80 EUR"})
    assert errors == {"amount": "Amount not taken: “80 EUR” is not USD"}
    await story.say("-80 dollars")
    said = desk.workspace.text(await story.asked("collect", 2))
    assert said.startswith("Amount not taken: “-80 dollars” is below zero")
