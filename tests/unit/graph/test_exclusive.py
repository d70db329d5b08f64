"""One open case for each value: taken, moved and given back, with two workers, and broken off anywhere."""

from __future__ import annotations

import asyncio
import dataclasses

import pytest

from graph.model import Outcome
from graph.runner import Runner
from graph.store.claims import Claims
from tests.unit.graph.builders import LI, Desk, view, waits
from tests.unit.graph.tripwire import Crash, Mode, Tripwire, When

OPENING = "KL-1001 客人 CU000005 的 62 美元退款没到账"
OTHER = "KL-1002 客人 CU000006 的 77 美元退款没到账"
ONE, TWO = "T1:C1:1.0", "T1:C1:2.0"


async def say(desk: Desk, thread: str, text: str) -> Outcome:
    """Words in one of the threads."""
    return await desk.advance(desk.event("message", LI, thread=thread, text=text))


def pointed_to(outcome: Outcome) -> str:
    """The case that the stopped case of an outcome points to."""
    shown = view(outcome)
    assert shown.status == "stopped" and shown.stopped is not None
    return shown.stopped.instead


async def test_the_second_case_is_pointed_to_the_first(desk: Desk) -> None:
    """In both languages, with the case's id; nothing is asked of the back office for it."""
    first = view(await say(desk, ONE, OPENING))
    desk.forget_calls()
    second = await say(desk, TWO, OPENING)
    assert pointed_to(second) == first.case
    stopped = view(second).stopped
    assert stopped is not None and stopped.next is not None
    for words in (stopped.why.zh, stopped.why.en, stopped.next.zh, stopped.next.en):
        assert first.case in words
    assert "KL-1001" in stopped.why.zh and "KL-1001" in stopped.why.en
    assert desk.called() == []


async def test_of_two_workers_at_once_one_claims(desk: Desk) -> None:
    """Each opens a case for the same order at the same time: one goes on, the other is pointed to it; again and again."""
    engine = dataclasses.replace(desk.engine, claims=Claims(desk.redis, desk.keys))
    runners = (desk.runner, Runner(engine, desk.saver, desk.cases, desk.audit))

    async def opened(runner: Runner, thread: str) -> Outcome:
        event = desk.event("message", LI, thread=thread, text=OPENING)
        async with desk.leases.hold(thread) as lease:
            return await runner.advance(event, lease.fence)

    for turn in range(5):
        threads = (f"T1:C1:{turn}.1", f"T1:C1:{turn}.2")
        found = await asyncio.gather(*(opened(each, thread) for each, thread in zip(runners, threads, strict=True)))
        [going] = [view(each) for each in found if view(each).status == "waiting"]
        [stopped] = [each for each in found if view(each).status == "stopped"]
        assert pointed_to(stopped) == going.case
        await desk.advance(desk.event("cancel", LI, thread=going.thread, reason="again"))


async def test_it_is_taken_when_the_fact_is_set(desk: Desk) -> None:
    """The order is told, the rest is still asked for: that is enough. Whoever tells it second is asked nothing more."""
    first = await say(desk, ONE, "KL-1001 退款没到账")
    assert waits(first)[:2] == ("ask", "opening")
    second = await say(desk, TWO, "退款没到账")
    assert waits(second)[:2] == ("ask", "opening")
    told = await say(desk, TWO, "KL-1001")
    assert pointed_to(told) == view(first).case
    [asked] = view(told).requests
    assert asked.closed is not None and asked.closed.ending == "answered"


async def test_a_correction_moves_it(desk: Desk) -> None:
    """What the case is about now is taken, what it was about is free."""
    first = view(await say(desk, ONE, OPENING))
    corrected = {"order_id": "KL-1002", "user_id": "CU000006", "amount": "77"}
    moved = view(await desk.advance(desk.event("correct", LI, thread=ONE, values=corrected)))
    assert (moved.status, moved.order) == ("waiting", "KL-1002")
    assert pointed_to(await say(desk, TWO, OTHER)) == first.case
    assert view(await say(desk, "T1:C1:3.0", OPENING)).status == "waiting"


@pytest.mark.parametrize("end", ["cancelled", "done"])
async def test_it_is_free_once_the_case_is_over(desk: Desk, end: str) -> None:
    """Cancelled or done; a new case may be opened."""
    waiting = await say(desk, ONE, "KL-1006 客人 CU000010 的 144 美元退款没到账")
    if end == "cancelled":
        await desk.advance(desk.event("cancel", LI, thread=ONE, reason="客人不等了"))
    else:
        await desk.decide(waiting, "reject", reason="另走线下")
    assert view(await say(desk, ONE, "KL-1006 客人 CU000010 的 144 美元退款没到账")).status == "waiting"


@pytest.mark.parametrize("mode", ["error", "kill"])
@pytest.mark.parametrize("when", ["before", "after"])
async def test_broken_off_at_any_call_one_case_has_it(desk: Desk, when: When, mode: Mode) -> None:
    """Opening and cancelling fail at each call in turn and are done again; the order is never anybody else's meanwhile,
    and free in the end."""
    wire, swept = Tripwire(desk), 0
    for at in range(1, 40):
        tripped = False
        thread = f"T1:C{when}{mode}:{at}"
        for event in (
            desk.event("message", LI, thread=thread, text=OPENING),
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
            assert view(outcome).status == ("waiting" if event.kind == "message" else "cancelled")
            if event.kind == "message":
                wire.revive()
                assert pointed_to(await say(desk, f"{thread}x", OPENING)) == view(outcome).case
        swept += tripped
        if not tripped:
            break
    assert 3 < swept < 39
    wire.revive()
    assert await desk.redis.keys(f"{desk.keys.claim('')}*") == []
