"""The engine broken off at every call it makes: one payout, one note, the same end."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.errors import EffectMismatch
from graph.model import Event, Outcome
from tests.unit.graph.builders import ACCOUNT, LI, T1, T6, WANG, Desk, library_with, plain, view, waits
from tests.unit.graph.tripwire import Crash, Mode, Tripwire, When

TWO_GATES = """\
name: refund
title: {zh: 退款, en: refund}
description: {zh: 退款, en: refund}
fields: [order_id, amount]
steps:
  - {id: first, kind: approve, tiers: [{level: supervisor}]}
  - {id: second, kind: approve, tiers: [{level: manager}]}
  - {id: load, kind: call, tool: get_order, args: {order_id: order_id}, save_as: order}
"""
#: More calls than any turn makes; arming one that does not come is the end of a sweep.
MOST = 60


def script(desk: Desk, name: str) -> list[Event]:
    """The events of a dialogue that ends in a payout; decisions name their card."""
    case = desk.thread
    say = [desk.event("message", thread=case, id=f"{case}/1", text=T1 if name == "t1" else T6)]
    if name == "t1":
        say.append(desk.event("message", thread=case, id=f"{case}/2", text=ACCOUNT))
        say.append(desk.event("decision", WANG, thread=case, id=f"{case}/3", verdict="approve"))
    return say


async def deliver(desk: Desk, event: Event) -> Outcome:
    """The event, with its card filled in as a click carries it."""
    if event.kind == "decision" and event.request is None:
        before = await desk.runner.find(event.thread)
        assert before is not None
        event = event.model_copy(update={"request": before.waiting or before.requests[-1].id})
    return await desk.advance(event)


def end(outcome: Outcome) -> tuple[object, ...]:
    """What must be the same however often it broke off."""
    shown = view(outcome)
    trail = [(entry.step, entry.what) for entry in shown.trail]
    facts = {name: value for name, value in plain(outcome).items() if name not in ("compensation", "note")}
    order = facts.get("order")
    if isinstance(order, dict):
        # Read again after the payout, the order tells of it.
        facts["order"] = {name: value for name, value in order.items() if name != "compensated"}
    return shown.status, facts, trail, [(each.step.id, each.open) for each in shown.requests]


async def record(desk: Desk, outcome: Outcome) -> list[tuple[str, ...]]:
    """The audit log, which must hold, without what differs from case to case."""
    case = view(outcome).case
    length, broken = await desk.audit.verify(case)
    assert broken is None
    lines = [each.line for each in await desk.audit.of(case)]
    assert len(lines) == len({line.id for line in lines}) == length
    return [(each.log, each.what, each.step, each.by, each.outcome, each.before, each.after) for each in lines]


@pytest.mark.parametrize(("when", "mode"), [("before", "error"), ("after", "error"), ("after", "kill")])
@pytest.mark.parametrize(("name", "broken"), [("t1", 0), ("t1", 1), ("t1", 2), ("t6", 0)])
async def test_a_crash_at_any_call_pays_once_and_comes_to_the_same_end(
    desk: Desk, name: str, broken: int, when: When, mode: Mode
) -> None:
    """Each call of one event fails once, in turn; the event is delivered again, and the dialogue goes on. To be killed
    before a call is to be killed after the one before it."""
    wire = Tripwire(desk)
    desk.thread = "clean"
    for event in script(desk, name):
        clean = await deliver(desk, event)
    swept = 0
    for at in range(1, MOST):
        await desk.backoffice.reset()
        # What was approved for the order before counts towards its tier.
        async for key in desk.redis.scan_iter(match=f"{desk.keys.stake('')}*"):
            await desk.redis.delete(key)
        desk.thread = f"{when}-{mode}-{at}"
        wire.revive()
        tripped = False
        for number, event in enumerate(script(desk, name)):
            if number == broken:
                wire.arm(at, when, mode)
                try:
                    outcome = await deliver(desk, event)
                except Crash:
                    tripped = True
                    where = wire.names[-1]
                    wire.revive()
                    outcome = await deliver(desk, event)
                wire.revive()
            else:
                outcome = await deliver(desk, event)
        payouts, notes = await desk.payouts(), await desk.notes()
        assert (len(payouts), len(notes)) == (1, 1), f"{where} {at}"
        assert end(outcome) == end(clean), f"{where} {at}"
        assert await record(desk, outcome) == await record(desk, clean), f"{where} {at}"
        assert [key for key in await desk.checkpoint_keys() if desk.thread in key] == []
        if not tripped:
            break
        swept += 1
    assert 3 < swept < MOST - 1


async def paid_but_not_stored(
    desk: Desk, wire: Tripwire, at: str = "once", when: When = "after"
) -> tuple[Outcome, Event]:
    """A case whose approval was carried out up to the payment, when the process died; nothing of it is stored."""
    await desk.say(T1)
    waiting = await desk.say(ACCOUNT)
    decision = desk.decision(waiting)
    wire.revive()
    wire.arm(at, when, "kill")
    with pytest.raises(Crash):
        await desk.advance(decision)
    wire.revive()
    assert len(await desk.payouts()) == 1
    return waiting, decision


@pytest.mark.parametrize(("at", "when"), [("once", "after"), ("save", "before"), ("save", "after")])
@pytest.mark.parametrize("kind", ["cancel", "correct", "decision", "message", "opening"])
async def test_what_was_begun_is_finished_before_any_other_event_is_looked_at(
    desk: Desk, kind: str, at: str, when: When
) -> None:
    """The payment happened, the process died, and something else arrives first: it comes too late, and is told so."""
    wire = Tripwire(desk)
    waiting, decision = await paid_but_not_stored(desk, wire, at, when)
    other = {
        "cancel": desk.event("cancel", LI, request=None),
        "correct": desk.event("correct", LI, values={"amount": "30"}),
        "decision": desk.event("decision", WANG, request=view(waiting).waiting, verdict="reject", reason="no"),
        "message": desk.event("message", LI, text="facts"),
        "opening": desk.event("message", LI, id="e1", text=T1),
    }[kind]
    outcome = await desk.advance(other)
    assert view(outcome).status == "done"
    codes = {"cancel": ["already_paid"], "correct": ["already_paid"], "decision": ["decided"], "message": [""]}
    assert [reply.code for reply in outcome.replies] == codes.get(kind, [])
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 1)
    again = await desk.advance(decision)
    assert view(again).status == "done"
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 1)


async def test_a_begun_write_is_finished_though_its_approver_has_been_taken_off_the_list(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The decision counted when it was used."""
    wire = Tripwire(desk)
    _, decision = await paid_but_not_stored(desk, wire)
    authority = desk.engine.library.words.authority
    nobody = {name: level.model_copy(update={"people": ()}) for name, level in authority.levels.items()}
    monkeypatch.setattr(authority, "levels", nobody)
    outcome = await desk.advance(decision)
    assert (view(outcome).status, len(await desk.payouts())) == ("done", 1)


@pytest.mark.parametrize("mode", ["error", "kill"])
@pytest.mark.parametrize("at", ["aget_tuple", "once"])
async def test_a_rejection_after_an_approval_that_was_set_aside_rejects(desk: Desk, at: str, mode: Mode) -> None:
    """The approval broke off before anything was begun; what is decided next is what happens."""
    await desk.say(T1)
    waiting = await desk.say(ACCOUNT)
    wire = Tripwire(desk)
    wire.arm(at, "before", mode)
    with pytest.raises(Crash):
        await desk.decide(waiting)
    wire.revive()
    outcome = await desk.decide(waiting, "reject", reason="太多")
    assert waits(outcome) == ("ask", "collect", ["amount"], None)
    assert view(outcome).requests[-2].closed is not None
    assert await desk.payouts() == []


async def test_an_approval_that_broke_off_approves_nothing_later(desk: Desk, tmp_path: Path) -> None:
    """Not the next gate: that is somebody else's to decide."""
    desk.engine.library = library_with(tmp_path / "sops", two=TWO_GATES)
    wire = Tripwire(desk)
    for at in range(1, MOST):
        desk.thread = f"T{at}"
        first = await desk.say("KL-778 退款 40 美元")
        wire.arm(at, "after", "error")
        click = desk.decision(first, actor=WANG)
        try:
            await desk.advance(click)
        except Crash:
            wire.revive()
            outcome = await desk.advance(click)
            assert waits(outcome) == ("approve", "second", [], "manager")
            assert [each.closed.ending for each in view(outcome).requests if each.closed] == ["approved"]
            continue
        assert at > 5
        return


async def test_a_message_that_broke_off_before_it_was_understood_starts_again(desk: Desk) -> None:
    """Or leaves the thread free for another, if it never comes back."""
    wire = Tripwire(desk)
    wire.arm(3, "before", "error")
    with pytest.raises(Crash):
        await desk.say(T1)
    wire.revive()
    outcome = await desk.say(T6)
    assert (view(outcome).status, view(outcome).order) == ("done", "KL-778")
    assert plain(outcome)["amount"] == "30"


async def test_a_turn_that_cannot_be_repeated_as_it_was_is_an_error_and_pays_nothing_twice(desk: Desk) -> None:
    """Other arguments under the same key: nobody guesses which were right."""
    wire = Tripwire(desk)
    _, decision = await paid_but_not_stored(desk, wire)
    key = next(call.key for call in desk.backoffice.calls if call.path == "/compensations" and call.method == "POST")
    assert key is not None
    await desk.redis.hset(desk.keys.journal(key), "digest", "other")
    with pytest.raises(EffectMismatch):
        await desk.advance(decision)
    with pytest.raises(EffectMismatch):
        await desk.advance(desk.event("cancel"))
    assert len(await desk.payouts()) == 1
