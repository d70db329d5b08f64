"""A turn that had begun a write is finished as it was, however the world has changed meanwhile (law 4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.local.backoffice.faults import Fault
from graph.errors import StateLost
from graph.model import Begun, Event, Outcome
from tests.parts.http import asking
from tests.unit.graph.builders import ACCOUNT, LI, T1, T6, Desk, begun_in, library_with, view, waits
from tests.unit.graph.tripwire import Crash, Tripwire

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


async def test_what_no_longer_comes_to_the_write_it_began_is_stored_as_nothing(desk: Desk, tmp_path: Path) -> None:
    """A turn began a case and paid, and another version of the file would ask the director now: nothing may be asked or
    cancelled in that thread until the file of that time is back."""
    wire, event = Tripwire(desk), desk.event("message", text=T6)
    wire.arm("once", "after", "kill")
    with pytest.raises(Crash):
        await desk.advance(event)
    wire.revive()
    shipped, desk.engine.library = desk.engine.library, library_with(tmp_path / "sops", compensation=ASKS_MORE)
    for late in (event, desk.event("cancel"), event):
        with pytest.raises(StateLost, match="began the effect"):
            await desk.advance(late)
    assert Begun.model_validate(await begun_in(desk.redis, desk.keys, event.thread)).event.id == event.id
    desk.engine.library = shipped
    assert view(await desk.advance(event)).status == "done"
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 1)


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
