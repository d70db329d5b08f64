"""A request that waits, in a real browser, in both languages: half approved, reminded, passed on, expired; and App Home."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.async_api import Browser, expect

from deploy.local.redis_server import RedisServer
from tests.browser.pictures import together, window
from tests.browser.test_walk import PICTURES, opened, thread
from tests.desk.procedures import shipped
from tests.desk.story import Story
from tests.desk.test_approvers import go_off
from tests.parts.desk import PATIENCE, LiveDesk, live_desk


class Words(NamedTuple):
    """What is said and seen in one language."""

    agent: str
    boss: str
    lang: str
    request: str
    approve: str
    counted: str
    reminder: str
    passed: str
    expired: str
    home: str
    captions: tuple[str, str, str, str]


ZH = Words(
    agent="U0LI",
    boss="U0WANG",
    lang="zh",
    request="给 KL-1001 补 60 积分，导游迟到",
    approve="批准 60.00 USD",
    counted="已批 1/2：王",
    reminder="提醒：",
    passed="已上报经理",
    expired="已过期，未付款",
    home="等你处理 1",
    captions=("两人批：已批一人、已提醒", "已上报", "已过期", "首页"),
)
EN = Words(
    agent="U0EMMA",
    boss="U0KIM",
    lang="en",
    request="60 USD credit for KL-1001, the guide was late",
    approve="Approve 60.00 USD",
    counted="1 of 2: Kim",
    reminder="Reminder: ",
    passed="Passed to a manager",
    expired="Expired, not paid",
    home="Waiting for you 1",
    captions=("one of two approved, reminded", "passed on", "expired", "App Home"),
)


@pytest.fixture(params=[ZH, EN], ids=["zh", "en"])
async def said(request: pytest.FixtureRequest) -> Words:
    """One language after the other."""
    assert isinstance(request.param, Words)
    return request.param


@pytest.fixture
async def desk(said: Words, redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[LiveDesk]:
    """A desk where two supervisors must approve, and whose approvers' channels speak that language."""
    sops = tmp_path / "sops"
    sops.mkdir()
    approvals = shipped(sops) / "approvals.yaml"
    text = approvals.read_text(encoding="utf-8").replace("lang: zh", f"lang: {said.lang}")
    approvals.write_text(text.replace("rank: 1\n", "rank: 1\n    quorum: 2\n"), encoding="utf-8")
    async with live_desk(redis_server.url, tmp_path, sops=sops) as running:
        yield running


async def test_a_card_that_waits(browser: Browser, desk: LiveDesk, said: Words) -> None:
    """The card counts the approvals, the reminder stands under it, the level above gets a card of its own, and each card
    that is closed says how it ended and has no buttons. App Home lists what waits for them."""
    expect.set_options(timeout=PATIENCE * 1000)
    story = await Story.open(desk, said.request, by=said.agent)
    await story.asked("approval")
    home = await opened(browser, desk, said.boss, "C0SUP", said.lang)
    await home.goto(f"{desk.workspace.url}/?as={said.boss}&home=1&lang={said.lang}")
    await expect(home.get_by_text(said.home)).to_be_visible()
    at_home = await window(home, 460)
    boss = await opened(browser, desk, said.boss, "C0SUP", said.lang)
    await boss.get_by_role("button", name=said.approve).click()
    await expect(boss.get_by_text(said.counted).last).to_be_visible()
    await go_off(desk, story, "remind")
    await boss.get_by_test_id("thread-summary").last.click()
    await expect(thread(boss).get_by_text(said.reminder)).to_be_visible()
    shots = [await window(boss, 460)]

    await go_off(desk, story, "escalate")
    await story.asked("approval", 2)
    await expect(boss.get_by_text(said.passed).last).to_be_visible()
    await expect(boss.get_by_text(said.counted).last).to_be_visible()
    await expect(boss.get_by_role("button", name=said.approve)).to_have_count(0)
    shots.append(await window(boss, 460))
    await go_off(desk, story, "expire", 2)
    above = await opened(browser, desk, "U0ZHAO", "C0MGR", said.lang)
    await expect(above.get_by_text(said.expired).last).to_be_visible()
    await expect(above.get_by_role("button", name=said.approve)).to_have_count(0)
    shots += [await window(above, 460), at_home]
    if PICTURES:
        name = "waiting.png" if said.lang == "zh" else "waiting-en.png"
        await together(browser, dict(zip(said.captions, shots, strict=True)), Path(PICTURES) / name)
