"""A walk through the page as people take it: an agent and a supervisor, in a real browser."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from deploy.local.redis_server import RedisServer
from tests.browser.pictures import together, window
from tests.parts.desk import PATIENCE, LiveDesk, live_desk

SIZE = {"width": 1440, "height": 1000}
PICTURES = os.environ.get("SOPDESK_PICTURES")
"""Where to leave screenshots of the end; `make pictures` sets it."""



@pytest.fixture
async def desk(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[LiveDesk]:
    """A desk without a model."""
    async with live_desk(redis_server.url, tmp_path) as desk:
        yield desk


async def opened(browser: Browser, desk: LiveDesk, user: str, channel: str, lang: str) -> Page:
    """The workspace's page as one person sees it."""
    context = await browser.new_context(viewport={"width": SIZE["width"], "height": SIZE["height"]}, locale=lang)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    await page.goto(f"{desk.workspace.url}/?as={user}&channel={channel}&lang={lang}")
    return page


async def write(page: Page, composer: str, words: str) -> None:
    """Type into a composer and send."""
    box = page.get_by_test_id(composer)
    await box.click()
    await box.press_sequentially(words)
    await page.keyboard.press("Enter")


def thread(page: Page) -> Locator:
    """The messages of the open thread."""
    return page.get_by_test_id("thread-messages")


async def test_t4_in_the_browser(browser: Browser, desk: LiveDesk) -> None:
    """The agent asks, answers, is rejected with a reason, answers again; the supervisor approves; the payout is there."""
    expect.set_options(timeout=PATIENCE * 1000)
    agent = await opened(browser, desk, "U0LI", "C0DESK", "zh")
    await write(agent, "composer", "@sopdesk 给 KL-502 补偿一下，客人包车迟到两小时")
    await agent.get_by_test_id("thread-summary").click()
    await expect(thread(agent).get_by_text("还缺：金额（USD）、方式")).to_be_visible()
    await write(agent, "thread-composer", "300 美元，退回卡里")

    boss = await opened(browser, desk, "U0WANG", "C0SUP", "zh")
    await expect(boss.get_by_text("批准 300.00 USD 现金补偿？")).to_be_visible()
    await boss.get_by_role("button", name="驳回").click()
    form = boss.get_by_role("dialog")
    await form.get_by_role("button", name="驳回", exact=True).click()
    await expect(form).to_be_visible()  # no reason yet: the form stays
    await form.get_by_role("textbox").fill("迟到两小时按政策最多补 150")
    await form.get_by_role("button", name="驳回", exact=True).click()
    await expect(boss.get_by_text("已驳回 300.00 USD 现金补偿")).to_be_visible()
    await expect(boss.get_by_role("button", name="批准 300.00 USD")).to_have_count(0)

    await expect(thread(agent).get_by_text("迟到两小时按政策最多补 150")).to_be_visible()
    await write(agent, "thread-composer", "那就 150")
    await boss.get_by_role("button", name="批准 150.00 USD").click()
    await expect(boss.get_by_text("已批准 150.00 USD 现金补偿")).to_be_visible()
    await expect(thread(agent).get_by_text("150.00 USD 现金补偿已提交（陈女士 KL-502）：150.00 原路退")).to_be_visible()
    await expect(thread(agent).get_by_text("150.00 USD 现金补偿 · 已完成")).to_be_visible()

    office = await agent.context.new_page()
    await office.goto(f"{desk.backoffice.url}/?lang=zh")
    payout = office.get_by_test_id("payouts-table").locator("tr", has_text="KL-502")
    await expect(payout).to_contain_text("150")
    if PICTURES:
        windows = {
            "坐席 李 / the agent": await window(agent, 1000),
            "主管 王 / the supervisor": await window(boss, 560),
            "后台 / the back office": await window(office, 340),
        }
        await together(browser, windows, Path(PICTURES) / "t4.png")


async def test_t4_in_english(browser: Browser, desk: LiveDesk) -> None:
    """The same walk in English: the thread speaks English because its first sentence does."""
    expect.set_options(timeout=PATIENCE * 1000)
    agent = await opened(browser, desk, "U0EMMA", "C0DESK", "en")
    await write(agent, "composer", "@sopdesk compensate KL-502, the charter car was two hours late")
    await agent.get_by_test_id("thread-summary").click()
    await expect(thread(agent).get_by_text("still missing: amount (USD), way")).to_be_visible()
    await write(agent, "thread-composer", "300 USD, back to card")
    boss = await opened(browser, desk, "U0KIM", "C0SUP", "en")
    await boss.get_by_role("button", name="批准 300.00 USD").click()  # the channel speaks Chinese, as its level is set
    await expect(boss.get_by_text("已批准 300.00 USD 现金补偿")).to_be_visible()
    await expect(thread(agent).get_by_text("300.00 USD cash compensation submitted")).to_be_visible()
    if PICTURES:
        windows = {"the agent": await window(agent, 1000), "the supervisor": await window(boss, 420)}
        await together(browser, windows, Path(PICTURES) / "t4-en.png")
