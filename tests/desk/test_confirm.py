"""A procedure of the test's own with a confirm step."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from deploy.local.backoffice import Fault
from deploy.local.redis_server import RedisServer
from tests.desk.procedures import with_step
from tests.desk.story import CHEN, EMMA, Story
from tests.parts.desk import LiveDesk, live_desk

CONFIRMED = """
  - id: sure
    kind: confirm
    fields: [order_id, amount, comp_type]
    on_no: {goto: collect, reset: [amount, comp_type]}
"""


@pytest.fixture(scope="module")
def procedures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped files, with a confirmation before the approval."""
    return with_step(tmp_path_factory.mktemp("sops"), "approval", CONFIRMED)


@pytest_asyncio.fixture(scope="module")
async def desk(
    redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory, procedures: Path
) -> AsyncIterator[LiveDesk]:
    """A desk that works by them."""
    async with live_desk(redis_server.url, tmp_path_factory.mktemp("desk"), sops=procedures) as running:
        yield running


async def test_the_button_confirms(desk: LiveDesk, order: str) -> None:
    """The card shows amount, way, customer and order; its button goes on, and the card says who confirmed."""
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    card = await story.asked("sure")
    said = desk.workspace.text(card)
    assert "20.00 USD" in said
    assert order in said
    assert "对吗？" in said
    assert "等坐席确认" in await story.card("等坐席确认")
    await story.press(card, "对，继续")
    await story.done()
    closed = await story.shown("sure/1", "已确认")
    assert desk.workspace.buttons(closed) == []
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_a_typed_yes_confirms(desk: LiveDesk, order: str) -> None:
    """So does a yes in words."""
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    await story.asked("sure")
    await story.say("对")
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_yes_and_no_in_one_sentence(desk: LiveDesk, order: str) -> None:
    """A sentence that says both does not confirm."""
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    await story.asked("sure")
    await story.say("对，不过先不要付")
    await story.shown(r"collect/\d|sure/2")
    assert await story.payouts(order) == []


async def test_a_no_goes_back(desk: LiveDesk, order: str) -> None:
    """A no asks again for what the procedure forgets."""
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    await story.asked("sure")
    await story.say("不对")
    again = await story.asked("collect")
    assert "金额" in desk.workspace.text(again)
    assert await story.payouts(order) == []


async def test_another_amount_corrects(desk: LiveDesk, order: str) -> None:
    """Any other value is a correction: the card is shown anew with it."""
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    await story.asked("sure")
    await story.say("改成 25 美元")
    again = await story.asked("sure", 2)
    assert "25.00 USD" in desk.workspace.text(again)
    assert desk.workspace.buttons(await story.shown("sure/1")) == []
    await story.press(again, "对，继续")
    await story.done()
    assert await story.payouts(order) == [{"credit": "25"}]


async def test_somebody_else_does_not_confirm(desk: LiveDesk, order: str) -> None:
    """Neither by button nor by word."""
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    card = await story.asked("sure")
    await story.press(card, "对，继续", by=CHEN)
    await story.told(CHEN, "只有李或组长可以操作")
    await story.say("yes", by=EMMA)
    await story.told(EMMA, "Only 李 or a lead can do this")
    assert (await story.open_request()).id == f"{story.case}/sure/1"
    assert await story.payouts(order) == []


async def test_a_yes_said_before_the_question(desk: LiveDesk, order: str) -> None:
    """A yes that was sent before the card stood there is not counted, and that is said."""
    ws = desk.workspace
    desk.backoffice.faults.add(Fault(mode="slow", path_prefix=f"/orders/{order}", seconds=1.0))
    ts = await ws.say("U0LI", "C0DESK", f"@sopdesk 给 {order} 补 20 积分，导游迟到")
    early = await ws.say("U0LI", "C0DESK", "对", ts)
    story = Story(desk, ts)
    await story.opened()
    await story.asked("sure")
    await story.reply_to(early, "没有计入")
    assert (await story.open_request()).id == f"{story.case}/sure/1"
    assert await story.payouts(order) == []


async def test_a_double_click_confirms_once(desk: LiveDesk, order: str) -> None:
    """The second click on Go on does not approve what comes after."""
    story = await Story.open(desk, f"给 {order} 补 60 积分，导游迟到")
    card = await story.asked("sure")
    await asyncio.gather(story.press(card, "对，继续"), story.press(card, "对，继续"))
    await story.asked("approval")
    await story.reply_to(await story.say("@sopdesk facts"), "60.00 USD")
    assert (await story.open_request()).id == f"{story.case}/approval/1"
    assert await story.payouts(order) == []
