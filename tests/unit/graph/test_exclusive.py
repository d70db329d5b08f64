"""One open case for each value: taken, moved and given back, with two workers, and broken off anywhere."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import get_args

import pytest

from graph.model import Event, Outcome
from graph.runner import Runner
from graph.store.claims import Claims
from tests.unit.graph.builders import LI, Desk, view, waits
from tests.unit.graph.tripwire import Crash, Mode, Tripwire, When


def opening(number: int) -> str:
    """What opens a case for one of the numbered orders; whether the amount is right does not matter here."""
    return f"KL-{number} 客人 CU{number - 996:06} 的 62 美元退款没到账"


async def say(desk: Desk, place: str, text: str) -> Outcome:
    """Words in one of the threads."""
    return await desk.advance(desk.event("message", LI, thread=f"{desk.thread}/{place}", text=text))


def pointed_to(outcome: Outcome) -> str:
    """The case that the stopped case of an outcome points to."""
    shown = view(outcome)
    assert shown.status == "stopped" and shown.stopped is not None
    return shown.stopped.instead


async def test_the_second_case_is_pointed_to_the_first(shared_desk: Desk) -> None:
    """In both languages, with the case's id; nothing is asked of the back office for it."""
    desk = shared_desk
    first = view(await say(desk, "one", opening(1111)))
    desk.forget_calls()
    second = await say(desk, "two", opening(1111))
    assert pointed_to(second) == first.case
    stopped = view(second).stopped
    assert stopped is not None and stopped.next is not None
    for words in (stopped.why.zh, stopped.why.en, stopped.next.zh, stopped.next.en):
        assert first.case in words
    assert "KL-1111" in stopped.why.zh and "KL-1111" in stopped.why.en
    assert desk.called() == []


async def test_of_two_workers_at_once_one_claims(shared_desk: Desk) -> None:
    """Each opens a case for the same order at the same time: one goes on, the other is pointed to it; again and again."""
    desk = shared_desk
    engine = dataclasses.replace(desk.engine, claims=Claims(desk.redis, desk.keys))
    runners = (desk.runner, Runner(engine, desk.saver, desk.cases, desk.audit))

    async def opened(runner: Runner, thread: str) -> Outcome:
        event = desk.event("message", LI, thread=thread, text=opening(1112))
        async with desk.leases.hold(thread) as lease:
            return await runner.advance(event, lease.fence)

    for turn in range(5):
        threads = (f"{desk.thread}/{turn}.1", f"{desk.thread}/{turn}.2")
        found = await asyncio.gather(*(opened(each, thread) for each, thread in zip(runners, threads, strict=True)))
        [going] = [view(each) for each in found if view(each).status == "waiting"]
        [stopped] = [each for each in found if view(each).status == "stopped"]
        assert pointed_to(stopped) == going.case
        await desk.advance(desk.event("cancel", LI, thread=going.thread, reason="again"))


async def test_it_is_taken_when_the_fact_is_set(shared_desk: Desk) -> None:
    """The order is told, the rest is still asked for: that is enough. Whoever tells it second is asked nothing more."""
    desk = shared_desk
    first = await say(desk, "one", "KL-1113 退款没到账")
    assert waits(first)[:2] == ("ask", "opening")
    second = await say(desk, "two", "退款没到账")
    assert waits(second)[:2] == ("ask", "opening")
    told = await say(desk, "two", "KL-1113")
    assert pointed_to(told) == view(first).case
    [asked] = view(told).requests
    assert asked.closed is not None and asked.closed.ending == "answered"


async def test_a_correction_moves_it(shared_desk: Desk) -> None:
    """What the case is about now is taken, what it was about is free."""
    desk = shared_desk
    first = view(await say(desk, "one", opening(1114)))
    corrected = desk.event("correct", LI, thread=first.thread, values={"order_id": "KL-1115"})
    moved = view(await desk.advance(corrected))
    assert (moved.status, moved.order) == ("waiting", "KL-1115")
    assert pointed_to(await say(desk, "two", opening(1115))) == first.case
    assert view(await say(desk, "three", opening(1114))).status == "waiting"


@pytest.mark.parametrize("end", ["cancelled", "done"])
async def test_it_is_free_once_the_case_is_over(shared_desk: Desk, end: str) -> None:
    """Cancelled or done; a new case may be opened."""
    desk = shared_desk
    number = 1116 if end == "done" else 1117
    waiting = await say(desk, "one", opening(number))
    assert waits(waiting)[:2] == ("approve", "need_review")
    if end == "cancelled":
        await desk.advance(desk.event("cancel", LI, thread=waiting.thread, reason="客人不等了"))
    else:
        await desk.decide(waiting, "reject", reason="另走线下")
    assert view(await say(desk, "two", opening(number))).status == "waiting"


@pytest.mark.parametrize("mode", ["error", "kill"])
async def test_broken_off_at_any_call_one_case_has_it(desk: Desk, mode: Mode) -> None:
    """Opening and cancelling fail at each call in turn and are done again; the order is never anybody else's meanwhile,
    and free in the end."""
    wire = Tripwire(desk)
    for when in get_args(When):
        swept = 0
        while await broken_off(desk, wire, swept + 1, when, mode):
            swept += 1
        assert 3 < swept < 40
    wire.revive()
    assert await desk.redis.keys(f"{desk.keys.claim('')}*") == []


async def broken_off(desk: Desk, wire: Tripwire, at: int, when: When, mode: Mode) -> bool:
    """A case that is opened and cancelled, each broken off at its `at`-th call; whether there was such a call."""
    tripped, thread = False, f"T1:C{when}:{at}"
    for event in (
        desk.event("message", LI, thread=thread, text=opening(1001)),
        desk.event("cancel", LI, thread=thread, reason="算了"),
    ):
        wire.revive()
        wire.arm(at, when, mode)
        try:
            outcome = await desk.advance(event)
        except Crash:
            tripped = True
            wire.revive()
            outcome = await desk.advance(event)
        wire.revive()
        assert view(outcome).status == ("waiting" if event.kind == "message" else "cancelled")
        if event.kind == "message":
            assert pointed_to(await say(desk, f"{when}{at}", opening(1001))) == view(outcome).case
    return tripped


async def broken_off_after_its_claim(desk: Desk, event: Event, *, given_up: bool, at: str = "take") -> None:
    """The event fails once it has claimed; it is tried no more."""
    wire = Tripwire(desk)
    wire.arm(at, "after", "kill")
    with pytest.raises(Crash):
        await desk.advance(event)
    wire.revive()
    if given_up:
        async with desk.leases.hold(event.thread) as lease:
            await desk.cases.give_up(event.thread, lease.fence)


async def test_what_a_given_up_opening_had_claimed_is_free(desk: Desk) -> None:
    """No case came of it, and nobody is pointed to one."""
    event = desk.event("message", LI, thread=f"{desk.thread}/one", text=opening(1111))
    await broken_off_after_its_claim(desk, event, given_up=True)
    assert view(await say(desk, "two", opening(1111))).status == "waiting"


async def test_what_a_given_up_correction_had_claimed_is_free(desk: Desk) -> None:
    """The case is still about the first order, and keeps that alone."""
    first = view(await say(desk, "one", opening(1114)))
    correct = desk.event("correct", LI, thread=first.thread, values={"order_id": "KL-1115"})
    await broken_off_after_its_claim(desk, correct, given_up=True)
    assert view(await say(desk, "two", opening(1115))).status == "waiting"
    assert pointed_to(await say(desk, "three", opening(1114))) == first.case


async def test_what_a_correction_has_claimed_that_is_in_the_checkpoint_stays(desk: Desk) -> None:
    """The turn was written and only its record was not: whoever sets its event aside leaves it."""
    first = view(await say(desk, "one", opening(1114)))
    correct = desk.event("correct", LI, thread=first.thread, values={"order_id": "KL-1115"})
    await broken_off_after_its_claim(desk, correct, given_up=True, at="aput")
    assert pointed_to(await say(desk, "two", opening(1115))) == first.case
    assert view(await desk.advance(correct)).order == "KL-1115"
    assert view(await say(desk, "three", opening(1114))).status == "waiting"


async def test_an_old_claim_of_a_case_that_still_waits_its_turn_binds_nobody(desk: Desk) -> None:
    """Its beginning broke off and is not tried again: nobody can go on with it."""
    thread = f"{desk.thread}/one"
    await say(desk, "one", opening(1111))
    by = {"by": LI.id, "of": "second"}
    await desk.advance(desk.event("queue", LI, thread=thread, text=opening(1112), values=by))
    ended = await desk.advance(desk.event("cancel", LI, thread=thread, reason="不办了"))
    [start] = ended.follow
    await broken_off_after_its_claim(desk, start, given_up=False)
    for key in await desk.redis.keys(f"{desk.keys.claim('')}*"):
        await desk.redis.hincrby(key, "at", -3601)
    assert view(await say(desk, "two", opening(1112))).status == "waiting"
