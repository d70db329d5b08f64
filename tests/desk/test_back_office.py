"""The back office is down, slow, talks nonsense, or pays and then says it failed."""

from __future__ import annotations

import pytest

from deploy.local.backoffice import Fault
from deploy.local.backoffice.faults import Mode
from tests.desk.story import CHEN, LI, WANG, Story
from tests.parts.desk import LiveDesk

FAILURES: tuple[Mode, ...] = ("down", "reset", "slow", "nonsense", "wrong_types")


@pytest.mark.parametrize("mode", FAILURES)
async def test_the_case_waits_and_goes_on_when_retried(desk: LiveDesk, order: str, mode: Mode) -> None:
    """Card and thread say that the back office is waited for; Retry asks again, and goes on once it is back."""
    failing(desk, mode, f"/orders/{order}")
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    hold = await story.asked("load_order")
    assert "后台没有回应" in desk.workspace.text(hold)
    assert "查订单" in desk.workspace.text(hold)
    assert "等后台恢复" in (await story.card("等后台恢复")).splitlines()[0]
    await story.press(hold, "重试")
    again = await story.asked("load_order", 2)
    assert desk.workspace.buttons(await story.shown("load_order/1", "")) == []
    desk.backoffice.faults.clear()
    await story.press(again, "重试")
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]
    assert desk.workspace.buttons(await story.asked("load_order", 2)) == []


@pytest.mark.parametrize("word", ["retry", "重试"])
async def test_retry_by_word(desk: LiveDesk, order: str, word: str) -> None:
    """`@bot retry` goes on as the button does."""
    failing(desk, "down", f"/orders/{order}")
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    await story.asked("load_order")
    desk.backoffice.faults.clear()
    await story.say(f"@sopdesk {word}")
    await story.done()


async def test_retry_from_the_case_card(desk: LiveDesk, order: str) -> None:
    """The case card has the button as well; somebody else's click is refused privately."""
    failing(desk, "down", f"/orders/{order}")
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    await story.asked("load_order")
    await story.card("等后台恢复")
    desk.backoffice.faults.clear()
    await story.press(await story.case_card(), "重试", by=CHEN)
    await story.told(CHEN, "只有李或组长可以操作")
    await story.press(await story.case_card(), "重试")
    await story.done()


async def test_it_resumes_by_itself(desk: LiveDesk, order: str) -> None:
    """When the time is up the step is tried again without anybody's doing."""
    failing(desk, "down", f"/orders/{order}")
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    await story.asked("load_order")
    desk.backoffice.faults.clear()
    await time_is_up(desk, story)
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_nothing_waits_for_the_back_office(desk: LiveDesk, order: str) -> None:
    """`retry` while something else is waited for is told so, and changes nothing."""
    story = await Story.open(desk, f"给 {order} 补 20 美元，导游迟到")
    await story.asked("collect")
    await story.say("@sopdesk retry")
    await story.told(LI, "没有在等后台")
    assert (await story.open_request()).kind == "ask"


@pytest.mark.parametrize("mode", ["error_after_commit", "nonsense", "slow", "reset"])
async def test_a_payment_whose_answer_is_lost_is_made_once(desk: LiveDesk, order: str, mode: Mode) -> None:
    """Paid, and then no usable answer, three times over: it is asked again under the same key, and paid once."""
    failing(desk, mode, "/compensations", method="POST")
    before = len(desk.backoffice.calls)
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    hold = await story.asked("submit")
    assert "后台没有回应" in desk.workspace.text(hold)
    await story.press(hold, "重试")
    second = await story.asked("submit", 2)
    desk.backoffice.faults.clear()
    await story.press(second, "重试")
    await story.done()
    posts = [call for call in desk.calls_since(before) if call.path == "/compensations"]
    assert len(posts) >= 3
    assert len({call.key for call in posts}) == 1
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_in_doubt_it_cannot_be_changed(desk: LiveDesk, order: str) -> None:
    """While a payment may have happened, neither cancel nor a new amount is taken; it is finished first (law 4)."""
    failing(desk, "error_after_commit", "/compensations", method="POST")
    story = await Story.open(desk, f"给 {order} 补 20 积分，导游迟到")
    hold = await story.asked("submit")
    await story.card("等后台恢复")
    await story.say("@sopdesk 取消")
    await story.told(LI, "提交还没有结果")
    form = await story.form(await story.case_card(), "更正…")
    told = len(desk.workspace.ephemerals(LI))
    assert await story.submit(form, {"amount": "30"}) is None
    await desk.workspace.until(lambda: len(desk.workspace.ephemerals(LI)) > told)
    desk.backoffice.faults.clear()
    await story.press(hold, "重试")
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_one_failure_is_not_noticed(desk: LiveDesk, order: str) -> None:
    """A single failure is tried again at once; nobody is bothered."""
    desk.backoffice.faults.add(Fault(mode="down", path_prefix=f"/orders/{order}", times=1))
    story = await Story.open(desk, f"给 {order} 补 60 积分，导游迟到")
    desk.backoffice.faults.add(Fault(mode="error_after_commit", path_prefix="/compensations", method="POST", times=1))
    await story.approve("60.00 USD", by=WANG)
    await story.done()
    assert story.notices("load_order/1|submit/1") == []
    assert await story.payouts(order) == [{"credit": "60"}]


def failing(desk: LiveDesk, mode: Mode, path: str, method: str | None = None) -> None:
    """Let every such request fail until the faults are cleared."""
    desk.backoffice.faults.add(Fault(mode=mode, path_prefix=path, method=method, times=None, seconds=10.0))


async def time_is_up(desk: LiveDesk, story: Story) -> None:
    """Let the case's timers be due now."""
    assert desk.service is not None
    parts = desk.service.parts
    waiting = await parts.redis.zrange(parts.keys.timers(), 0, -1)
    mine = [str(each) for each in waiting if story.case in str(each)]
    assert mine
    await parts.redis.zadd(parts.keys.timers(), dict.fromkeys(mine, 1))
    await parts.redis.lpush(parts.keys.alarm(), "1")
