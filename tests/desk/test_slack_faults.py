"""Slack answers badly, or not at all."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from deploy.local.backoffice import Fault
from deploy.local.redis_server import RedisServer
from deploy.local.workspace import Seed
from tests.desk.story import DESK, LI, SUPERVISORS, WANG, Story, notice_of
from tests.parts.desk import PATIENCE, LiveDesk, live_desk


@pytest.mark.parametrize("status", [500, None], ids=["error 500", "connection cut"])
async def test_a_post_that_seemed_to_fail_is_not_repeated(desk: LiveDesk, order: str, status: int | None) -> None:
    """The approval card stands in the channel though the client saw an error: it is not posted twice, and counts."""
    desk.workspace.faults.fail_after("chat.postMessage", 1, status, channel=SUPERVISORS)
    story = await Story.open(desk, f"给 {order} 补 60 积分，商户漏发接送")
    await story.approve("60.00 USD")
    await story.done()
    await story.shown("approval/1", "已批准 60.00 USD")
    cards = [each for each in desk.workspace.messages(SUPERVISORS) if order in desk.workspace.text(each)]
    assert len(cards) == 1
    assert await story.payouts(order) == [{"credit": "60"}]


async def test_the_case_card_that_seemed_to_fail(desk: LiveDesk, order: str) -> None:
    """The same for the thread: one case card, and the next steps happen."""
    desk.workspace.faults.fail_after("chat.postMessage", 1, 500, channel=DESK)
    story = await Story.open(desk, f"给 {order} 补 20 积分，商户漏发接送")
    await story.done()
    await story.card("已完成")
    assert len(story.notices("card")) == 1
    assert sum("20.00 USD" in desk.workspace.text(each) for each in story.replies() if "已完成" in each.text) <= 1


async def test_a_rate_limit_keeps_the_order(desk: LiveDesk, order: str) -> None:
    """Answered 429 with Retry-After, the bot loses nothing and posts in order."""
    desk.workspace.faults.rate_limit("chat.postMessage", calls=2, retry_after=1, channel=DESK)
    story = await Story.open(desk, f"给 {order} 补 20 积分，商户漏发接送")
    await story.done()
    asked = [await story.say(f"@sopdesk {word}") for word in ("facts", "help", "trail")]
    for ts in asked:
        await story.reply_to(ts)
    said = [f"msg:T0LOCAL:{DESK}:{ts}/0" for ts in asked]
    assert [notice_of(each) for each in story.replies()] == [f"{story.case}/card", f"{story.case}/result", *said]


async def test_the_network_is_gone_for_a_while(desk: LiveDesk, order: str) -> None:
    """What people did meanwhile is worked off when the bot has reconnected by itself; what it had to say is said."""
    ws = desk.workspace
    story = await Story.open(desk, f"给 {order} 补 20 美元，商户漏发接送")
    await story.asked("collect")
    await ws.offline()
    await story.say("积分")
    await ws.until(lambda: ws.sockets.connections == 0, PATIENCE)
    await ws.online()
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_the_network_goes_while_money_moves(desk: LiveDesk, order: str) -> None:
    """What was done while Slack could not be reached is shown when it can be again, and was done once."""
    ws = desk.workspace
    story = await Story.open(desk, f"给 {order} 补 60 积分，商户漏发接送")
    await story.asked("approval")
    desk.backoffice.faults.add(Fault(mode="slow", path_prefix="/compensations", method="POST", seconds=0.5))
    before = len(desk.backoffice.calls)
    await story.approve("60.00 USD")
    async with asyncio.timeout(PATIENCE):
        await desk.backoffice.until_called(before + 1)
        await ws.offline()
        # The note is the last call: what comes after it is for Slack.
        await desk.backoffice.until_called(before + 2)
    await ws.online()
    await story.done()
    await story.card("已完成")
    await story.shown("approval/1", "已提交")
    assert await story.payouts(order) == [{"credit": "60"}]


async def test_slack_asks_for_a_new_connection(desk: LiveDesk, order: str) -> None:
    """A refresh of the socket, as Slack does every few hours, loses nothing."""
    story = await Story.open(desk, f"给 {order} 补 20 美元，商户漏发接送")
    await story.asked("collect")
    await desk.workspace.disconnect()
    await story.say("积分")
    await story.done()


async def test_a_form_whose_trigger_has_expired(desk: LiveDesk, order: str) -> None:
    """When the form cannot be opened any more, whoever pressed is told to press again."""
    story = await Story.open(desk, f"给 {order} 补 20 美元，商户漏发接送")
    ask = await story.asked("collect")
    desk.workspace.faults.refuse("views.open", "expired_trigger_id")
    await story.press(ask, "填表单…")
    await story.told(LI, "现在打不开，请再点一次")
    assert desk.workspace.views(LI) == []


async def test_slow_work_is_acknowledged(desk: LiveDesk, order: str) -> None:
    """A click that takes longer than a few seconds is told that it was received (law 9)."""
    story = await Story.open(desk, f"给 {order} 补 60 积分，商户漏发接送")
    card = await story.asked("approval")
    # Two time limits of a second, and nearly one more.
    for path, seconds in (("/compensations", 10), ("/compensations", 0.9), (f"/orders/{order}/notes", 10)):
        desk.backoffice.faults.add(Fault(mode="slow", path_prefix=path, method="POST", seconds=seconds))
    pressed = datetime.now().astimezone()
    await story.press(card, "批准 60.00 USD", by=WANG)
    await story.told(WANG, "收到，处理中", SUPERVISORS)
    assert (datetime.now().astimezone() - pressed).total_seconds() < 4
    await story.done()


@pytest.mark.parametrize("how", ["missing", "private", "uninvited"])
async def test_the_approvers_channel_cannot_be_posted_to(
    redis_server: RedisServer, tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It is named at start; the request stands in the thread, says so, and can be decided there."""
    seed = Seed()
    channel = next(each for each in seed.channels if each.id == SUPERVISORS)
    if how == "missing":
        seed.channels.remove(channel)
    else:
        channel.members.discard("U0BOT")
        channel.is_private = how == "private"
    async with live_desk(redis_server.url, tmp_path, seed=seed) as desk:
        assert "approvals-supervisor" in caplog.text
        assert "supervisor" in caplog.text
        story = await Story.open(desk, "给 KL-778 补 60 积分，商户漏发接送")
        await story.answered("approvals-supervisor")
        card = await story.asked("approval")
        assert card.channel == DESK
        assert card.thread_ts == story.thread
        await story.approve("60.00 USD")
        await story.done()
        assert await story.payouts("KL-778") == [{"credit": "60"}]
