"""The page in a real browser; skipped where no Chromium is installed."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect
from slack_sdk.web.async_client import AsyncWebClient

from deploy.local.workspace import Workspace

Json = dict[str, Any]
SIZES = [(1440, 900), (1100, 700)]
CUT_OFF = """() => [...document.querySelectorAll("button, h1, h2, .block-header, label, .time, .name")].filter((node) => {
  const box = node.getBoundingClientRect();
  const shown = box.width && !node.closest("[hidden]") && getComputedStyle(node).textOverflow !== "ellipsis";
  const list = node.closest(".messages, .modal-body, .rooms");
  const inside = box.left >= 0 && box.right <= innerWidth && (list || box.bottom <= innerHeight);
  const whole = node.scrollWidth <= node.clientWidth + 1 || getComputedStyle(node).overflow === "visible";
  return shown && !(inside && whole);
}).map((node) => node.textContent)"""


def plain(text: str) -> Json:
    """A plain_text object."""
    return {"type": "plain_text", "text": text}


def card() -> list[Json]:
    """An approval card with text from outside that would like to be markup."""
    return [
        {"type": "header", "text": plain("批准 80.00 USD 现金补偿？")},
        {"type": "section", "text": {"type": "mrkdwn", "text": "*王女士* &lt;img src=x onerror=alert(1)&gt; <@U0LI>"}},
        {"type": "actions", "elements": [
            {"type": "button", "text": plain("批准 80.00 USD"), "action_id": "approve", "style": "primary", "value": "1"},
            {"type": "button", "text": plain("驳回…"), "action_id": "reject", "value": "1"},
            {"type": "overflow", "action_id": "more", "options": [{"text": plain("问申请人…"), "value": "ask"}]},
        ]},
    ]


FORM: Json = {
    "type": "modal", "title": plain("驳回申请"), "submit": plain("驳回"), "close": plain("返回"), "blocks": [
        {"type": "input", "block_id": "reason", "label": plain("原因"),
         "element": {"type": "plain_text_input", "action_id": "v", "multiline": True}},
    ],
}


@pytest.fixture
async def workspace() -> AsyncIterator[Workspace]:
    """A workspace without a bot; a click waits briefly for one."""
    running = Workspace(ack_timeout=0.2)
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
def client(workspace: Workspace) -> AsyncWebClient:
    """The bot's client."""
    return AsyncWebClient(token="xoxb-local", base_url=workspace.api_url)


async def opened(browser: Browser, workspace: Workspace, query: str, size: tuple[int, int] = SIZES[0]) -> Page:
    """The page in a given state; any script error fails the test that closes it."""
    page = await browser.new_page(viewport={"width": size[0], "height": size[1]})
    await page.goto(f"{workspace.url}/?{query}")
    await page.wait_for_selector("[data-version]")
    return page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_nothing_is_cut_off(
    browser: Browser, workspace: Workspace, client: AsyncWebClient, size: tuple[int, int], lang: str
) -> None:
    """Channel, thread and form fit the window in both sizes and languages."""
    parent = await workspace.say("U0WANG", "C0SUP", "看一下")
    await client.chat_postMessage(channel="C0SUP", thread_ts=parent, text="card", blocks=card())
    await client.views_open(trigger_id=workspace.world.new_trigger("U0WANG"), view=FORM)
    page = await opened(browser, workspace, f"as=U0WANG&channel=C0SUP&thread={parent}&lang={lang}", size)
    await expect(page.get_by_test_id("modal")).to_be_visible()
    assert await page.evaluate(CUT_OFF) == []
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.close()


async def test_outside_text_is_text(browser: Browser, workspace: Workspace, client: AsyncWebClient) -> None:
    """Markup in what the bot or a person sends is shown, not run."""
    await workspace.say("U0WANG", "C0SUP", "<b>bold</b><script>document.title='owned'</script>")
    await client.chat_postMessage(channel="C0SUP", text="card", blocks=card())
    page = await opened(browser, workspace, "as=U0WANG&channel=C0SUP&lang=en")
    await expect(page.get_by_test_id("messages")).to_contain_text("<b>bold</b><script>")
    await expect(page.get_by_test_id("messages")).to_contain_text("<img src=x onerror=alert(1)> @李")
    assert await page.locator("#main img, #main article script").count() == 0
    await page.close()


async def test_a_person_talks_and_sees_the_answer(
    browser: Browser, workspace: Workspace, client: AsyncWebClient
) -> None:
    """What is typed arrives as a message, with the mention made a reference; the answer shows as a thread summary."""
    page = await opened(browser, workspace, "as=U0LI&channel=C0DESK&lang=en")
    await page.get_by_test_id("composer").fill("@sopdesk 给 KL-778 补 80 美元")
    await page.keyboard.press("Enter")
    message = await workspace.until(lambda: workspace.messages("C0DESK"))
    assert message[0].text == "<@U0BOT> 给 KL-778 补 80 美元"
    await client.chat_postMessage(channel="C0DESK", thread_ts=message[0].ts, text="收到")
    await page.get_by_test_id("thread-summary").click()
    await expect(page.get_by_test_id("thread-messages")).to_contain_text("收到")
    await page.get_by_test_id("thread-composer").fill("/sop facts")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert").filter(has_text="not supported in threads")).to_be_visible()
    await page.close()


async def test_a_click_reaches_the_bot(browser: Browser, workspace: Workspace, client: AsyncWebClient) -> None:
    """A button press is a block_actions delivery; a bot that does not answer is told to the person."""
    await client.chat_postMessage(channel="C0SUP", text="card", blocks=card())
    page = await opened(browser, workspace, "as=U0WANG&channel=C0SUP&lang=en")
    await page.get_by_role("button", name="批准 80.00 USD").click()
    pressed = await workspace.until(lambda: [d for d in workspace.deliveries if d.kind == "interactive"])
    assert pressed[0].payload["actions"][0]["action_id"] == "approve"
    await expect(page.locator(".toast")).to_contain_text("did not respond")
    await page.get_by_role("button", name="More options").click()
    await page.get_by_role("menuitem", name="问申请人…").click()
    picked = await workspace.until(lambda: [d for d in workspace.deliveries if d.kind == "interactive"][1:])
    assert picked[0].payload["actions"][0]["selected_option"]["value"] == "ask"
    await page.close()


async def test_a_form_shows_errors_under_its_fields(
    browser: Browser, workspace: Workspace, client: AsyncWebClient
) -> None:
    """An empty required field is complained about in place; the page keeps what was typed."""
    await client.views_open(trigger_id=workspace.world.new_trigger("U0WANG"), view=FORM)
    page = await opened(browser, workspace, "as=U0WANG&channel=C0SUP&lang=en")
    await page.get_by_role("button", name="驳回").click()
    await expect(page.locator(".field-error")).to_have_text("Please complete this required field.")
    await page.get_by_label("原因").fill("证据不足")
    await page.get_by_role("button", name="驳回").click()
    await expect(page.locator(".form-error")).to_contain_text("trouble connecting")
    await expect(page.get_by_label("原因")).to_have_value("证据不足")
    await page.close()


async def test_the_switcher_changes_the_person(
    browser: Browser, workspace: Workspace, client: AsyncWebClient
) -> None:
    """Each person sees their own channels and private messages."""
    await client.chat_postEphemeral(channel="C0DESK", user="U0LI", text="只给李")
    page = await opened(browser, workspace, "as=U0LI&channel=C0DESK&lang=zh")
    await expect(page.get_by_test_id("messages")).to_contain_text("仅自己可见")
    await page.get_by_test_id("person").select_option("U0WANG")
    await expect(page.locator("[data-channel=C0SUP]")).to_be_visible()
    await expect(page.get_by_test_id("messages")).not_to_contain_text("只给李")
    await page.close()
