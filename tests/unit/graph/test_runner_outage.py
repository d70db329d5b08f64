"""A back office that is down, slow or strange: the case waits, goes on by itself, and pays once."""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest
from pydantic import BaseModel

from deploy.local.backoffice import Fault
from graph.errors import ThreadBusy
from graph.model import Actor, Outcome, Timer
from graph.tools.calling import ToolDoor
from graph.tools.spec import Call, tool, tools_of
from tests.unit.graph.builders import ACCOUNT, CLOCK, LI, T1, T4, T6, TOOLS, WANG, ZHOU, Desk, library_with, view, waits


def code(outcome: Outcome) -> str:
    """The code of the only reply."""
    [reply] = outcome.replies
    return reply.code


async def ring(desk: Desk, timer: Timer) -> Outcome:
    """A clock of the case rings."""
    return await desk.advance(desk.event("timer", CLOCK, id=f"timer:{timer.id}", timer=timer.id))


@pytest.mark.parametrize("mode", ["down", "reset", "nonsense", "wrong_types"])
async def test_a_read_that_fails_holds_the_case(desk: Desk, mode: str) -> None:
    """With a clock; what was said is kept, and the case can be cancelled or corrected meanwhile."""
    desk.backoffice.faults.add(Fault.model_validate({"mode": mode, "times": None}))
    held = await desk.say(T1)
    request = view(held).open_request()
    assert request is not None
    assert (waits(held)[:2], request.error) == (("hold", "load_order"), "down" if mode in ("down", "reset") else "nonsense")
    assert [timer.id for timer in held.timers] == [f"{view(held).waiting}/retry/1"]
    assert code(await desk.say("还在吗？我等着")) == "still_held"
    desk.backoffice.faults.clear()
    other = await desk.advance(desk.event("correct", values={"order_id": "KL-502"}))
    assert waits(other) == ("approve", "approval", [], "supervisor")


@pytest.mark.parametrize("how", ["timer", "word", "button"])
async def test_a_held_case_goes_on(desk: Desk, how: str) -> None:
    """By its clock, by "retry", by the button; a click on the old hold is stale."""
    desk.backoffice.faults.add(Fault(mode="down", times=6))
    first = await desk.say(T1)
    held = await ring(desk, first.timers[0])
    assert (view(held).waiting, view(held).trail) == (view(first).waiting, view(first).trail)
    assert held.timers != first.timers
    again = await desk.say("重试")
    assert waits(again)[:2] == ("hold", "load_order")
    assert view(again).waiting != view(held).waiting
    desk.engine.door = dataclasses.replace(desk.engine.door)  # another process, whose breaker has seen nothing
    if how == "timer":
        outcome = await ring(desk, again.timers[0])
    elif how == "word":
        outcome = await desk.say("重试")
    else:
        outcome = await desk.advance(desk.event("retry", request=view(again).waiting))
    assert waits(outcome) == ("ask", "bank_info", ["bank_account"], None)
    assert code(await desk.advance(desk.event("retry", request=view(held).waiting))) == "stale"


async def test_a_clock_of_a_request_that_no_longer_waits_is_passed_over(desk: Desk) -> None:
    """Nothing is said, nothing changes; also after the end, and where no case ever was."""
    desk.backoffice.faults.add(Fault(mode="down", times=2))
    held = await desk.say(T1)
    waiting = await desk.say("重试")
    rung = await ring(desk, held.timers[0])
    assert (rung.replies, view(rung)) == ([], view(waiting))
    await desk.say("取消")
    assert (await ring(desk, held.timers[0])).replies == []
    desk.thread = "elsewhere"
    assert (await ring(desk, held.timers[0].model_copy(update={"id": "C-NONE/x/1/retry"}))).replies == []


async def test_a_cancel_while_a_read_is_held_cancels(desk: Desk) -> None:
    """Nothing was begun."""
    desk.backoffice.faults.add(Fault(mode="down", times=None))
    await desk.say(T1)
    assert view(await desk.say("取消")).status == "cancelled"


@pytest.mark.parametrize("mode", ["down", "error_after_commit", "nonsense", "reset"])
async def test_a_write_in_doubt_is_finished_before_anything_else(desk: Desk, mode: str) -> None:
    """Cancel, correct and new words are refused; then it is tried again under the same key, and paid once."""
    waiting = await desk.say(T4)
    desk.backoffice.faults.add(Fault.model_validate({"mode": mode, "method": "POST", "times": 2}))
    desk.forget_calls()
    held = await desk.decide(waiting)
    assert waits(held)[:2] == ("hold", "submit")
    assert code(await desk.say("取消")) == "in_doubt"
    assert code(await desk.advance(desk.event("correct", values={"amount": "10"}))) == "in_doubt"
    assert code(await desk.say("不补了，给别人吧")) == "still_held"
    assert code(await desk.decide(waiting, "reject", reason="no")) == "decided"
    done = await ring(desk, held.timers[0])
    assert view(done).status == "done"
    keys = {call.key for call in desk.backoffice.calls if call.path == "/compensations" and call.method == "POST"}
    assert (len(keys), len(await desk.payouts()), len(await desk.notes())) == (1, 1, 1)


async def test_a_note_in_doubt_does_not_pay_again(desk: Desk) -> None:
    """The payment is done; only the note is tried again."""
    waiting = await desk.say(T4)
    desk.backoffice.faults.add(Fault(mode="error_after_commit", path_prefix="/orders", method="POST", times=2))
    held = await desk.decide(waiting)
    assert waits(held)[:2] == ("hold", "note")
    assert view(held).correctable == []
    assert code(await desk.say("取消")) == "already_paid"
    done = await desk.say("重试")
    assert (view(done).status, len(await desk.payouts()), len(await desk.notes())) == ("done", 1, 1)


async def test_a_write_that_the_back_office_refuses_stops_the_case(desk: Desk, tmp_path: Path) -> None:
    """The world changed between card and write: nothing is read again, the receiver says no, the money stays."""
    waiting = await desk.say(T4)
    with closing(sqlite3.connect(tmp_path / "backoffice.sqlite")) as base, base:
        base.execute("UPDATE orders SET fraud_status = 'review' WHERE order_id = 'KL-502'")
    desk.forget_calls()
    stopped = await desk.decide(waiting)
    assert desk.called() == ["POST /compensations"]
    assert (view(stopped).status, await desk.payouts()) == ("stopped", [])
    why = view(stopped).stopped
    assert why is not None
    assert (why.step, why.money_moved, "under fraud review" in why.why.en) == ("submit", False, True)


async def test_a_slow_answer_is_waited_for_in_the_background_of_the_lease(desk: Desk) -> None:
    """Another event of the thread waits for its turn, and is then judged on what has come of it."""
    waiting = await desk.say(T4)
    desk.backoffice.faults.add(Fault(mode="slow", method="POST", path_prefix="/compensations", seconds=0.3))
    desk.forget_calls()
    paying = asyncio.create_task(desk.decide(waiting))
    async with asyncio.timeout(5):
        await desk.backoffice.until_called(1)
        cancelled = await desk.say("取消")
    assert view(await paying).status == "done"
    assert len(await desk.payouts()) == 1
    assert view(cancelled).status == "done" if cancelled.view else code(cancelled) == "not_understood"


async def test_a_worker_that_wakes_after_its_lease_pays_nothing_twice_and_overwrites_nothing(desk: Desk) -> None:
    """Another took over, finished, and began the next case; the late one is told that the thread is not its own."""
    waiting = await desk.say(T4)
    click = desk.decision(waiting)
    asleep, wake = asyncio.Event(), asyncio.Event()
    send = desk.engine.door.backoffice._ask

    async def sleepy(method: str, *given: object) -> object:
        result: object = await send(method, *given)  # type: ignore[arg-type]  # passed on as it is
        if method == "POST" and not asleep.is_set():
            asleep.set()
            await wake.wait()
        return result

    desk.engine.door.backoffice._ask = sleepy  # type: ignore[assignment,method-assign]  # falls asleep after paying
    old = await desk.leases.take(desk.thread, "slow", 15)
    assert old is not None
    late = asyncio.create_task(desk.runner.advance(click, old.fence))
    async with asyncio.timeout(5):
        await asleep.wait()
    await desk.leases.release(old)
    done = await desk.advance(click)
    assert view(done).status == "done"
    following = await desk.say(T1)
    wake.set()
    with pytest.raises(ThreadBusy):
        await late
    found = await desk.runner.find(desk.thread)
    assert found == view(following)
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 1)


class Receipt(BaseModel):
    """What the odd tool gives."""

    no: str


@tool(write=True, key="none")
async def wire_money(call: Call, order_id: str) -> Receipt:
    """A payment whose receiver keeps no keys."""
    return await call.backoffice.post(f"/orders/{order_id}/notes", {"text": "paid"}, Receipt, key=call.key)


WIRE = """\
name: wire
title: {zh: 电汇补偿, en: wire compensation}
description: {zh: 电汇补偿, en: wire compensation}
fields: [order_id, amount]
steps:
  - {id: submit, kind: call, tool: wire_money, args: {order_id: order_id}, save_as: receipt}
"""


@tool(write=True)
async def confirm_wire(call: Call, order_id: str, receipt: Receipt) -> Receipt:
    """What follows from the payment and needs its number."""
    return await call.backoffice.post(f"/orders/{order_id}/notes", {"text": receipt.no}, Receipt, key=call.key)


async def parked(desk: Desk, tmp_path: Path, sop: str = WIRE) -> Outcome:
    """A case whose payment was made, though the answer was lost, by a receiver that keeps no keys."""
    module = ModuleType("wire")
    vars(module).update(wire_money=wire_money, confirm_wire=confirm_wire)
    desk.engine.library = library_with(tmp_path / "sops", tools_of([module]), wire=sop)
    desk.engine.door = dataclasses.replace(desk.engine.door, tools={**TOOLS, **tools_of([module])})
    desk.backoffice.faults.add(Fault(mode="error_after_commit", method="POST", times=1))
    return await desk.say("KL-778 补偿 40 美元")


async def test_a_write_that_must_not_be_repeated_is_parked_for_a_person(desk: Desk, tmp_path: Path) -> None:
    """It may have happened: nobody sends it again, no clock, no word, no cancel."""
    outcome = await parked(desk, tmp_path)
    assert (waits(outcome)[:2], outcome.timers) == (("park", "submit"), [])
    for text, expected in (("重试", "nothing_to_retry"), ("取消", "in_doubt"), ("算好了吗，麻烦看一下", "still_parked")):
        assert code(await desk.say(text)) == expected
    assert code(await desk.advance(desk.event("correct", values={"amount": "1"}))) == "in_doubt"
    handed = await desk.advance(desk.event("hand_over", LI, to=WANG))
    assert (view(handed).owner, waits(handed)[:2]) == (WANG, ("park", "submit"))
    assert len(await desk.notes()) == 1


async def test_only_a_lead_settles_a_parked_write_and_says_how(desk: Desk, tmp_path: Path) -> None:
    """The agent and an approver may not; a lead must name the outcome and how it was found out, on the open request."""
    request = str(view(await parked(desk, tmp_path)).waiting)

    async def settle(by: Actor, outcome: str = "paid", reason: str = "bank statement", on: str = request) -> str:
        event = desk.event("settle", by, request=on, values={"outcome": outcome}, reason=reason)
        return code(await desk.advance(event))

    assert [await settle(LI), await settle(WANG)] == ["not_lead", "not_lead"]
    assert [await settle(ZHOU, reason=" "), await settle(ZHOU, outcome="perhaps")] == ["no_reason", "no_reason"]
    assert await settle(ZHOU, on=f"{request}9") == "stale"
    assert len(await desk.notes()) == 1


async def test_a_write_that_a_lead_found_done_is_not_repeated(desk: Desk, tmp_path: Path) -> None:
    """The case goes on; a step that needs the lost result is left to the agent, and the trail says who found out."""
    arguments = "{order_id: order_id, receipt: receipt}"
    more = f"{WIRE}  - {{id: tell, kind: call, tool: confirm_wire, args: {arguments}, save_as: told}}\n"
    request = str(view(await parked(desk, tmp_path, more)).waiting)
    event = desk.event("settle", ZHOU, request=request, values={"outcome": "paid"}, reason="bank statement")
    done = view(await desk.advance(event))
    assert done.status == "done"
    assert [(entry.step, entry.what) for entry in done.trail][-2:] == [("submit", "settle"), ("tell", "skip")]
    assert (done.trail[-2].by, done.trail[-2].reason) == (ZHOU.id, "bank statement")
    assert len(await desk.notes()) == 1


async def test_a_write_that_a_lead_found_undone_is_sent_once_more(desk: Desk, tmp_path: Path) -> None:
    """After "not paid" the same step is carried out again, once."""
    request = str(view(await parked(desk, tmp_path)).waiting)
    before = len(desk.called())
    event = desk.event("settle", ZHOU, request=request, values={"outcome": "unpaid"}, reason="nothing on the account")
    await desk.advance(event)
    await desk.advance(event)
    assert [line.partition(" ")[0] for line in desk.called()[before:]] == ["POST"]


async def test_several_failures_in_a_row_are_a_short_wait_for_every_case(desk: Desk) -> None:
    """The breaker is the desk's: the next case is held at once, without asking, and goes on later."""
    now = 0.0
    door = desk.engine.door
    desk.engine.door = ToolDoor(door.tools, door.backoffice, door.journal, 1.0, 5, 0.001, clock=lambda: now)
    desk.backoffice.faults.add(Fault(mode="down", times=6))
    await desk.say(T1)
    asked = len(desk.called())
    desk.thread = "another"
    held = await desk.say(T6)
    assert (waits(held)[:2], len(desk.called()) - asked) == (("hold", "load_order"), 0)
    now = 11.0
    assert view(await desk.say("重试")).status == "done"
    assert ACCOUNT not in str(desk.called())
