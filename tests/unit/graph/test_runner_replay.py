"""A turn that had begun a write is finished as it was, however the world has changed meanwhile (law 4)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from deploy.local.backoffice.faults import Fault
from graph.errors import StateLost
from graph.model import Begun, Event, Outcome
from tests.parts.http import asking
from tests.unit.graph.builders import ACCOUNT, LI, T1, T6, Desk, begun_in, library_with, view, waits
from tests.unit.graph.tripwire import Crash, Tripwire, When

#: More calls than any turn makes; arming one that does not come is the end of a sweep.
MOST = 60


async def leading_up_to(desk: Desk, name: str) -> Event:
    """A thread up to the event whose turn pays: said at once, approved, or tried again after an outage."""
    if name == "said":
        return desk.event("message", text=T6)
    if name == "approved":
        await desk.say(T1)
        return desk.decision(await desk.say(ACCOUNT))
    desk.backoffice.faults.add(Fault(mode="down", times=None))
    held = await desk.say(T6)
    desk.backoffice.faults.clear()
    return desk.event("retry", request=view(held).waiting)


async def pay_another(desk: Desk) -> None:
    """Somebody else pays for the same order, past the back of the desk and so much that a person would be asked."""
    async with asking(desk.backoffice.url) as client:
        money = {"order_id": "KL-778", "amount": "90", "currency": "USD", "comp_type": "credit"}
        body = {**money, "reason": "另一件事", "approver": "x"}
        paid = await client.post("/compensations", json=body, headers={"Idempotency-Key": "other"})
        assert paid.status_code < 300, paid.text


async def change(desk: Desk, world: str) -> None:
    """What the replay finds."""
    if world == "paid by another":
        await pay_another(desk)
    else:
        method = {"away": None, "reads away": "GET", "writes away": "POST"}[world]
        desk.backoffice.faults.add(Fault(mode="down", method=method, times=None))


ASKS_MORE = """\
name: compensation
title: {zh: 发起补偿, en: compensation}
description: {zh: 补偿, en: compensation}
fields: [order_id, amount, reason, comp_type]
steps:
  - {id: load_order, kind: call, tool: get_order, args: {order_id: order_id}, save_as: order}
  - {id: approval, kind: approve, tiers: [{level: director}]}
  - id: submit
    kind: call
    tool: apply_compensation
    args: {order_id: order_id, amount: amount, comp_type: comp_type, reason: reason, approver: approver}
    save_as: compensation
"""


async def retried(desk: Desk, outcome: Outcome) -> Outcome:
    """The case tried again for as long as it is held."""
    while view(outcome).waiting and waits(outcome)[0] == "hold":
        outcome = await desk.advance(desk.event("retry", request=view(outcome).waiting))
    return outcome


async def start_over(desk: Desk, thread: str) -> None:
    """A thread of its own, on a back office that has paid nothing, and no stakes."""
    await desk.backoffice.reset()
    async for key in desk.redis.scan_iter(match=f"{desk.keys.stake('')}*"):
        await desk.redis.delete(key)
    desk.thread = thread


@pytest.mark.parametrize("world", ["away", "reads away", "writes away", "paid by another"])
@pytest.mark.parametrize("name", ["said", "approved", "tried again"])
async def test_what_was_begun_is_paid_once_and_asked_of_nobody_however_the_world_has_changed(
    desk: Desk, name: str, world: str
) -> None:
    """Killed after each call in turn. What had begun a write comes to it again: a cancel is too late, nobody is asked to
    approve what is paid, and payout and note are there once."""
    wire, begun = Tripwire(desk), 0
    for at in range(1, MOST):
        await start_over(desk, f"{name}-{world}-{at}")
        event = await leading_up_to(desk, name)
        wire.arm(at, "after", "kill")
        try:
            await desk.advance(event)
        except Crash:
            wire.revive()
        else:
            break
        if await begun_in(desk.redis, desk.keys, event.thread) is None:
            continue
        begun += 1
        await change(desk, world)
        outcome = await desk.advance(event)
        late = await desk.advance(desk.event("cancel", LI, request=None))
        assert next(reply.code for reply in late.replies) in ("in_doubt", "already_paid"), at
        desk.backoffice.faults.clear()
        done = await retried(desk, outcome)
        assert view(done).status == "done", at
        asked = [each.id for each in view(done).requests if each.kind == "approve"]
        assert len(asked) == (1 if name == "approved" else 0), at
        own = [each for each in await desk.payouts() if each["approver"] != "x"]
        assert (len(own), len(await desk.notes())) == (1, 1), at
        assert await begun_in(desk.redis, desk.keys, event.thread) is None
    assert begun > 3


async def paid_in_its_first_turn(desk: Desk) -> Event:
    """A message that opened a case and paid, when the process died; nothing of it is stored."""
    wire, event = Tripwire(desk), desk.event("message", text=T6)
    wire.arm("once", "after", "kill")
    with pytest.raises(Crash):
        await desk.advance(event)
    wire.revive()
    assert len(await desk.payouts()) == 1
    return event


SHIPPED = (Path(__file__).resolve().parents[3] / "sops" / "compensation.yaml").read_text()


@pytest.mark.parametrize("first", ["the same", "cancel"])
@pytest.mark.parametrize(
    "edited",
    [
        {"compensation": ASKS_MORE},
        {"compensation": SHIPPED.replace("id: submit", "id: pay_out")},
        {"compensation": SHIPPED.replace("kind: approve\n", "kind: approve\n    when: amount > 1000\n")},
        {"another": ASKS_MORE.replace("name: compensation", "name: another").replace("补偿", "别的")},
    ],
    ids=["asks the director", "another step pays", "no approval", "gone"],
)
async def test_a_case_is_finished_under_the_text_it_was_opened_with(
    desk: Desk, tmp_path: Path, edited: dict[str, str], first: str
) -> None:
    """Its first turn paid and broke off, and another text is in force now: paid once, under one key."""
    event = await paid_in_its_first_turn(desk)
    desk.engine.library = library_with(tmp_path / "sops", None, **edited)
    if first == "cancel":
        late = await desk.advance(desk.event("cancel"))
        assert [reply.code for reply in late.replies] == ["already_paid"]
    assert view(await desk.advance(event)).status == "done"
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 1)


async def test_what_no_longer_comes_to_the_write_it_began_is_stored_as_nothing(desk: Desk) -> None:
    """Whatever keeps it from there, nothing else is written instead, and nothing is asked or cancelled in that thread."""
    event = await paid_in_its_first_turn(desk)
    name, kept = desk.keys.begun(event.thread), Begun.model_validate(await begun_in(desk.redis, desk.keys, event.thread))
    await desk.redis.set(name, kept.model_copy(update={"effect": "elsewhere"}).model_dump_json(exclude_defaults=True))
    for late in (event, desk.event("cancel"), event):
        with pytest.raises(StateLost, match="before it has finished"):
            await desk.advance(late)
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 0)
    await desk.redis.set(name, kept.model_dump_json(exclude_defaults=True))
    assert view(await desk.advance(event)).status == "done"
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 1)


async def test_a_replay_does_not_wait_for_a_back_office_that_is_left_alone(desk: Desk) -> None:
    """The journal knows the payment; only what must be sent waits, as a hold, and nobody is told of an error."""
    wire, event = Tripwire(desk), desk.event("message", text=T6)
    wire.arm(7, "after", "kill")
    with pytest.raises(Crash):
        await desk.advance(event)
    assert wire.names.count("once") == 2
    wire.revive()
    desk.backoffice.faults.add(Fault(mode="down", times=None))
    for number in range(3):
        desk.thread = f"other-{number}"
        assert waits(await desk.say("KL-1001 补 22 积分，导游迟到"))[0] == "hold"
    desk.forget_calls()
    held = await desk.advance(event)
    assert (waits(held)[:2], desk.called()) == (("hold", "note"), [])
    desk.backoffice.faults.clear()
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 1)


async def test_an_opening_message_that_comes_back_later_begins_nothing_anew(desk: Desk) -> None:
    """It was set aside after its case had ended, or while it was finished, and another case has begun in the thread."""
    event = await paid_in_its_first_turn(desk)
    second = await desk.say(T1)
    assert waits(second)[0] == "ask"
    again = await desk.advance(event)
    assert (view(again).status, view(again).case == view(second).case, again.replies) == ("done", False, [])
    ended = await desk.advance(desk.event("cancel", LI, request=None))
    assert (view(ended).case, view(ended).status) == (view(second).case, "cancelled")
    assert view(await desk.advance(event)).model_dump() == view(again).model_dump()
    assert len(await desk.payouts()) == 1


async def test_an_event_comes_back_as_it_was_kept(desk: Desk) -> None:
    """One that was set aside gets another time when it is put back; what it had begun goes by the first."""
    event = await paid_in_its_first_turn(desk)
    done = await desk.advance(event.model_copy(update={"at": event.at + timedelta(days=1)}))
    assert (view(done).status, view(done).opened_at) == ("done", event.at.isoformat())


@pytest.mark.parametrize("at", ["aput", "save"])
async def test_the_journal_knows_what_a_stored_turn_has_done(desk: Desk, at: str) -> None:
    """Though whoever did it died before it had stored that, and the turn itself is not carried out again."""
    waiting = await leading_up_to(desk, "approved")
    desk.backoffice.faults.add(Fault(mode="down", path_prefix="/orders", times=None))
    wire = Tripwire(desk)
    wire.arm(at, "before" if at == "save" else "after", "kill")
    with pytest.raises(Crash):
        await desk.advance(waiting)
    wire.revive()
    desk.backoffice.faults.clear()
    done = await retried(desk, await desk.advance(waiting))
    assert view(done).status == "done"
    states = [await desk.redis.hget(key, "state") async for key in desk.redis.scan_iter(match=f"{desk.keys.journal('')}*")]
    assert (states, len(await desk.payouts()), len(await desk.notes())) == (["done", "done"], 1, 1)


async def test_what_is_kept_of_a_begun_turn_goes_with_it(desk: Desk) -> None:
    """It holds what the back office said, and is kept no longer than until the turn is stored."""
    wire, event = Tripwire(desk), desk.event("message", text=T6)
    wire.arm("once", "after", "kill")
    with pytest.raises(Crash):
        await desk.advance(event)
    wire.revive()
    kept = Begun.model_validate(await begun_in(desk.redis, desk.keys, event.thread))
    assert [(each.step, each.outcome, each.attempts) for each in kept.calls] == [("load_order", "done", 1)]
    await desk.advance(event)
    assert await begun_in(desk.redis, desk.keys, event.thread) is None


@pytest.mark.parametrize(
    ("when", "at"), [("before", "aput"), ("after", "aput"), ("after", "aput_writes"), ("before", "save")]
)
async def test_a_refused_write_is_not_taken_for_done(desk: Desk, tmp_path: Path, when: When, at: str) -> None:
    """Less of it can go back to the card than when it was approved: refused, and the account is asked for. Its worker dies
    before that is stored; then it is answered, approved and paid, under the same key."""
    wire, asked = Tripwire(desk), await desk.say("给 KL-778 补 60 美元现金，商户漏发接送")
    assert waits(asked)[1] == "approval"
    with closing(sqlite3.connect(tmp_path / "backoffice.sqlite")) as base, base:
        base.execute("UPDATE orders SET gateway_minor = 1000 WHERE order_id = 'KL-778'")
    decision = desk.decision(asked)
    wire.arm(at, when, "kill")
    with pytest.raises(Crash):
        await desk.advance(decision)
    wire.revive()
    lacking = await desk.advance(decision)
    assert (waits(lacking)[0], waits(lacking)[2], await desk.payouts()) == ("ask", ["bank_account"], [])
    again = await desk.say(ACCOUNT)
    done = await desk.decide(again) if waits(again)[0] == "approve" else again
    assert (view(done).status, len(await desk.payouts()), len(await desk.notes())) == ("done", 1, 1)
