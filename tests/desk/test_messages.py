"""What Slack sends besides plain replies, and what it sends twice."""

from __future__ import annotations

import asyncio

from deploy.local.backoffice import Fault
from tests.desk.story import DESK, LI, Story, notice_of, payouts
from tests.parts.desk import LiveDesk


async def test_the_text_with_a_screenshot_is_the_answer(desk: LiveDesk, order: str) -> None:
    """A reply that carries a file (file_share) answers what is asked."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    await story.say("积分", files=True)
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_a_reply_sent_to_the_channel_as_well_is_the_answer(desk: LiveDesk, order: str) -> None:
    """A reply that is broadcast (thread_broadcast) answers what is asked."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    await story.say("积分", broadcast=True)
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_an_unfurled_link_says_nothing(desk: LiveDesk, order: str) -> None:
    """When a link unfurls, or a reply changes its parent, nothing is said and nothing moves."""
    desk.workspace.faults.parent_changed = True
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到 https://example.com/票")
    await story.asked("collect")
    await desk.workspace.settled()
    before, request = len(story.replies()), await story.open_request()
    await desk.workspace.unfurl(DESK, story.thread)
    await desk.workspace.edit(LI, DESK, story.thread, f"@sopdesk {order} 补 30 积分，导游迟到")
    await desk.workspace.settled()
    # A sentence that comes later is answered, so what came before it was worked off.
    await story.reply_to(await story.say("@sopdesk facts"), "20.00 USD")
    assert len(story.replies()) == before + 1
    assert (await story.open_request()).id == request.id
    assert await payouts(desk, order) == []


async def test_one_mention_is_one_case(desk: LiveDesk, order: str) -> None:
    """A mention that comes as app_mention and as message, doubled and once more as a retry, opens one case."""
    ws = desk.workspace
    ws.faults.drop_acks(2)
    ws.faults.duplicate(4)
    before = len(desk.backoffice.calls)
    story = await Story.open(desk, f"{order} 补 20 积分，导游迟到")
    await ws.settled(15)
    await story.done()
    events = [each.payload["event"] for each in ws.deliveries if each.kind == "events_api"]
    assert sorted(each["type"] for each in events if each["ts"] == story.thread) == ["app_mention", "message"]
    assert [notice_of(each) for each in story.replies()] == [f"{story.case}/card", f"{story.case}/result"]
    assert [call.method for call in desk.calls_since(before)] == ["GET", "POST", "POST"]
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_a_second_message_waits_its_turn(desk: LiveDesk, order: str) -> None:
    """What is said while the first message is being worked on is handled after it, and both count."""
    ws = desk.workspace
    desk.backoffice.faults.add(Fault(mode="slow", path_prefix=f"/orders/{order}", seconds=1.0))
    before = len(desk.backoffice.calls)
    ts = await ws.say(LI, DESK, f"@sopdesk {order} 补 20 美元，导游迟到")
    async with asyncio.timeout(10):
        await desk.backoffice.until_called(before + 1)
    await ws.say(LI, DESK, "积分", ts)
    story = Story(desk, ts)
    await story.opened()
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]

