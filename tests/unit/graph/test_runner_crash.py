"""The engine broken off at every call it makes: one payout, one note, the same end."""

from __future__ import annotations

import pytest

from graph.errors import EffectMismatch
from graph.model import Event, Outcome
from tests.unit.graph.builders import ACCOUNT, LI, T1, T6, WANG, Desk, plain, view, waits
from tests.unit.graph.tripwire import Crash, Mode, Tripwire, When

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
    return shown.status, facts, trail, [(each.step.id, each.open) for each in shown.requests]


@pytest.mark.parametrize("mode", ["error", "kill"])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("name", "broken"), [("t1", 0), ("t1", 1), ("t1", 2), ("t6", 0)])
async def test_a_crash_at_any_call_pays_once_and_comes_to_the_same_end(
    desk: Desk, name: str, broken: int, when: When, mode: Mode
) -> None:
    """Each call of one event fails once, in turn; the event is delivered again, and the dialogue goes on."""
    wire = Tripwire(desk)
    desk.thread = "clean"
    for event in script(desk, name):
        clean = await deliver(desk, event)
    swept = 0
    for at in range(1, MOST):
        await desk.backoffice.reset()
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
        assert [key for key in await desk.checkpoint_keys() if desk.thread in key] == []
        if not tripped:
            break
        swept += 1
    assert 5 < swept < MOST - 1


async def paid_but_not_stored(desk: Desk, wire: Tripwire) -> tuple[Outcome, Event]:
    """A case whose approval was carried out up to the payment, when the process died; nothing of it is stored."""
    await desk.say(T1)
    waiting = await desk.say(ACCOUNT)
    decision = desk.decision(waiting)
    wire.revive()
    wire.arm(wire_calls_to("_ended"), "after", "kill")
    with pytest.raises(Crash):
        await desk.advance(decision)
    wire.revive()
    assert len(await desk.payouts()) == 1
    return waiting, decision


def wire_calls_to(name: str) -> int:
    """The place of the first call of that name in the turn of an approval."""
    return {"_ended": 6}[name]


@pytest.mark.parametrize("kind", ["cancel", "correct", "decision", "message"])
async def test_what_was_begun_is_finished_before_any_other_event_is_looked_at(desk: Desk, kind: str) -> None:
    """The payment happened, the process died, and something else arrives first: it comes too late, and is told so."""
    wire = Tripwire(desk)
    waiting, decision = await paid_but_not_stored(desk, wire)
    other = {
        "cancel": desk.event("cancel", LI, request=None),
        "correct": desk.event("correct", LI, values={"amount": "30"}),
        "decision": desk.event("decision", WANG, request=view(waiting).waiting, verdict="reject", reason="no"),
        "message": desk.event("message", LI, text="facts"),
    }[kind]
    outcome = await desk.advance(other)
    assert view(outcome).status == "done"
    [reply] = outcome.replies
    assert reply.code == {"cancel": "already_paid", "correct": "already_paid", "decision": "decided", "message": ""}[kind]
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 1)
    again = await desk.advance(decision)
    assert view(again).status == "done"
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 1)


async def test_a_begun_write_is_finished_though_its_approver_has_been_taken_off_the_list(desk: Desk) -> None:
    """The decision counted when it was used."""
    wire = Tripwire(desk)
    _, decision = await paid_but_not_stored(desk, wire)
    authority = desk.engine.library.words.authority
    authority.levels = {name: level.model_copy(update={"people": ()}) for name, level in authority.levels.items()}
    outcome = await desk.advance(decision)
    assert (view(outcome).status, len(await desk.payouts())) == ("done", 1)


async def test_a_decision_that_broke_off_before_it_did_anything_does_not_count_for_another(desk: Desk) -> None:
    """It failed for good and was set aside; what is decided next is what happens."""
    await desk.say(T1)
    waiting = await desk.say(ACCOUNT)
    wire = Tripwire(desk)
    for at in range(1, MOST):
        wire.arm(at, "before", "error")
        try:
            await desk.advance(desk.event("decision", WANG, id="aside", request=view(waiting).waiting, verdict="approve"))
        except Crash:
            pass
        if "_ask" in wire.names:
            break
        wire.revive()
        found = await desk.runner.find(desk.thread)
        assert found is not None and found.waiting == view(waiting).waiting, wire.names
    else:
        raise AssertionError("the write never came")
    assert await desk.payouts() == []


async def test_a_rejection_after_a_set_aside_approval_rejects(desk: Desk) -> None:
    """The pending answer of the turn that broke off is not taken for the new one."""
    await desk.say(T1)
    waiting = await desk.say(ACCOUNT)
    wire = Tripwire(desk)
    wire.arm(wire_calls_to("_ended") - 2, "before", "error")
    with pytest.raises(Crash):
        await desk.decide(waiting)
    assert wire.names[-1] not in ("_ask", "_ended")
    wire.revive()
    outcome = await desk.decide(waiting, "reject", reason="太多")
    assert waits(outcome) == ("ask", "collect", ["amount"], None)
    assert await desk.payouts() == []


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
    tool = desk.engine.library.words.tools["apply_compensation"]
    key = next(call.key for call in desk.backoffice.calls if call.path == "/compensations" and call.method == "POST")
    assert key is not None
    await desk.redis.hset(desk.keys.journal(key), "digest", "other")
    with pytest.raises(EffectMismatch):
        await desk.advance(decision)
    with pytest.raises(EffectMismatch):
        await desk.advance(desk.event("cancel"))
    assert (tool.write, len(await desk.payouts())) == (True, 1)
