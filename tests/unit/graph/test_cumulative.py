"""Amounts of the same order add up, over cases, over processes, and however a case ends."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.engine import Engine
from graph.model import Outcome, Stakes
from graph.runner import Runner
from graph.store.connect import connect
from graph.store.keys import Keys
from graph.store.lease import Leases
from graph.store.stakes import StakeBook
from tests.unit.graph.builders import KIM, WANG, ZHAO, Desk, view, waits
from tests.unit.graph.tripwire import Crash, Mode, Tripwire

NONE: list[str] = []
SUPERVISOR, MANAGER = ("approve", "approval", NONE, "supervisor"), ("approve", "approval", NONE, "manager")


@pytest_asyncio.fixture
async def second(desk: Desk, redis_server: RedisServer, keys: Keys) -> AsyncIterator[Desk]:
    """Another process on the same Redis and the same back office: an engine of its own, on its own connection."""
    redis: Redis = connect(redis_server.url)
    try:
        engine = Engine(desk.engine.library, desk.engine.door, None, desk.engine.readings, stakes=StakeBook(redis, keys))
        runner = Runner(engine, desk.saver, desk.cases, desk.audit)
        yield replace(desk, runner=runner, engine=engine, redis=redis, leases=Leases(redis, keys), thread="T1:C1:second")
    finally:
        await redis.aclose()


async def asks(desk: Desk, thread: str, amount: str, order: str = "KL-502") -> Outcome:
    """A new case in a thread of its own."""
    desk.thread = thread
    return await desk.say(f"给 {order} 补 {amount} 积分，客人包车迟到两小时")


async def stakes(desk: Desk, order: str = "KL-502") -> Stakes:
    """What is at stake of an order."""
    assert desk.engine.stakes is not None
    return await desk.engine.stakes.look("order_id", order)


async def test_splitting_does_not_avoid_the_manager(desk: Desk) -> None:
    """Of 900 in three parts the second and the third need the manager; another order does not."""
    first = await asks(desk, "a", "300")
    assert waits(first) == SUPERVISOR
    assert view(await desk.decide(first)).status == "done"
    second = await asks(desk, "b", "300")
    assert waits(second) == MANAGER
    assert view(await desk.decide(second, actor=ZHAO)).status == "done"
    third = await asks(desk, "c", "300")
    request = view(third).open_request()
    assert waits(third) == MANAGER and request is not None and request.beside is not None
    assert (request.beside.others.value, request.beside.total.value) == ("600", "900")
    assert waits(await asks(desk, "d", "300", "KL-1001")) == SUPERVISOR
    assert [(each.paid, each.receipt[:2]) for each in (await stakes(desk)).held] == [(True, "RA"), (True, "RA")]


async def test_small_parts_do_not_stay_automatic(desk: Desk) -> None:
    """Thirty is automatic, thirty more is not."""
    assert view(await asks(desk, "a", "30")).status == "done"
    assert waits(await asks(desk, "b", "30")) == SUPERVISOR
    assert view(await asks(desk, "c", "20")).status == "done"
    assert waits(await asks(desk, "d", "0.01")) == SUPERVISOR


async def test_of_two_open_cases_the_second_decision_is_passed_on(desk: Desk) -> None:
    """Both were asked of the supervisor; once the one is approved, the other belongs to the manager, with what the
    requester was asked."""
    one, two = await asks(desk, "a", "400"), await asks(desk, "b", "400")
    assert waits(one) == waits(two) == SUPERVISOR
    desk.thread = "a"
    assert view(await desk.decide(one)).status == "done"
    desk.thread = "b"
    await desk.advance(desk.event("inquire", WANG, request=view(two).waiting, text="有照片吗"))
    passed = await desk.decide(two, actor=KIM)
    assert waits(passed) == MANAGER
    open_, question = view(passed).open_request(), view(two).waiting
    assert open_ is not None
    assert [(each.question, each.request) for each in open_.inquiries] == [("有照片吗", question)]
    answered = view(await desk.say("有")).open_request()
    assert answered is not None
    assert (answered.id, [each.answer for each in answered.inquiries]) == (open_.id, ["有"])
    assert [each.code for each in passed.replies] == ["raised"]
    closed = view(passed).requests[0].closed
    assert closed is not None and (closed.ending, closed.name) == ("passed", "Kim")
    assert len(await desk.payouts()) == 1
    assert view(await desk.decide(passed, actor=ZHAO)).status == "done"
    assert len(await desk.payouts()) == 2


async def test_two_processes_at_the_same_moment_do_not_both_pass(desk: Desk, second: Desk) -> None:
    """Twelve times two decisions at once, in two cases of one order: one is paid, one is passed on."""
    for number in range(6):
        order = f"KL-{1001 + 3 * number}"
        one, two = await asks(desk, f"a{number}", "400", order), await asks(second, f"b{number}", "400", order)
        desk.thread, second.thread = f"a{number}", f"b{number}"
        ended = await asyncio.gather(desk.decide(one, actor=WANG), second.decide(two, actor=KIM))
        assert sorted(view(each).status for each in ended) == ["done", "waiting"], order
        assert [waits(each) for each in ended if view(each).status == "waiting"] == [MANAGER]
    for number in range(6):
        order = f"KL-{1002 + 3 * number}"
        both = await asyncio.gather(asks(desk, f"c{number}", "30", order), asks(second, f"d{number}", "30", order))
        if view(both[0]).stopped or view(both[1]).stopped:
            continue  # an order that may not be compensated at all
        assert sorted(view(each).status for each in both) == ["done", "waiting"], order


async def test_a_stake_ends_with_its_approval(desk: Desk, tmp_path: Path) -> None:
    """Rejected and cancelled cases leave nothing; one that the back office refuses after its approval gives it back."""
    rejected = await asks(desk, "a", "400")
    await desk.decide(rejected, "reject", reason="no")
    cancelled = await asks(desk, "b", "400")
    assert waits(cancelled) == SUPERVISOR
    await desk.advance(desk.event("cancel", reason="x"))
    assert (await stakes(desk)).held == []
    refused = await asks(desk, "c", "400")
    review(tmp_path, "review")
    assert view(await desk.decide(refused)).status == "stopped"
    assert (await stakes(desk)).held == []
    review(tmp_path, "pass")
    assert waits(await asks(desk, "d", "400")) == SUPERVISOR


def review(directory: Path, status: str) -> None:
    """Somebody at the back office puts the order under review, or takes it out."""
    with closing(sqlite3.connect(directory / "backoffice.sqlite")) as database, database:
        database.execute("UPDATE orders SET fraud_status = ? WHERE order_id = 'KL-502'", (status,))


async def test_an_approval_that_waits_for_the_back_office_keeps_its_stake(desk: Desk) -> None:
    """Approved and not yet paid counts for the next case."""
    waiting = await asks(desk, "a", "400")
    await desk.backoffice.stop()
    held = await desk.decide(waiting)
    request = view(held).open_request()
    assert request is not None and request.kind == "hold"
    assert [(each.amount, each.paid) for each in (await stakes(desk)).held] == [("400", False)]


@pytest.mark.parametrize("mode", ["kill", "error"])
@pytest.mark.parametrize("at", ["reserve", "once", "aput", "save"])
async def test_a_payment_that_broke_off_counts_as_much_as_any_other(desk: Desk, at: str, mode: Mode) -> None:
    """Delivered again it is paid and stays at stake: the next card of the order is the manager's."""
    first, second = await asks(desk, "a", "300"), await asks(desk, "b", "290")
    assert (waits(first), waits(second)) == (SUPERVISOR, SUPERVISOR)
    wire, decision = Tripwire(desk), desk.decision(first)
    wire.arm(at, "after", mode)
    with pytest.raises(Crash):
        await desk.advance(decision)
    wire.revive()
    assert view(await desk.advance(decision)).status == "done"
    assert [(stake.amount, stake.paid) for stake in (await stakes(desk)).held] == [("300", True)]
    assert waits(await desk.decide(second)) == MANAGER
    assert len(await desk.payouts()) == 1


async def test_what_a_turn_put_at_stake_that_never_came_to_its_end_is_given_back(desk: Desk) -> None:
    """A decision broke off once it had reserved and was given up; the case was corrected to another order."""
    waiting = await asks(desk, "a", "300")
    wire = Tripwire(desk)
    wire.arm("reserve", "after", "kill")
    with pytest.raises(Crash):
        await desk.decide(waiting)
    wire.revive()
    assert [stake.amount for stake in (await stakes(desk)).held] == ["300"]
    moved = await desk.advance(desk.event("correct", thread="a", values={"order_id": "KL-778"}))
    assert ((await stakes(desk)).held, waits(moved)) == ([], SUPERVISOR)
    assert view(await desk.decide(moved)).status == "done"
    assert [(stake.amount, stake.paid) for stake in (await stakes(desk, "KL-778")).held] == [("300", True)]
    assert view(await asks(desk, "b", "30")).status == "done"
    assert not [key async for key in desk.redis.scan_iter(match=f"{desk.keys.staked('')}*")]


async def test_what_a_given_up_opening_message_put_at_stake_is_given_back(desk: Desk) -> None:
    """It broke off before a case came of it, and no other event of its thread comes; put back, it reserves anew."""
    wire, desk.thread = Tripwire(desk), "a"
    wire.arm("reserve", "after", "kill")
    opening = desk.event("message", text="KL-778 补 30 积分，导游迟到")
    with pytest.raises(Crash):
        await desk.advance(opening)
    wire.revive()
    assert [stake.amount for stake in (await stakes(desk, "KL-778")).held] == ["30"]
    await given_up(desk, "a")
    assert (await stakes(desk, "KL-778")).held == []
    assert view(await desk.advance(opening)).status == "done"
    assert [(stake.amount, stake.paid) for stake in (await stakes(desk, "KL-778")).held] == [("30", True)]


@pytest.mark.parametrize("paid", [True, False])
async def test_a_given_up_event_leaves_only_the_stake_of_what_is_still_to_be_finished(desk: Desk, paid: bool) -> None:
    """That of a payment which was begun; the next turn settles it. What was only reserved is free."""
    waiting = await asks(desk, "a", "300")
    wire, decision = Tripwire(desk), desk.decision(waiting)
    wire.arm("once" if paid else "reserve", "after", "kill")
    with pytest.raises(Crash):
        await desk.advance(decision)
    wire.revive()
    await given_up(desk, "a")
    assert [stake.amount for stake in (await stakes(desk)).held] == (["300"] if paid else [])
    shown = view(await desk.advance(desk.event("cancel", thread="a")))
    assert shown.status == ("done" if paid else "cancelled")
    assert [(stake.amount, stake.paid) for stake in (await stakes(desk)).held] == ([("300", True)] if paid else [])


async def given_up(desk: Desk, thread: str) -> None:
    """An event of the thread is set aside."""
    async with desk.leases.hold(thread) as lease:
        await desk.cases.give_up(thread, lease.fence)
