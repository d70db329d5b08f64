"""`/coach`: a whole drill in a workspace, and what others see of it."""

from __future__ import annotations

import io

from PIL import Image

from deploy.local.workspace import Message
from tests.desk.story import CHEN, DESK, EMMA, LEAD, LI
from tests.parts.desk import PATIENCE, LiveDesk


async def slash(desk: LiveDesk, user: str, text: str, channel: str = DESK) -> str:
    """What `/coach …` answers privately."""
    before = len(desk.workspace.ephemerals(user, channel))
    await desk.workspace.slash(user, channel, "/coach", text)
    shown = await desk.workspace.until(lambda: desk.workspace.ephemerals(user, channel)[before:], PATIENCE)
    return desk.workspace.text(shown[-1], user)


async def begun(desk: LiveDesk, user: str, scenario: str = "invoice_change") -> tuple[str, Message]:
    """A drill: the timestamp of its thread, and the customer's first words."""
    known = set(desk.notices())
    await slash(desk, user, f"start {scenario}")
    _, first = await desk.posted(r"C-\w+/drill/1", known)
    return first.thread_ts or "", first


async def said(desk: LiveDesk, user: str, thread: str, text: str) -> Message:
    """What the bot posts in the thread to these words."""
    known = set(desk.notices())
    await desk.workspace.say(user, DESK, text, thread)
    return (await desk.posted(r"C-\w+/(drill/\d+|result)", known))[1]


async def private(desk: LiveDesk, user: str, message: Message, label: str) -> str:
    """What pressing a button answers privately."""
    before = len(desk.workspace.ephemerals(user, DESK))
    await desk.workspace.click(user, DESK, message.ts, label=label)
    shown = await desk.workspace.until(lambda: desk.workspace.ephemerals(user, DESK)[before:], PATIENCE)
    return desk.workspace.text(shown[-1], user)


async def test_a_drill_from_start_to_score_card(desk: LiveDesk) -> None:
    """Brief, customer, hint, a slip, a bystander who is not heard, a restart, and the score card with its picture."""
    thread, first = await begun(desk, LI)
    brief = desk.notices()[next(name for name in desk.notices() if name.endswith("/card"))]
    assert "练习：发票修改" in desk.workspace.text(brief)
    assert "发票" in desk.workspace.text(first)
    assert "Q1" in await private(desk, LI, first, "提示（扣分）")
    calls = len(desk.backoffice.calls)
    await desk.workspace.say(CHEN, DESK, "请问是自营还是第三方？", thread)
    second = await said(desk, LI, thread, "KL-778 补 20 美元现金，请您联系卖家处理")
    assert [each.label for each in desk.workspace.buttons(first)] == []
    assert "跳步" in await private(desk, LI, second, "这轮对吗")
    await desk.restart()
    message = second
    for words in (
        "请问是自营还是第三方？",
        "订单完成了吗？",
        "您进订单详情修改发票",
        "麻烦提供开票信息，我登记重开",
        "请联系卖家",
    ):
        message = await said(desk, LI, thread, words)
        if "/100" in desk.workspace.text(message):
            break
    else:
        message = await said(desk, LI, thread, "很抱歉，我们3个工作日内给您回复")
    assert len(desk.backoffice.calls) == calls
    card = desk.workspace.text(message)
    assert "/100 · 发票修改" in card
    assert "提示 1" in card
    picture = next(block for block in message.blocks if block["type"] == "image")
    assert "Q1" in str(picture["alt_text"])
    upload = desk.workspace.world.uploads[str(picture["slack_file"]["id"])]
    assert upload.content is not None
    assert Image.open(io.BytesIO(upload.content)).width >= 1600
    assert "第 1 轮" in await private(desk, LI, message, "逐轮看")
    known = set(desk.notices())
    await desk.workspace.click(LI, DESK, message.ts, label="再练一次")
    _, again = await desk.posted(r"C-\w+/drill/1", known)
    assert again.thread_ts == thread
    assert "只有" in await private(desk, CHEN, again, "结束")


async def test_scores_and_the_leads_report(desk: LiveDesk) -> None:
    """Who has practised sees their scores; a lead sees trend and slips, and gets a CSV; others do not."""
    _, first = await begun(desk, EMMA, "compensation")
    assert "customer" in desk.workspace.text(first).lower()
    known = set(desk.notices())
    await desk.workspace.click(EMMA, DESK, first.ts, label="End")
    await desk.posted(r"C-\w+/result", known)
    assert "70/100" in await slash(desk, EMMA, "score")
    report = await slash(desk, LEAD, f"report <@{EMMA}>")
    assert "过早结束 ×1" in report
    assert "只有组长" in await slash(desk, EMMA, "report") or "lead" in await slash(desk, EMMA, "report")
    assert "CSV" in await slash(desk, LEAD, "report csv")
    files = [each.content for each in desk.workspace.world.uploads.values() if each.name == "practice.csv"]
    assert b"compensation,70,ended_by_trainee" in (files[-1] or b"")


async def test_lists_help_and_what_is_not_there(desk: LiveDesk) -> None:
    """Without a name, or with one that is none, there is a list to start from; help names all there is."""
    assert "退款没到账" in await slash(desk, LI, "list")
    assert "没有场景“x”" in await slash(desk, LI, "start x")
    assert "/coach score" in await slash(desk, LI, "help")
    assert "还没有练习记录" in await slash(desk, CHEN, "score")


async def test_a_picture_that_slack_refuses_is_left_out(desk: LiveDesk) -> None:
    """The score card then stands without it, with its words and buttons."""
    _, first = await begun(desk, CHEN)
    known = set(desk.notices())
    desk.workspace.faults.refuse("chat.postMessage", "invalid_blocks", 1)
    await desk.workspace.click(CHEN, DESK, first.ts, label="结束")
    _, card = await desk.posted(r"C-\w+/result", known)
    assert "70/100" in desk.workspace.text(card)
    assert "image" not in [block["type"] for block in card.blocks]
    assert [each.label for each in desk.workspace.buttons(card)] == ["再练一次", "逐轮看"]
