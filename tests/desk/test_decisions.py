"""Who decides, once, and on what: clicks that come together, late, from the wrong person, or made by hand."""

from __future__ import annotations

import asyncio
import json

from blocks import decode
from tests.desk.story import DESK, KIM, LEAD, LI, SUPERVISORS, WANG, Story
from tests.parts.desk import LiveDesk


async def waiting(desk: LiveDesk, order: str, amount: str = "60 积分") -> Story:
    """A case that waits for a supervisor."""
    story = await Story.open(desk, f"给 {order} 补 {amount}，商户漏发接送")
    await story.asked("approval")
    return story


async def test_two_people_at_once(desk: LiveDesk, order: str) -> None:
    """Of two approvals that arrive together one counts; the other person is told who decided."""
    story = await waiting(desk, order)
    await asyncio.gather(story.approve("60.00 USD"), story.approve("60.00 USD", by=KIM))
    await story.done()
    view = await story.view()
    closed = view.requests[-1].closed
    assert closed is not None
    other = {WANG: KIM, KIM: WANG}[closed.by]
    await story.told(other, closed.name)
    assert await story.payouts(order) == [{"credit": "60"}]


async def test_a_double_click_is_one_decision(desk: LiveDesk, order: str) -> None:
    """Two clicks of one person pay once, and the second is no error."""
    story = await waiting(desk, order)
    await asyncio.gather(story.approve("60.00 USD"), story.approve("60.00 USD"))
    await story.done()
    assert await story.payouts(order) == [{"credit": "60"}]
    assert len((await story.view()).requests) == 1


async def test_a_click_of_an_earlier_round(desk: LiveDesk, order: str) -> None:
    """After a rejection the old card has no buttons; its value sent all the same approves nothing, and tells why."""
    story = await waiting(desk, order)
    old = await story.asked("approval")
    value = next(each.value for each in desk.workspace.buttons(old) if each.label.startswith("批准"))
    form = await story.form(old, "驳回…", by=KIM)
    assert await story.submit(form, {"reason": "太多了"}, by=KIM) is None
    await story.asked("collect")
    assert [each.label for each in desk.workspace.buttons(await story.shown("approval/1", "太多了"))] == []
    await story.say("40 美元")  # below the tier that needs a person
    await story.done()
    await forged(desk, WANG, old.channel, old.ts, value or "")
    await story.told(WANG, "Kim")
    assert await story.payouts(order) == [{"credit": "40"}]


async def test_a_click_on_the_first_card_does_not_approve_the_second(desk: LiveDesk, order: str) -> None:
    """After a rejection and a new request, the first card's value leaves the new request open."""
    story = await waiting(desk, order)
    old = await story.asked("approval")
    value = next(each.value for each in desk.workspace.buttons(old) if each.label.startswith("批准"))
    form = await story.form(old, "驳回…", by=WANG)
    await story.submit(form, {"reason": "太多了"}, by=WANG)
    await story.asked("collect")
    await story.say("55 美元")
    await story.asked("approval", 2)
    await forged(desk, WANG, old.channel, old.ts, value or "")
    await story.told(WANG, "没有计入")
    assert (await story.open_request()).id == f"{story.case}/approval/2"
    assert await story.payouts(order) == []
    await story.approve("55.00 USD", visit=2)
    await story.done()


async def test_a_click_after_a_restart_counts(desk: LiveDesk, order: str) -> None:
    """The bot ended and another was started between card and click: the click is a decision."""
    story = await waiting(desk, order)
    await desk.restart()
    await story.approve("60.00 USD")
    await story.done()
    assert await story.payouts(order) == [{"credit": "60"}]


async def test_who_is_not_listed_is_refused(desk: LiveDesk, order: str) -> None:
    """Membership of the channel is no authority: told so, recorded, and the request stays open."""
    story = await waiting(desk, order)
    await story.approve("60.00 USD", by=LEAD)
    await story.told(LEAD, "没有计入：须由名单内主管或以上批", SUPERVISORS)
    assert (await story.open_request()).kind == "approve"
    assert desk.service is not None
    entries = [each.line for each in await desk.service.parts.audit.of(story.case)]
    assert [(each.by, each.refused) for each in entries if each.what == "refused"] == [(LEAD, "not_listed")]
    await story.approve("60.00 USD")
    await story.done()


async def test_who_is_not_listed_opens_no_rejection(desk: LiveDesk, order: str) -> None:
    """Reject, pressed by somebody who may not decide, opens no form but says why."""
    story = await waiting(desk, order)
    await story.press(await story.asked("approval"), "驳回…", by=LEAD)
    await story.told(LEAD, "须由名单内主管或以上批", SUPERVISORS)
    assert desk.workspace.views(LEAD) == []


async def test_a_button_value_posted_by_hand(desk: LiveDesk, order: str) -> None:
    """The agent sends the Approve button's value from their own thread: refused, and the request stays open."""
    story = await waiting(desk, order)
    card = await story.asked("approval")
    value = next(each.value for each in desk.workspace.buttons(card) if each.label.startswith("批准"))
    await forged(desk, LI, DESK, story.thread, value or "", thread=story.thread)
    await story.told(LI, "没有计入")
    assert (await story.open_request()).kind == "approve"
    assert await story.payouts(order) == []


async def test_a_value_that_nobody_made(desk: LiveDesk, order: str) -> None:
    """Foreign and broken values, and a real one for a case that does not exist, move nothing and break nothing."""
    story = await waiting(desk, order)
    card = await story.asked("approval")
    real = decode(next(each.value or "" for each in desk.workspace.buttons(card) if each.label.startswith("批准")))
    for value in ("", "{", '["approve"]', "[" * 900, json.dumps(["pay", "T:C:1", "C-1"])):
        await forged(desk, WANG, card.channel, card.ts, value)
    nowhere = {"thread": "T0LOCAL:C0DESK:1.000001", "case": "C-0000", "request": "C-0000/approval/1"}
    foreign = real.model_copy(update=nowhere)
    await forged(desk, WANG, card.channel, card.ts, foreign.encode())
    await story.told(WANG, "这里没有工单")
    assert (await story.open_request()).kind == "approve"


async def test_the_requester_does_not_approve(desk: LiveDesk, order: str) -> None:
    """An approver who opened the case is refused on it; another approves."""
    story = await Story.open(desk, f"给 {order} 补 60 积分，商户漏发接送", by=WANG)
    await story.approve("60.00 USD", by=WANG)
    await story.told(WANG, "其中有你填的信息，须别人批")
    assert await story.payouts(order) == []
    await story.approve("60.00 USD", by=KIM)
    await story.done()
    assert await story.payouts(order) == [{"credit": "60"}]


async def test_a_higher_level_may_decide(desk: LiveDesk, order: str) -> None:
    """A manager decides a supervisor's request."""
    story = await waiting(desk, order)
    await story.approve("60.00 USD", by="U0ZHAO")
    await story.done()
    assert "赵" in desk.workspace.text(await story.shown("approval/1", "已批准"))


async def test_the_card_after_the_decision(desk: LiveDesk, order: str) -> None:
    """The approval card then says who and when, keeps its facts, and has no buttons."""
    story = await waiting(desk, order)
    before = await story.asked("approval")
    await story.approve("60.00 USD")
    await story.done()
    after = await story.shown("approval/1", "已提交")
    said = desk.workspace.text(after)
    assert after.ts == before.ts
    assert "已批准 60.00 USD" in said
    assert "商户漏发接送" in said
    assert "王" in said
    assert desk.workspace.buttons(after) == []
    assert after.text.startswith("已批准 60.00 USD")


async def test_a_rejection_needs_a_reason(desk: LiveDesk, order: str) -> None:
    """Without a reason the form stays open and says so; with one the agent reads it, markup as plain signs."""
    story = await waiting(desk, order)
    form = await story.form(await story.asked("approval"), "驳回…", by=WANG)
    errors = await story.submit(form, {"reason": "   "}, by=WANG)
    assert errors is not None
    assert list(errors) == ["reason"]
    assert desk.workspace.views(WANG) == [form]
    assert await story.submit(form, {"reason": "按政策最多 *50*"}, by=WANG) is None
    told = await story.shown("approval/1/rejected")
    assert "按政策最多 ＊50＊" in desk.workspace.text(told)
    assert "@李" in desk.workspace.text(told)


async def test_a_rejection_that_comes_late(desk: LiveDesk, order: str) -> None:
    """A form that is sent after somebody else decided says in the form who that was."""
    story = await waiting(desk, order)
    form = await story.form(await story.asked("approval"), "驳回…", by=KIM)
    await story.approve("60.00 USD", by=WANG)
    await story.done()
    errors = await story.submit(form, {"reason": "too much"}, by=KIM)
    assert errors is not None
    assert "王" in " ".join(errors.values())
    assert await story.payouts(order) == [{"credit": "60"}]
    assert desk.service is not None
    log = [each.line for each in await desk.service.parts.audit.of(story.case)]
    late = [(each.by, each.verdict, each.refused, each.reason) for each in log if each.what == "refused"]
    assert late == [(KIM, "reject", "decided", "too much")]


async def forged(desk: LiveDesk, user: str, channel: str, ts: str, value: str, thread: str | None = None) -> None:
    """Deliver a click whose value was not taken from a button."""
    message = {"ts": ts, "thread_ts": thread} if thread else {"ts": ts}
    receipt = await desk.workspace.send_raw(
        "interactive",
        {
            "type": "block_actions",
            "user": {"id": user},
            "team": {"id": "T0LOCAL"},
            "api_app_id": "A0SOPDESK",
            "trigger_id": desk.workspace.world.new_trigger(user),
            "channel": {"id": channel},
            "message": message,
            "container": {"type": "message", "channel_id": channel, "message_ts": ts},
            "actions": [{"type": "button", "action_id": "sop.approve.0", "block_id": "b", "value": value}],
        },
    )
    assert receipt.acked
