"""A procedure of the test's own with a second approval after the first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from deploy.local.redis_server import RedisServer
from tests.desk.procedures import with_step
from tests.desk.story import SUN, WANG, ZHAO, Story
from tests.parts.desk import LiveDesk, live_desk

SECOND = """
  - id: second
    kind: approve
    tiers: [{level: manager}]
"""


@pytest_asyncio.fixture(scope="module")
async def desk(redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveDesk]:
    """A desk where a manager approves after the supervisor."""
    procedures = with_step(tmp_path_factory.mktemp("sops"), "submit", SECOND)
    async with live_desk(redis_server.url, tmp_path_factory.mktemp("desk"), sops=procedures) as running:
        yield running


async def test_a_second_click_does_not_open_the_next_gate(desk: LiveDesk, order: str) -> None:
    """Two clicks on the first card, from one who may decide both, approve the first gate alone."""
    story = await Story.open(desk, f"给 {order} 补 60 积分，商户漏发接送")
    await asyncio.gather(story.approve("60.00 USD", by=ZHAO), story.approve("60.00 USD", by=ZHAO))
    second = await story.asked("second")
    await story.reply_to(await story.say("@sopdesk facts"), "60.00 USD")
    assert (await story.open_request()).id == f"{story.case}/second/1"
    assert await story.payouts(order) == []
    await story.press(second, "批准 60.00 USD", by=SUN)
    await story.done()
    assert await story.payouts(order) == [{"credit": "60"}]


async def test_a_lower_level_does_not_decide_the_next_gate(desk: LiveDesk, order: str) -> None:
    """The supervisor cannot open the manager's gate; from there up, Approve asks again before it counts."""
    story = await Story.open(desk, f"给 {order} 补 60 积分，商户漏发接送")
    await story.approve("60.00 USD")
    second = await story.asked("second")
    assert second.channel == "C0MGR"
    desk.workspace.world.channels["C0MGR"].members.add(WANG)
    await story.press(second, "批准 60.00 USD", by=WANG)
    await story.told(WANG, "须由名单内经理或以上批", "C0MGR")
    asks = {each.label: each.confirm for each in desk.workspace.buttons(second)}
    assert asks["批准 60.00 USD"]
    await story.press(second, "批准 60.00 USD", by=ZHAO)
    await story.done()
    assert await story.payouts(order) == [{"credit": "60"}]
