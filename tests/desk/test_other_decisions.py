"""What an approver can do beside yes and no: another amount, a question to the requester, a saved reason."""

from __future__ import annotations

from pathlib import Path

from deploy.local.redis_server import RedisServer
from tests.desk.procedures import with_step
from tests.desk.story import KIM, LEAD, SUPERVISORS, WANG
from tests.desk.test_decisions import waiting
from tests.parts.desk import LiveDesk, live_desk

LATER = """
  - id: voucher
    kind: ask
    fields: [bank_account]
    prompt: {zh: 收款账户, en: Account}
"""
"""A question between the approval and the payout."""


async def test_another_amount_is_paid_as_approved(desk: LiveDesk, order: str) -> None:
    """The amount of the form is paid, the card says both, and the agent is told the reason."""
    story = await waiting(desk, order)
    form = await story.form(await story.asked("approval"), "改额批准…", by=WANG)
    assert await story.submit(form, {"amount": "55.50", "reason": "按手册最多这么多"}, by=WANG) is None
    await story.done()
    assert await story.payouts(order) == [{"credit": "55.50"}]
    card = desk.workspace.text(await story.shown("approval/1", "已批准 55.50 USD（申请 60.00 USD）"))
    assert "按手册最多这么多" in card
    told = desk.workspace.text(await story.shown("approval/1/approved"))
    assert "批了 55.50 USD" in told and "按手册最多这么多" in told
    view = await story.view()
    assert (view.plain["approver"], view.plain["approved_by"], view.plain["amount"]) == ("supervisor", WANG, "55.50")


async def test_an_amount_in_the_automatic_tier_stays_a_persons_approval(desk: LiveDesk, order: str) -> None:
    """Whoever approves less has approved it: it is never automatic."""
    story = await waiting(desk, order)
    form = await story.form(await story.asked("approval"), "改额批准…", by=WANG)
    assert await story.submit(form, {"amount": "20", "reason": "少补一点"}, by=WANG) is None
    await story.done()
    view = await story.view()
    assert (view.plain["approver"], view.plain["approved_by"]) == ("supervisor", WANG)
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_what_is_no_amount_is_said_under_its_field(desk: LiveDesk, order: str) -> None:
    """Above what was asked, zero, below it, another currency, words, nothing; and a missing reason under its own."""
    story = await waiting(desk, order)
    form = await story.form(await story.asked("approval"), "改额批准…", by=WANG)
    for wrong in ("60.01", "0", "-5", "50 欧元", "随便", "50 or 55", "1e9"):
        errors = await story.submit(form, {"amount": wrong, "reason": "x"}, by=WANG)
        assert errors is not None and list(errors) == ["amount"], wrong
    above = await story.submit(form, {"amount": "60.01", "reason": "x"}, by=WANG)
    assert above == {"amount": "不能高于申请的 60.00 USD"}
    both = await story.submit(form, {"amount": "61", "reason": " "}, by=WANG)
    assert both is not None and set(both) == {"amount", "reason"}
    assert (await story.open_request()).id.endswith("approval/1")
    assert await story.payouts(order) == []


async def test_an_amount_that_comes_late(desk: LiveDesk, order: str) -> None:
    """A form that is sent after somebody else decided says in the form who that was."""
    story = await waiting(desk, order)
    form = await story.form(await story.asked("approval"), "改额批准…", by=KIM)
    await story.approve("60.00 USD", by=WANG)
    await story.done()
    errors = await story.submit(form, {"amount": "10", "reason": "too much"}, by=KIM)
    assert errors is not None and "王" in " ".join(errors.values())
    assert await story.payouts(order) == [{"credit": "60"}]


async def test_a_question_to_the_requester(desk: LiveDesk, order: str) -> None:
    """It calls on the requester in the thread; the answer goes under the card and calls on whoever asked; the request
    waits on, and is then approved."""
    story = await waiting(desk, order)
    card = await story.asked("approval")
    form = await story.menu_form(card, "问申请人…", by=WANG)
    nothing = await story.submit(form, {"question": "  "}, by=WANG)
    assert nothing is not None and list(nothing) == ["question"]
    assert await story.submit(form, {"question": "客人有照片吗"}, by=WANG) is None
    asked = desk.workspace.text(await story.shown("approval/1/question/1"))
    assert "@李" in asked and "客人有照片吗" in asked
    await story.shown("approval/1", "等李")
    await story.say("有，已经上传到订单，账号 6222000011112222")
    answer = await story.shown("approval/1/answer/1")
    assert (answer.channel, answer.thread_ts) == (card.channel, card.ts)
    words = desk.workspace.text(answer)
    assert "@王" in words and "已经上传到订单" in words
    assert "6222000011112222" not in words
    request = await story.open_request()
    assert (request.id, request.kind, len(request.inquiries)) == (f"{story.case}/approval/1", "approve", 1)
    await story.approve("60.00 USD")
    await story.done()
    assert await story.payouts(order) == [{"credit": "60"}]


async def test_words_without_a_question_are_still_no_answer(desk: LiveDesk, order: str) -> None:
    """While nobody asked, what the agent says is not used, and is told so."""
    story = await waiting(desk, order)
    said = await story.say("客人很着急")
    await story.reply_to(said, "还在等批准")
    assert (await story.open_request()).inquiries == []


async def test_who_is_not_listed_asks_nothing(desk: LiveDesk, order: str) -> None:
    """Neither a question nor another amount: told why, and no form opens."""
    story = await waiting(desk, order)
    card = await story.asked("approval")
    await story.press(card, "改额批准…", by=LEAD)
    await story.told(LEAD, "须由名单内主管或以上批", SUPERVISORS)
    await desk.workspace.choose(LEAD, card.channel, card.ts, "问申请人…")
    await story.told(LEAD, "须由名单内主管或以上批", SUPERVISORS)
    assert desk.workspace.views(LEAD) == []


async def test_a_saved_reason_is_enough(desk: LiveDesk, order: str) -> None:
    """The reasons of the procedure are a menu; the chosen one reaches the thread word for word."""
    story = await waiting(desk, order)
    form = await story.form(await story.asked("approval"), "驳回…", by=WANG)
    assert await story.submit(form, {"saved": "超过政策上限"}, by=WANG) is None
    told = await story.shown("approval/1/rejected")
    assert "超过政策上限" in desk.workspace.text(told)


async def test_the_card_shows_on_what_it_is_decided(desk: LiveDesk, order: str) -> None:
    """Facts, the words they were taken from, rules, the handbook's passage, and what came before it in the case."""
    story = await waiting(desk, order)
    first = desk.workspace.text(await story.asked("approval"))
    for part in ("60.00 USD 积分补偿", order, "商户漏发接送", "规则 3/3", "手册“能不能补偿 › 商户爽约与漏发”", story.case):
        assert part in first
    form = await story.form(await story.asked("approval"), "驳回…", by=WANG)
    await story.submit(form, {"reason": "太多了"}, by=WANG)
    await story.asked("collect")
    await story.say("55 美元")
    second = desk.workspace.text(await story.asked("approval", 2))
    assert "驳回 60.00 USD：“太多了”" in second


async def test_a_correction_closes_the_card_and_points_to_the_new_one(desk: LiveDesk, order: str) -> None:
    """The old card says by what it was replaced; where no approval is needed any more it says that."""
    story = await waiting(desk, order)
    await story.asked("approval")
    form = await story.form(await story.case_card(), "更正…")
    assert await story.submit(form, {"amount": "58"}) is None
    await story.asked("approval", 2)
    old = desk.workspace.text(await story.shown("approval/1", "已由新申请取代"))
    assert "现为 58.00 USD，看新卡" in old
    form = await story.form(await story.case_card(), "更正…")
    assert await story.submit(form, {"amount": "30"}) is None
    await story.done()
    over = desk.workspace.text(await story.shown("approval/2", "已由新申请取代"))
    assert "现为 30.00 USD，不用审批" in over


async def test_what_changed_after_the_approval_is_said_in_the_thread(redis_server: RedisServer, tmp_path: Path) -> None:
    """Corrected at a later question: nothing is paid, the agent is told what changed, and a new card asks again."""
    sops = tmp_path / "sops"
    sops.mkdir()
    with_step(sops, "submit", LATER)
    async with live_desk(redis_server.url, tmp_path, sops=sops) as desk:
        story = await waiting(desk, "KL-502")
        await story.approve("60.00 USD")
        await story.asked("voucher")
        form = await story.form(await story.case_card(), "更正…")
        assert await story.submit(form, {"reason": "行程取消"}) is None
        form = await story.form(await story.asked("voucher", 2), "填表单…")
        assert await story.submit(form, {"bank_account": "6222000012345678"}) is None
        told = desk.workspace.text(await story.shown("unbound/1"))
        assert "@李" in told and "批准之后原因变了" in told
        await story.approve("60.00 USD", by=KIM, visit=2)
        await story.done()
        assert await story.payouts("KL-502") == [{"credit": "60"}]


async def test_two_cards_of_two_cases_each_resolve_alone(desk: LiveDesk, order: str) -> None:
    """What is decided on one card leaves the other as it was."""
    one, two = await waiting(desk, order), await waiting(desk, "KL-502", "70 积分")
    await one.approve("60.00 USD")
    await one.done()
    assert (await two.open_request()).id == f"{two.case}/approval/1"
    form = await two.form(await two.asked("approval"), "驳回…", by=KIM)
    await two.submit(form, {"reason": "no"}, by=KIM)
    await two.asked("collect")
    assert await one.payouts(order) == [{"credit": "60"}]
    assert (await one.view()).status == "done"
