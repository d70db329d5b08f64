"""The approval card in a real browser, in both languages: before the decision, with its form open, and after."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.async_api import Browser, Page, expect

from deploy.local.redis_server import RedisServer
from tests.browser.pictures import together, window
from tests.browser.test_walk import PICTURES, opened, thread, write
from tests.desk.procedures import shipped
from tests.parts.desk import PATIENCE, LiveDesk, live_desk


class Words(NamedTuple):
    """What is said and seen in one language."""

    agent: str
    boss: str
    lang: str
    small: str
    first: str
    second: str
    approve_small: str
    reject: str
    too_much: str
    question_form: str
    question: str
    send: str
    answer: str
    other: str
    ok: str
    why: str
    card: tuple[str, ...]
    wrong: str
    after: tuple[str, ...]
    captions: tuple[str, str, str, str]


ZH = Words(
    agent="U0LI",
    boss="U0WANG",
    lang="zh",
    small="@sopdesk 给 KL-502 补 60 积分，导游迟到",
    first="@sopdesk 给 KL-502 补 300 美元，退回卡里，客人包车迟到两小时",
    second="那就 150",
    approve_small="批准 60.00 USD",
    reject="驳回",
    too_much="迟到两小时按政策最多补 150",
    question_form="问申请人…",
    question="有司机的到达记录吗",
    send="发送",
    answer="有，11:40 到，已经传到订单",
    other="改额批准",
    ok="批准",
    why="同一单已经补过 60",
    card=(
        "批准 150.00 USD 现金补偿？",
        "同一单 30 天内另有 60.00 USD，合计 210.00 USD",
        "规则 3/3",
        "迟到两小时的上限",
        "驳回 300.00 USD",
    ),
    wrong="不能高于申请的 150.00 USD",
    after=("已批准 90.00 USD（申请 150.00 USD）", "同一单已经补过 60"),
    captions=("决定之前 / before", "改额批准 / another amount", "决定之后 / after", "工单 / the thread"),
)
EN = Words(
    agent="U0EMMA",
    boss="U0KIM",
    lang="en",
    small="@sopdesk 60 USD credit for KL-502, the guide was late",
    first="@sopdesk compensate KL-502 with 300 USD back to card, the charter car was two hours late",
    second="150 USD then",
    approve_small="Approve 60.00 USD",
    reject="Reject",
    too_much="Two hours late is 150 at most",
    question_form="Ask requester…",
    question="Is there a record of when the driver came?",
    send="Send",
    answer="Yes, he came at 11:40, it is on the order",
    other="Another amount",
    ok="Approve",
    why="60 was paid on this order before",
    card=(
        "Approve 150.00 USD cash compensation?",
        "Another 60.00 USD on the same order within 30 days, 210.00 USD in all",
        "Rules 3/3",
        "Limit for a two-hour delay",
        "rejected 300.00 USD",
    ),
    wrong="Not above the 150.00 USD asked",
    after=("Approved: 90.00 USD (asked 150.00 USD)", "60 was paid on this order before"),
    captions=("before", "another amount", "after", "the thread"),
)


@pytest.fixture(params=[ZH, EN], ids=["zh", "en"])
async def said(request: pytest.FixtureRequest) -> Words:
    """One language after the other."""
    assert isinstance(request.param, Words)
    return request.param


@pytest.fixture
async def desk(said: Words, redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[LiveDesk]:
    """A desk whose approvers' channels speak that language."""
    sops = tmp_path / "sops"
    sops.mkdir()
    approvals = shipped(sops) / "approvals.yaml"
    text = approvals.read_text(encoding="utf-8")
    approvals.write_text(text.replace("lang: zh", f"lang: {said.lang}"), encoding="utf-8")
    async with live_desk(redis_server.url, tmp_path, sops=sops) as running:
        yield running


async def started(agent: Page, words: str) -> None:
    """A new request in the desk's channel, and its thread opened."""
    known = await agent.get_by_test_id("thread-summary").count()
    await write(agent, "composer", words)
    await expect(agent.get_by_test_id("thread-summary")).to_have_count(known + 1)
    await agent.get_by_test_id("thread-summary").last.click()


async def test_the_card_before_during_and_after(browser: Browser, desk: LiveDesk, said: Words) -> None:
    """The card shows on what it is decided; the form says what is wrong under its field; afterwards the card says what
    was approved in place of what was asked, and why, and has no buttons."""
    expect.set_options(timeout=PATIENCE * 1000)
    agent = await opened(browser, desk, said.agent, "C0DESK", said.lang)
    boss = await opened(browser, desk, said.boss, "C0SUP", said.lang)
    await started(agent, said.small)
    await boss.get_by_role("button", name=said.approve_small).click()
    await expect(boss.get_by_role("button", name=said.approve_small)).to_have_count(0)

    await started(agent, said.first)
    await boss.get_by_role("button", name=said.reject).click()
    form = boss.get_by_role("dialog")
    await form.get_by_role("textbox").fill(said.too_much)
    await form.get_by_role("button", name=said.reject, exact=True).click()
    await expect(thread(agent).get_by_text(said.too_much).first).to_be_visible()
    await write(agent, "thread-composer", said.second)
    for part in said.card:
        await expect(boss.get_by_text(part).last).to_be_visible()

    await boss.locator("button.overflow").last.click()
    await boss.get_by_text(said.question_form).last.click()
    await form.get_by_role("textbox").fill(said.question)
    await form.get_by_role("button", name=said.send, exact=True).click()
    await expect(thread(agent).get_by_text(said.question).first).to_be_visible()
    await write(agent, "thread-composer", said.answer)
    await expect(boss.get_by_text(said.answer).last).to_be_visible()
    before = await window(boss, 1000)

    await boss.get_by_role("button", name=said.other).click()
    boxes = form.get_by_role("textbox")
    await boxes.first.fill("151")
    await boxes.last.fill(said.why)
    await form.get_by_role("button", name=said.ok, exact=True).click()
    await expect(form.get_by_text(said.wrong).last).to_be_visible()
    during = await window(boss, 1000)
    await boxes.first.fill("90")
    await form.get_by_role("button", name=said.ok, exact=True).click()
    for part in said.after:
        await expect(boss.get_by_text(part).last).to_be_visible()
    await expect(boss.get_by_role("button", name=said.other)).to_have_count(0)
    await expect(thread(agent).get_by_text(said.why).first).to_be_visible()
    if PICTURES:
        shots = (before, during, await window(boss, 1000), await window(agent, 1000))
        name = "approval.png" if said.lang == "zh" else "approval-en.png"
        await together(browser, dict(zip(said.captions, shots, strict=True)), Path(PICTURES) / name)
