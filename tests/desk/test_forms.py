"""Forms of the case's agent: details that the channel must not see, correct, cancel, hand over."""

from __future__ import annotations

import json
import logging

import pytest

from tests.desk.story import CHEN, DESK, EMMA, LEAD, LI, WANG, Story
from tests.parts.desk import LiveDesk

ACCOUNT = "6222000012345678"


async def test_an_account_given_by_form_is_seen_by_nobody(
    desk: LiveDesk, caplog: pytest.LogCaptureFixture
) -> None:
    """It is in no message, no private answer, no form that somebody else sees, no log line; the payout has it whole."""
    caplog.set_level(logging.DEBUG)
    ws = desk.workspace
    before = len(desk.backoffice.calls)
    story = await Story.open(desk, "给 KL-778 补 80 美元现金，商户漏发接送")
    ask = await story.asked("bank_info")
    assert "表单内容频道看不到" in ws.text(ask)
    form = await story.form(ask, "填表单…")
    assert await story.submit(form, {"bank_account": f"中国银行 {ACCOUNT}，户名王女士"}) is None
    card = await story.asked("approval")
    assert "尾号 5678" in ws.text(card)
    await story.press(await story.case_card(), "已知信息")
    await story.told(LI, "5678")
    await ws.slash(LI, DESK, "/sop", f"trail {story.case}")
    await story.reply_to(await story.say("@sopdesk facts"), "5678")
    await story.reply_to(await story.say("@sopdesk trail"), "5678")
    correct = await story.menu_form(await story.case_card(), "转交…")
    await ws.close_view(LI, correct)
    await story.form(await story.case_card(), "更正…")
    await story.approve("80.00 USD")
    result = ws.text(await story.done())
    assert "转 20.00 USD 到尾号 5678" in result
    assert await story.payouts("KL-778") == [{"gateway": "60", "manual_transfer": "20"}]
    assert desk.calls_since(before)
    seen = [*(each.__dict__ for each in [*all_messages(desk), *ws.views(LI)]), *(given for _, given in ws.calls)]
    everything = [json.dumps(each, default=str, ensure_ascii=False) for each in seen]
    assert everything
    assert not [each for each in everything if "62220000" in each or "345678" in each]
    assert caplog.records
    assert not [line for line in caplog.records if "62220000" in line.getMessage() or "345678" in line.getMessage()]


async def test_an_account_of_the_wrong_form(desk: LiveDesk) -> None:
    """Too short a number is refused under the field, without repeating it."""
    story = await Story.open(desk, "给 KL-778 补 80 美元现金，商户漏发接送")
    form = await story.form(await story.asked("bank_info"), "填表单…")
    errors = await story.submit(form, {"bank_account": "12345"})
    assert errors is not None
    assert list(errors) == ["bank_account"]
    assert "12345" not in errors["bank_account"]


async def test_correct_while_a_question_waits(desk: LiveDesk, order: str) -> None:
    """A correction during a question keeps what else was said; the question is asked anew."""
    story = await Story.open(desk, f"{order} 补 60 美元，导游迟到")
    await story.asked("collect")
    form = await story.form(await story.case_card(), "更正…")
    assert "60" in desk.workspace.text(form)
    assert await story.submit(form, {"amount": "20"}) is None
    again = await story.asked("collect", 2)
    assert desk.workspace.buttons(await story.shown("collect/1")) == []
    await story.press(again, "积分")
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_correct_while_approval_waits(desk: LiveDesk, order: str) -> None:
    """The pending request is withdrawn and says it was replaced by what; a new one is made; only that one pays."""
    story = await Story.open(desk, f"{order} 补 60 积分，导游迟到")
    old = await story.asked("approval")
    form = await story.form(await story.case_card(), "更正…")
    assert "未决申请会撤回" in desk.workspace.text(form)
    assert await story.submit(form, {"amount": "55"}) is None
    new = await story.asked("approval", 2)
    assert "批准 55.00 USD" in desk.workspace.text(new)
    replaced = await story.shown("approval/1", "已由新申请取代")
    assert replaced.ts == old.ts
    assert "现为 55.00 USD" in desk.workspace.text(replaced)
    assert desk.workspace.buttons(replaced) == []
    await story.press(new, "批准 55.00 USD", by=WANG)
    await story.done()
    assert await story.payouts(order) == [{"credit": "55"}]


async def test_correct_to_what_needs_nobody(desk: LiveDesk, order: str) -> None:
    """A correction below the tier goes on by itself."""
    story = await Story.open(desk, f"{order} 补 60 积分，导游迟到")
    await story.asked("approval")
    form = await story.form(await story.case_card(), "更正…")
    await story.submit(form, {"amount": "40"})
    await story.done()
    assert await story.payouts(order) == [{"credit": "40"}]
    assert desk.workspace.buttons(await story.asked("approval")) == []


async def test_correct_with_bad_values(desk: LiveDesk, order: str) -> None:
    """The reason stands under the field and the request stays as it was."""
    story = await Story.open(desk, f"{order} 补 60 积分，导游迟到")
    await story.asked("approval")
    form = await story.form(await story.case_card(), "更正…")
    errors = await story.submit(form, {"amount": "-5"})
    assert errors is not None
    assert list(errors) == ["amount"]
    assert (await story.open_request()).id == f"{story.case}/approval/1"


async def test_correct_nothing(desk: LiveDesk, order: str) -> None:
    """A form that is sent as it was filled says that nothing was changed, and withdraws nothing."""
    story = await Story.open(desk, f"{order} 补 60 积分，导游迟到")
    await story.asked("approval")
    form = await story.form(await story.case_card(), "更正…")
    assert await story.submit(form, {}) == {"order_id": "没有改动"}
    await story.reply_to(await story.say("@sopdesk facts"), "60.00 USD")
    assert (await story.open_request()).id == f"{story.case}/approval/1"


async def test_correct_after_the_payout(desk: LiveDesk, order: str) -> None:
    """A form that was opened before and is sent after the payout is refused, and names the way to a person."""
    story = await Story.open(desk, f"{order} 补 60 积分，导游迟到")
    await story.asked("approval")
    form = await story.form(await story.case_card(), "更正…")
    await story.approve("60.00 USD")
    await story.done()
    errors = await story.submit(form, {"amount": "40"})
    if errors is None:
        await story.told(LI, "已付，改不了，找组长")
    else:
        assert "组长" in " ".join(errors.values())
    assert await story.payouts(order) == [{"credit": "60"}]


async def test_cancel(desk: LiveDesk, order: str) -> None:
    """Cancelled by form: the reason is required, the pending card says withdrawn, and no money moved."""
    story = await Story.open(desk, f"{order} 补 60 积分，导游迟到")
    await story.asked("approval")
    form = await story.menu_form(await story.case_card(), "取消工单…")
    assert "钱没有动" in desk.workspace.text(form)
    assert await story.submit(form, {"reason": " "}) is not None
    assert await story.submit(form, {"reason": "客人不要了"}) is None
    await story.card("已取消")
    assert "客人不要了" in desk.workspace.text(await story.case_card())
    withdrawn = await story.shown("approval/1", "已撤回")
    assert "李" in desk.workspace.text(withdrawn)
    assert desk.workspace.buttons(withdrawn) == []
    assert "钱没有动" in desk.workspace.text(await story.done())
    assert await story.payouts(order) == []


async def test_cancel_by_word(desk: LiveDesk, order: str) -> None:
    """`取消` in the thread cancels."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    await story.say("取消")
    await story.card("已取消")
    assert await story.payouts(order) == []


async def test_hand_over(desk: LiveDesk, order: str) -> None:
    """The new agent may answer and the old one may not; the card names the new one."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    ask = await story.asked("collect")
    form = await story.menu_form(await story.case_card(), "转交…")
    assert await story.submit(form, {"to": CHEN, "note": "我下班了"}) is None
    await story.card("陈")
    await story.shown("handed/1", "我下班了")
    await story.press(await story.shown("collect/1", "@陈"), "积分", by=LI)
    await story.told(LI, "只有陈或组长可以操作")
    assert ask.ts == (await story.shown("collect/1")).ts
    await story.say("积分", by=CHEN)
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_who_opened_it_does_not_approve_after_handing_over(desk: LiveDesk, order: str) -> None:
    """An approver who opened the case and gave it away is still refused."""
    story = await Story.open(desk, f"{order} 补 60 积分，导游迟到", by=WANG)
    await story.asked("approval")
    form = await story.menu_form(await story.case_card(), "转交…")
    assert await story.submit(form, {"to": CHEN}) is None
    await story.card("陈")
    await story.approve("60.00 USD", by=WANG)
    await story.told(WANG, "其中有你填的信息，须别人批")
    assert await story.payouts(order) == []


async def test_hand_over_to_nobody(desk: LiveDesk, order: str) -> None:
    """A bot cannot take a case over."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    form = await story.menu_form(await story.case_card(), "转交…")
    errors = await story.submit(form, {"to": "U0BOT"})
    assert errors is not None
    assert "to" in errors


async def test_a_lead_acts_for_the_agent(desk: LiveDesk, order: str) -> None:
    """A lead may answer, and correct."""
    story = await Story.open(desk, f"{order} 补 60 美元，导游迟到")
    ask = await story.asked("collect")
    form = await story.form(await story.case_card(), "更正…", by=LEAD)
    assert await story.submit(form, {"amount": "20"}, by=LEAD) is None
    again = await story.asked("collect", 2)
    assert again.ts != ask.ts
    await story.press(again, "积分", by=LEAD)
    await story.done()
    assert "周（代李）" in desk.workspace.text(await story.shown("collect/2", "积分"))


async def test_others_open_no_forms(desk: LiveDesk, order: str) -> None:
    """Correct, cancel and hand over are refused privately for anybody else."""
    story = await Story.open(desk, f"{order} 补 60 美元，导游迟到")
    await story.asked("collect")
    card = await story.case_card()
    await story.press(card, "更正…", by=EMMA)
    await story.told(EMMA, "Only 李 or a lead can do this")
    for option in ("转交…", "取消工单…"):
        desk.workspace.world.ephemerals.clear()
        await desk.workspace.choose(CHEN, DESK, card.ts, option)
        await story.told(CHEN, "只有李或组长可以操作", DESK)
    assert desk.workspace.views(EMMA) == desk.workspace.views(CHEN) == []
    assert desk.service is not None
    log = [each.line for each in await desk.service.parts.audit.of(story.case)]
    refused = [(each.by, each.verdict, each.refused) for each in log if each.what == "refused"]
    assert refused == [
        (EMMA, "correct", "not_yours"),
        (CHEN, "hand_over", "not_yours"),
        (CHEN, "cancel", "not_yours"),
    ]
    assert await desk.service.parts.audit.verify(story.case) == (len(log), None)


async def test_a_form_of_a_question_that_is_answered(desk: LiveDesk, order: str) -> None:
    """A form that is sent after the question was answered in the thread is told so, and changes nothing."""
    story = await Story.open(desk, f"{order} 补 60 美元，导游迟到")
    form = await story.form(await story.asked("collect"), "填表单…")
    await story.say("积分")
    await story.asked("approval")
    errors = await story.submit(form, {"comp_type": "cash"})
    assert errors is not None
    assert "不适用" in " ".join(errors.values())
    assert (await story.open_request()).id == f"{story.case}/approval/1"


def all_messages(desk: LiveDesk) -> list[object]:
    """All that anybody can read of the bot's, private answers included."""
    ws = desk.workspace
    shown = [each for channel in list(ws.world.channels) for each in ws.messages(channel) if each.bot]
    return [*shown, *ws.world.ephemerals]
