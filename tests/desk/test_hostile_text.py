"""Words from outside stay words: nobody is pinged, no link is made, Slack takes the message."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from deploy.local.redis_server import RedisServer
from deploy.local.workspace import Message
from tests.desk.story import LI, SUPERVISORS, WANG, Story
from tests.parts.desk import LiveDesk, live_desk

PING = "<!channel> *免费* <https://x.example|点这里> @here `x` _y_ &lt;!here&gt;"
LONG = "长" * 4000
ODD = "a<b>&\u202e\u0000\u2028*_~`>"
_TOKENS = re.compile(r"<[^<>]*>")
_OURS = re.compile(r"<(?:@U0\w+|#C0\w+|!date\^[^<>]*|http://127\.0\.0\.1[^<>|]*\|[^<>]*)>")


@dataclass
class Hostile:
    """A desk whose back office knows orders of a nasty customer."""

    desk: LiveDesk
    directory: Path

    async def order(self, order: str, customer: str, product: str) -> str:
        """Give an order this customer and product."""
        await asyncio.to_thread(self._write, order, customer, product)
        return order

    def _write(self, order: str, customer: str, product: str) -> None:
        with closing(sqlite3.connect(self.directory / "backoffice.sqlite", timeout=10)) as connection, connection:
            changed = connection.execute(
                "UPDATE orders SET customer = ?, product = ? WHERE order_id = ?", (customer, product, order)
            )
            assert changed.rowcount == 1


@pytest.fixture
async def hostile(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[Hostile]:
    """The desk."""
    async with live_desk(redis_server.url, tmp_path) as running:
        yield Hostile(running, tmp_path)


@pytest.mark.parametrize("words", [PING, LONG, ODD], ids=["markup", "4000 characters", "odd signs"])
async def test_of_orders_and_customers(hostile: Hostile, words: str) -> None:
    """Product and customer of the order, in every message from the case card to the result."""
    desk = hostile.desk
    order = await hostile.order("KL-1001", words, words)
    story = await Story.open(desk, f"{order} 补 60 美元，导游迟到")
    await story.press(await story.asked("collect"), "积分")
    await story.asked("approval")
    await story.press(await story.case_card(), "已知信息")
    await story.told(LI, "60.00 USD")
    form = await story.form(await story.case_card(), "更正…")
    assert await story.submit(form, {}) is not None
    await story.reply_to(await story.say("@sopdesk trail"), "查订单")
    await desk.workspace.open_home(LI)
    await desk.workspace.until(lambda: desk.workspace.home(LI))
    await story.approve("60.00 USD")
    await story.done()
    await story.shown("approval/1", "已提交")
    harmless(desk)


@pytest.mark.parametrize("words", [PING, LONG], ids=["markup", "4000 characters"])
async def test_of_the_reason(hostile: Hostile, words: str) -> None:
    """The reason as the agent typed it, raw, and an approver's reason."""
    desk = hostile.desk
    story = await Story.open(desk, "KL-1001 补 60 积分")
    form = await story.form(await story.asked("collect"), "填表单…")
    errors = await story.submit(form, {"reason": words})
    if len(words) > 300:
        assert errors is not None
        assert await story.submit(form, {"reason": words[:300]}) is None
    card = await story.asked("approval")
    reject = await story.form(card, "驳回…", by=WANG)
    if await story.submit(reject, {"reason": words}, by=WANG) is not None:
        assert await story.submit(reject, {"reason": words[:300]}, by=WANG) is None
    await story.shown("approval/1/rejected")
    await story.asked("collect", 2)
    harmless(desk)


async def test_of_a_message(hostile: Hostile) -> None:
    """A first sentence of 4000 characters with markup, and an answer of the same kind, are worked on."""
    desk = hostile.desk
    story = await Story.open(desk, f"KL-1001 补 60 积分，{PING} {LONG}"[:4000])
    await story.say(f"{PING} {LONG}"[:4000])
    await story.reply_to(await story.say("@sopdesk facts"), "60.00 USD")
    harmless(desk)


def harmless(desk: LiveDesk) -> None:
    """No message of the bot mentions or links to anything that it does not mean to."""
    ws = desk.workspace
    shown: list[Message] = [each for channel in list(ws.world.channels) for each in ws.messages(channel) if each.bot]
    shown += ws.world.ephemerals
    assert [each for each in shown if each.channel in ("C0DESK", SUPERVISORS)]
    for message in shown:
        marked = [message.text, *texts(message.blocks)]
        assert [token for words in marked for token in _TOKENS.findall(words) if not _OURS.fullmatch(token)] == []
        for words in marked:
            assert "*免费*" not in words
            assert "\u202e" not in words


def texts(node: object) -> list[str]:
    """All strings under `text` keys."""
    if isinstance(node, dict):
        own = [value for key, value in node.items() if key == "text" and isinstance(value, str)]
        return own + [found for value in node.values() for found in texts(value)]
    if isinstance(node, list):
        return [found for value in node for found in texts(value)]
    return []
