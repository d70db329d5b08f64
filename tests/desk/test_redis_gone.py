"""The Redis that keeps everything dies and comes back."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from deploy.local.backoffice import Fault
from deploy.local.redis_server import RedisServer
from deploy.local.workspace import Delivery
from tests.desk.story import DESK, LI, Story
from tests.parts.desk import PATIENCE, LiveDesk, live_desk


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RedisServer]:
    """A Redis of the test's own, which loses nothing that it confirmed."""
    async with RedisServer(tmp_path / "redis", appendfsync="always") as started:
        yield started


async def test_nothing_is_acknowledged_that_is_not_stored(server: RedisServer, tmp_path: Path) -> None:
    """Without Redis a delivery is refused, so Slack sends it again; when Redis is back the bot recovers by itself."""
    async with live_desk(server.url, tmp_path, ack_timeout=1.0) as desk:
        story = await Story.open(desk, "给 KL-778 补 60 美元，商户漏发接送")
        await story.asked("collect")
        await desk.workspace.settled()
        server.kill()
        await story.say("积分")
        await desk.workspace.until(lambda: answer_delivery(desk).refusals, PATIENCE)
        assert not answer_delivery(desk).acked
        await server.start()
        if not answer_delivery(desk).finished:
            await desk.workspace.until(lambda: answer_delivery(desk).finished, PATIENCE)
        if not answer_delivery(desk).acked:
            # Slack has given up by then; the person says it again.
            await story.say("积分")
        await story.approve("60.00 USD")
        await story.done()
        assert await story.payouts("KL-778") == [{"credit": "60"}]


async def test_a_click_without_redis_is_not_lost_in_silence(server: RedisServer, tmp_path: Path) -> None:
    """Whoever clicks meanwhile is warned by Slack; the click can be made again afterwards and counts once."""
    async with live_desk(server.url, tmp_path, ack_timeout=1.0) as desk:
        story = await Story.open(desk, "给 KL-778 补 60 积分，商户漏发接送")
        await story.asked("approval")
        server.kill()
        receipt = await story.approve("60.00 USD")
        assert not receipt.acked
        await server.start()
        again = await story.approve("60.00 USD")
        assert again.acked
        await story.done()
        assert await story.payouts("KL-778") == [{"credit": "60"}]


async def test_redis_dies_between_payment_and_answer(
    server: RedisServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Redis dies while the payment is under way: after its return the case is finished, and paid once."""
    caplog.set_level(logging.INFO)
    async with live_desk(server.url, tmp_path, ack_timeout=1.0) as desk:
        desk.backoffice.faults.add(Fault(mode="slow", path_prefix="/compensations", method="POST", seconds=0.5))
        count = len(desk.backoffice.calls)
        ts = await desk.workspace.say(LI, DESK, "@sopdesk 给 KL-778 补 20 积分，导游迟到")
        await desk.backoffice.until_called(count + 2)
        server.kill()
        await server.start()
        story = Story(desk, ts)
        await story.opened()
        await story.done()
        assert await story.payouts("KL-778") == [{"credit": "20"}]
        sent = {call.key for call in desk.backoffice.calls if (call.method, call.path) == ("POST", "/compensations")}
        assert len(sent) == 1


def answer_delivery(desk: LiveDesk) -> Delivery:
    """The newest message that was sent to the bot."""
    return [each for each in desk.workspace.deliveries if each.kind == "events_api"][-1]
