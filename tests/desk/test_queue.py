"""Requests that wait their turn, and those that get a thread of their own, as people see them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from deploy.local.workspace import Message
from tests.desk.story import DESK, Story
from tests.parts.desk import PATIENCE, LiveDesk


@pytest.fixture
def other(paid_orders: Iterator[str]) -> str:
    """A second order of the test's own."""
    return next(paid_orders)


async def queued_behind(story: Story) -> Story:
    """The case that the cards say waits behind this one."""

    def found() -> str | None:
        cards = {name.partition("/")[0]: each for name, each in story.desk.notices().items() if name.endswith("/card")}
        words = (f"behind {story.case}", f"在 {story.case} 之后")
        return next((case for case, card in cards.items() if any(each in story.ws.text(card) for each in words)), None)

    case = await story.ws.until(found, PATIENCE)
    assert case is not None
    return Story(story.desk, story.thread, case=case)


async def test_two_requests_in_one_sentence(desk: LiveDesk, order: str, other: str) -> None:
    """Both have a card at once; the second begins by itself when the first ends, also after a restart."""
    ts = await desk.workspace.say("U0LI", DESK, f"@sopdesk {order} 补 20 美元，导游迟到，另外 {other} 补 20 积分，导游迟到")
    first = Story(desk, ts)
    asked = await desk.workspace.until(lambda: asking(first), PATIENCE)
    first.case = asked.partition("/")[0]
    behind = await queued_behind(first)
    await behind.card("排队")
    await desk.restart()
    await first.say("积分")
    await first.done()
    await behind.done()
    assert await first.payouts(order) == await first.payouts(other) == [{"credit": "20"}]


def asking(story: Story) -> str:
    """The question that the thread shows, by its id."""
    ours = [name for name, each in story.desk.notices().items() if each.thread_ts == story.thread]
    return next((name for name in ours if name.endswith("/collect/1")), "")


async def offered(desk: LiveDesk, order: str, other: str) -> tuple[Story, Message]:
    """A case that waits for an answer, and the question where another request belongs."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    said = await story.say(f"{other} 补 20 积分，导游迟到")
    return story, await story.reply_to(said, "排在它后面，还是另开一帖")


async def test_another_request_waits_behind_the_open_case(desk: LiveDesk, order: str, other: str) -> None:
    """By the first button; it is cancelled from its own card, and the open case goes on as before."""
    story, question = await offered(desk, order, other)
    await story.press(question, "排在后面")
    behind = await queued_behind(story)
    form = await behind.menu_form(await behind.case_card(), "取消工单…")
    assert await behind.submit(form, {"reason": "客人不要了"}) is None
    await behind.card("已取消")
    await story.say("积分")
    await story.done()
    assert (await story.payouts(order), await story.payouts(other)) == ([{"credit": "20"}], [])


async def test_another_request_in_a_thread_of_its_own(desk: LiveDesk, order: str, other: str) -> None:
    """By the second button, pressed twice: one new thread, whose case runs beside the open one."""
    story, question = await offered(desk, order, other)
    await story.press(question, "另开一帖")
    await story.press(question, "另开一帖")
    _, head = await desk.posted(rf"apart:msg:T0LOCAL:{DESK}:.*")
    apart = Story(desk, head.ts)
    await apart.opened()
    await apart.done()
    assert (head.thread_ts in (None, head.ts), await story.payouts(other)) == (True, [{"credit": "20"}])
    assert (await story.open_request()).open


async def test_both_orders_in_turn(desk: LiveDesk, order: str, other: str) -> None:
    """Where a sentence names two orders, the button carries both out, one after the other."""
    story = await Story.open(desk, f"{order} 和 {other} 都补 20 积分，导游迟到")
    await story.press(await story.asked("load_order"), "两单都办")
    behind = await queued_or_done(story)
    await story.done()
    await behind.done()
    assert await story.payouts(order) == await story.payouts(other) == [{"credit": "20"}]


async def queued_or_done(story: Story) -> Story:
    """The other case of the thread."""

    def found() -> str | None:
        there = story.desk.notices().items()
        ours = [name.partition("/")[0] for name, each in there if each.thread_ts == story.thread and name.endswith("/card")]
        return next((case for case in ours if case != story.case), None)

    case = await story.ws.until(found, PATIENCE)
    assert case is not None
    return Story(story.desk, story.thread, case=case)
