"""A case that rests between two queries: what is said in its thread is answered, and a second case finds the first."""

from __future__ import annotations

import json

from tests.parts.desk import PATIENCE, LiveDesk

SAID = "@sopdesk KL-1001 客人 CU000005 的 62 美元退款没到账"
QUERY = "/channels/alipay/refunds/RF202609010001"


async def answered(desk: LiveDesk, thread: str, words: str) -> str:
    """What the bot answers to words of the agent."""
    known = set(desk.notices())
    await desk.workspace.say("U0LI", "C0DESK", words, thread)
    _, reply = await desk.posted(r"msg:.*/0", known)
    return desk.workspace.text(reply)


def queries(desk: LiveDesk) -> int:
    """How often the channel was asked."""
    return sum(call.path == QUERY for call in desk.backoffice.calls)


async def opened(desk: LiveDesk) -> tuple[str, str]:
    """A case that rests; its thread and its id."""
    known = set(desk.notices())
    thread = await desk.workspace.say("U0LI", "C0DESK", SAID)
    card, _ = await desk.posted(r"C-\w+/card", known)
    case = card.partition("/")[0]
    await desk.card_says("等待中", case)
    return thread, case


async def test_a_resting_case_answers_and_hears_a_complaint(desk: LiveDesk) -> None:
    """How far it is, what is known, that it arrived: answered in its thread, with one query and one clock; a complaint puts
    it before the review, a second case for the order is shown this one, and both end."""
    thread, case = await opened(desk)
    before = await desk.view(thread)
    assert before is not None
    told = await answered(desk, thread, "到了吗？")
    assert "等渠道" in told and "processing" not in told and "自动继续" in told
    assert "KL-1001" in await answered(desk, thread, "已知信息")
    assert "记下了" in await answered(desk, thread, "客人说收到了")
    after = await desk.view(thread)
    assert after is not None and after.waiting == before.waiting
    assert queries(desk) == 1
    known = set(desk.notices())
    second = await desk.workspace.say("U0CHEN", "C0DESK", SAID)
    _, result = await desk.posted(r"C-\w+/result", known)
    assert result.thread_ts == second and case in desk.workspace.text(result)
    first = desk.workspace.permalink(desk.notices()[f"{case}/card"])
    assert first in json.dumps(result.blocks)
    await desk.workspace.say("U0LI", "C0DESK", "客人要投诉", thread)
    _, card = await desk.posted(rf"{case}/need_review/\d+")
    assert "客人投诉" in desk.workspace.text(card)
    await desk.workspace.click("U0WANG", card.channel, card.ts, label="关闭…")
    form = (await desk.workspace.until(lambda: desk.workspace.views("U0WANG"), PATIENCE))[-1]
    assert await desk.workspace.submit("U0WANG", form, {"reason": "另走线下"}) is None
    ended = await desk.posted(rf"{case}/result")
    said = desk.workspace.text(ended[1])
    assert "到账" not in said.replace("退款未到账", "") and "关闭：“另走线下”" in said
    assert queries(desk) == 1

