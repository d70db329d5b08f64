"""Events that come late: put back by hand, or delivered after the thread has gone on to another case."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.notices import notices
from graph.model import Event, Outcome
from graph.opening import run_id_of
from tests.unit.graph.builders import T1, T6, Desk, begun_in, view, waits
from tests.unit.graph.tripwire import Crash, Tripwire

ASKS_AMOUNT = "KL-778 补积分，导游迟到"
SECOND = "KL-502 补积分，客人等了两小时"
LATE = ["30", "取消", "金额改成 30"]


async def waiting_for_an_amount(desk: Desk) -> Outcome:
    """The thread's second case, asking what its first asked."""
    outcome = await desk.say(SECOND)
    assert waits(outcome)[:2] == ("ask", "collect")
    return outcome


async def moved_nothing(desk: Desk, event: Event, waiting: Outcome) -> Outcome:
    """The event carried out, and the case that waits is as it was."""
    outcome = await desk.advance(event)
    found = await desk.runner.find(desk.thread)
    assert found == view(waiting)
    return outcome


@pytest.mark.parametrize("text", LATE[:2])
async def test_what_an_ended_case_has_used_moves_no_other(desk: Desk, text: str) -> None:
    """An answer and a cancel of the case before, put back: the answer is how that case ended, and nothing is paid."""
    await desk.say(ASKS_AMOUNT)
    used = desk.event("message", text=text)
    first = view(await desk.advance(used))
    assert first.status in ("done", "cancelled")
    waiting, paid = await waiting_for_an_amount(desk), len(await desk.payouts())
    again = await moved_nothing(desk, used.model_copy(update={"said_at": None}), waiting)
    assert (view(again).case, view(again).status, again.replies) == (first.case, first.status, [])
    assert len(await desk.payouts()) == paid


@pytest.mark.parametrize("text", LATE)
async def test_words_said_before_a_case_began_move_nothing_in_it(desk: Desk, text: str) -> None:
    """They were set aside before they were carried out, and the case they were said to has ended. Said again they count."""
    await desk.say(ASKS_AMOUNT)
    late = desk.event("message", text=text)
    await desk.say("取消")
    waiting = await waiting_for_an_amount(desk)
    refused = await moved_nothing(desk, late, waiting)
    assert [(each.code, each.values) for each in refused.replies] == [("said_earlier", {"case": view(waiting).case})]
    assert await desk.payouts() == []
    said = view(await desk.say(text))
    assert said.status == ("cancelled" if text == "取消" else "done")


async def test_words_said_to_the_case_before_are_none_for_one_that_waited_behind_it(desk: Desk) -> None:
    """A queued case was asked for before they were said, but began only afterwards."""
    await desk.say(ASKS_AMOUNT + "；另外 KL-1001 补积分，客人等了两小时")
    late = desk.event("message", text="30")
    [start] = (await desk.say("取消")).follow
    second = await desk.advance(start)
    assert waits(second)[:2] == ("ask", "collect")
    refused = await moved_nothing(desk, late, second)
    assert [each.code for each in refused.replies] == ["said_earlier"]
    assert view(await desk.say("30")).status == "done"


async def test_a_request_that_comes_late_is_asked_where_it_belongs(desk: Desk) -> None:
    """One for another order, said before the case began, is not lost."""
    late = desk.event("message", text=T1)
    waiting = await waiting_for_an_amount(desk)
    assert [each.code for each in (await moved_nothing(desk, late, waiting)).replies] == ["another"]


@pytest.mark.parametrize("beside", [True, False], ids=["beside another case", "alone"])
async def test_an_archived_case_is_not_begun_anew(desk: Desk, beside: bool) -> None:
    """Its opening message comes back when record and memory of it have gone."""
    opening = desk.event("message", text="KL-778 补 30 积分，导游迟到")
    first = view(await desk.advance(opening))
    if beside:
        await waiting_for_an_amount(desk)
    when = opening.at + timedelta(days=500)
    assert first.case in await desk.cases.archive(when, when)
    await desk.redis.delete(desk.keys.used(desk.thread))
    again = view(await desk.advance(opening))
    assert (again.case, again.status, len(await desk.payouts())) == (first.case, "done", 1)


async def test_a_case_with_a_long_id_is_not_begun_anew(desk: Desk) -> None:
    """Where another run has the short id, what came of an opening message is found under the longer one."""
    opening = desk.event("message", text="KL-778 补 30 积分，导游迟到")
    run = run_id_of(desk.thread, opening.id)
    short, _ = await desk.runner._records.new_case(("1" if run[0] == "0" else "0") + run[1:])
    first = view(await desk.advance(opening))
    assert first.case.startswith(short) and first.case != short
    await waiting_for_an_amount(desk)
    await desk.say("取消")
    await desk.redis.delete(desk.keys.used(desk.thread))
    await desk.advance(opening)
    assert await desk.runner.show(first.case) == first
    assert len(await desk.payouts()) == 1


async def test_a_payment_finished_by_another_event_is_told(desk: Desk) -> None:
    """The turn that began it was set aside, wherever it broke off; the next request in its thread has a case of its own,
    and the thread sees the first as it is now, once."""
    wire, told = Tripwire(desk), 0
    for at in range(1, 60):
        await desk.backoffice.reset()
        # What the case before has at stake would ask for an approval.
        async for key in desk.redis.scan_iter(match=f"{desk.keys.stake('')}*"):
            await desk.redis.delete(key)
        desk.thread = f"T{at}"
        wire.arm(at, "after", "kill")
        try:
            await desk.say(T6)
        except Crash:
            wire.revive()
        else:
            break
        if await begun_in(desk.redis, desk.keys, desk.thread) is None:
            continue
        outcome = await desk.say(SECOND)
        assert outcome.first is not None, at
        paid, then = view(outcome.first), view(outcome)
        assert (paid.status, paid.order, then.order) == ("done", "KL-778", "KL-502"), at
        ids = [each.id for each in notices(outcome)]
        assert len(ids) == len(set(ids))
        assert {f"{paid.case}/card", f"{paid.case}/result", f"{then.case}/card"} <= set(ids)
        assert (await desk.say("取消")).first is None
        told += 1
    assert told > 3
