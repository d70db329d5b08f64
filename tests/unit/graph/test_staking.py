"""What an approval puts at stake is for one payment, however that is made and however many approve it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from deploy.local.backoffice import Fault
from graph import commitments
from graph.model import Outcome, Reserved, Stake
from graph.staking import hold, note_payment
from tests.unit.graph.builders import TOOLS, ZHAO, ZHOU, Desk, library_with, money, shipped, view, waits
from tests.unit.graph.test_runner_replay import start_over
from tests.unit.graph.test_state import run as new_run
from tests.unit.graph.tripwire import Crash, Tripwire

HEAD = """\
name: compensation
title: {zh: 补偿, en: compensation}
description: {zh: 补偿, en: compensation}
fields: [order_id, amount, reason, comp_type]
steps:
  - {id: load, kind: call, tool: get_order, args: {order_id: order_id}, save_as: order}
"""
PAY = "args: {order_id: order_id, amount: amount, comp_type: comp_type, reason: reason, approver: approver}, save_as: paid"
TIERS = "tiers: [{max: 50, level: auto}, {max: 100, level: supervisor}, {level: manager}]"
SUM = "cumulative: {by: order_id, within: 30d}"

AGAIN = f"""{HEAD}
  - {{id: approval, kind: approve, {TIERS}, {SUM}}}
  - {{id: pay, kind: call, repeat: true, tool: apply_compensation, {PAY}}}
  - {{id: gate, kind: confirm, fields: [order_id], prompt: {{zh: 再付？, en: Again?}}, on_no: {{goto: load}}}}
"""
CHOSEN = f"""{HEAD}
  - {{id: approval, kind: approve, {TIERS}, {SUM}}}
  - id: pay
    kind: choose
    actions:
      - {{tool: apply_compensation, {PAY}, limit: 1, on: [{{goto: look}}]}}
    on_exhausted: {{goto: look}}
  - {{id: look, kind: approve, tiers: [{{level: review}}], amount: amount, on_reject: {{goto: look}}}}
"""
TWICE = f"""{HEAD}
  - {{id: first, kind: approve, tiers: [{{level: supervisor}}], {SUM}}}
  - {{id: second, kind: approve, tiers: [{{level: manager}}], {SUM}, on_reject: {{goto: first}}}}
  - {{id: pay, kind: call, tool: apply_compensation, {PAY}}}
"""
ASKED = "给 KL-778 补 40 美元积分，导游迟到"


async def begun(desk: Desk, directory: Path, text: str) -> Outcome:
    """A case over 40 under this procedure."""
    desk.engine.library = library_with(directory / "sops", compensation=text)
    return await desk.say(ASKED)


async def at_stake(desk: Desk) -> list[tuple[str, str, bool]]:
    """The stakes of the order: which payment, how much, and whether it was paid."""
    assert desk.engine.stakes is not None
    held = (await desk.engine.stakes.look("order_id", "KL-778")).held
    return sorted((stake.pays, stake.amount, stake.paid) for stake in held)


async def test_what_a_case_pays_again_counts_again(desk: Desk, tmp_path: Path) -> None:
    """Each 40 is approved by itself; the second is decided at the tier of both, and a third case sees both."""
    paid = await begun(desk, tmp_path, AGAIN)
    assert (waits(paid)[1], await at_stake(desk)) == ("gate", [("amount", "40", True)])
    again = await desk.advance(desk.event("answer", request=view(paid).waiting, values={"confirm": "no"}))
    assert waits(again)[1:] == ("approval", [], "supervisor")
    done = await desk.decide(again)
    assert (waits(done)[1], len(await desk.payouts())) == ("gate", 2)
    assert await at_stake(desk) == [("amount", "40", True), ("amount#1", "40", True)]
    desk.thread = "T1:C1:other"
    assert waits(await desk.say(ASKED))[3] == "manager"


async def test_a_second_payment_that_was_given_up_leaves_the_first(desk: Desk, tmp_path: Path) -> None:
    """What was paid stays paid, and what the broken turn had put there goes."""
    paid = await begun(desk, tmp_path, AGAIN)
    again = await desk.advance(desk.event("answer", request=view(paid).waiting, values={"confirm": "no"}))
    wire = Tripwire(desk)
    wire.arm("once", "before", "kill")
    with pytest.raises(Crash):
        await desk.decide(again)
    wire.revive()
    assert await at_stake(desk) == [("amount", "40", True), ("amount#1", "40", False)]
    await desk.decide(again, "reject", reason="no")
    assert (await at_stake(desk), len(await desk.payouts())) == ([("amount", "40", True)], 1)


async def test_what_an_action_pays_counts(desk: Desk, tmp_path: Path) -> None:
    """The call stands in a `choose` step."""
    paid = await begun(desk, tmp_path, CHOSEN)
    assert (waits(paid)[1], len(await desk.payouts())) == ("look", 1)
    assert await at_stake(desk) == [("amount", "40", True)]


@pytest.mark.parametrize("at", ["", "reserve", "once", "aput", "save"])
async def test_two_approvals_of_one_payment_count_once(desk: Desk, tmp_path: Path, at: str) -> None:
    """Before it is paid and afterwards, and whichever way the turn broke off."""
    first = await desk.decide(await begun(desk, tmp_path, TWICE))
    assert (waits(first)[1], await at_stake(desk)) == ("second", [("amount", "40", False)])
    decision = desk.decision(first, actor=ZHAO)
    if at:
        wire = Tripwire(desk)
        wire.arm(at, "after", "kill")
        with pytest.raises(Crash):
            await desk.advance(decision)
        wire.revive()
    assert view(await desk.advance(decision)).status == "done"
    assert (await at_stake(desk), len(await desk.payouts())) == ([("amount", "40", True)], 1)


WAYS = f"""{HEAD}
  - {{id: approval, kind: approve, {TIERS}, {SUM}}}
  - {{id: cash, kind: call, when: "comp_type == 'cash'", tool: apply_compensation, {PAY}}}
  - {{id: credit, kind: call, when: "comp_type == 'credit'", tool: apply_compensation, {PAY}_too}}
"""
PAST = f"""{HEAD}
  - {{id: approval, kind: approve, {TIERS}, {SUM}, on_approve: {{goto: other}}}}
  - {{id: one, kind: call, tool: apply_compensation, {PAY}}}
  - {{id: other, kind: call, tool: apply_compensation, {PAY}_too}}
"""


@pytest.mark.parametrize("text", [WAYS, PAST], ids=["when", "on_approve"])
async def test_whichever_step_pays_it_counts(desk: Desk, tmp_path: Path, text: str) -> None:
    """Of several that may pay behind an approval the second one does; the next case is decided at the tier of both."""
    asked = text.replace("{max: 50, level: auto}, ", "") if text is PAST else text
    done = await begun(desk, tmp_path, asked)
    if view(done).waiting:
        done = await desk.decide(done)
    assert (view(done).status, await at_stake(desk)) == ("done", [("amount", "40", True)])
    desk.thread = "T1:C1:other"
    second = await desk.say(ASKED.replace("40", "70"))
    assert waits(second)[3] == "manager"


async def test_two_payments_under_one_approval_both_count(desk: Desk, tmp_path: Path) -> None:
    """And each once, however the turn broke off."""
    both = f"""{HEAD}
  - {{id: approval, kind: approve, {TIERS}, {SUM}}}
  - {{id: one, kind: call, tool: apply_compensation, {PAY}}}
  - {{id: other, kind: call, tool: apply_compensation, {PAY}_too}}
  - {{id: note, kind: call, tool: add_booking_note, args: {{order_id: order_id, compensation: paid}}, save_as: note}}
"""
    counted = [("amount", "40", True), ("amount#1", "40", True)]
    for at in range(1, 60):
        await start_over(desk, f"T1:C1:{at}")
        desk.engine.library = library_with(tmp_path / str(at), compensation=both)
        wire, event = Tripwire(desk), desk.event("message", text=ASKED)
        wire.arm(at, "after", "kill")
        try:
            done = await desk.advance(event)
        except Crash:
            wire.revive()
            done = await desk.advance(event)
        else:
            break
        assert (view(done).status, await at_stake(desk), len(await desk.payouts())) == ("done", counted, 2), at
    assert at > 8


@pytest.mark.parametrize(("paid", "told"), [("40", ["40"]), ("70", ["70"]), ("99", ["70"])])
def test_of_two_amounts_that_wait_the_one_that_was_paid_is_paid(paid: str, told: list[str]) -> None:
    """Where it is neither, the last. What moves no money is no payment where other steps do."""
    state, sop, tools = new_run(), shipped().sops["compensation"], shipped().words.tools
    state.cursor = "submit"
    for amount in ("40", "70"):
        stake = Stake(run="r", step="approval", amount=amount, currency="USD", at="", level="", event="", pays=amount)
        hold(state, Reserved(by="order_id", value="KL-1", keep=9, stake=stake))
    note_payment(state, sop, tools["add_booking_note"], {}, None, tools)
    assert state.payments == 0
    note_payment(state, sop, tools["apply_compensation"], {"amount": money(paid)}, None, tools)
    assert [each.stake.amount for each in state.reserved.values() if each.stake.paid] == told
    assert (state.payments, len(state.reserved)) == (1, 2)


@pytest.mark.parametrize("outcome", ["paid", "unpaid"])
async def test_what_a_person_found_to_be_paid_counts(desk: Desk, tmp_path: Path, outcome: str) -> None:
    """And what was found to be unpaid counts once it is sent again."""
    tool = replace(TOOLS["apply_compensation"], key="none")
    text = AGAIN.replace("repeat: true, ", "")
    desk.engine.library = library_with(tmp_path / "sops", {"apply_compensation": tool}, compensation=text)
    desk.engine.door.tools = desk.engine.library.words.tools
    desk.backoffice.faults.add(Fault(mode="error_after_commit" if outcome == "paid" else "down", method="POST", times=1))
    parked = await desk.say(ASKED)
    assert (waits(parked)[0], await at_stake(desk)) == ("park", [("amount", "40", False)])
    given = {"request": view(parked).waiting, "values": {"outcome": outcome}, "reason": "asked the bank"}
    settled = await desk.advance(desk.event("settle", ZHOU, **given))
    assert (waits(settled)[1], await at_stake(desk)) == ("gate", [("amount", "40", True)])
    assert len(await desk.payouts()) == 1


async def test_two_approvals_of_an_older_version_are_paid_once(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both stand under their own names: one is paid, the other is given back with the end of the case."""
    monkeypatch.setattr(commitments, "next_payment", lambda *_: "")
    first = await desk.decide(await begun(desk, tmp_path, TWICE))
    desk.backoffice.faults.add(Fault(mode="down", method="POST", times=None))
    held = await desk.decide(first, actor=ZHAO)
    assert await at_stake(desk) == [("", "40", False)] * 2
    monkeypatch.undo()
    desk.backoffice.faults.clear()
    done = await desk.advance(desk.event("retry", request=view(held).waiting))
    assert (view(done).status, await at_stake(desk)) == ("done", [("", "40", True)])


async def test_a_stake_that_an_older_version_put_there_is_the_payments(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands under the approval's name alone: the payment marks it as paid, and the next one counts it."""
    monkeypatch.setattr(commitments, "next_payment", lambda *_: "")
    desk.backoffice.faults.add(Fault(mode="down", method="POST", times=None))
    held = await begun(desk, tmp_path, AGAIN)
    assert (waits(held)[0], await at_stake(desk)) == ("hold", [("", "40", False)])
    monkeypatch.undo()
    desk.backoffice.faults.clear()
    paid = await desk.advance(desk.event("retry", request=view(held).waiting))
    assert (waits(paid)[1], await at_stake(desk)) == ("gate", [("", "40", True)])
    again = await desk.advance(desk.event("answer", request=view(paid).waiting, values={"confirm": "no"}))
    assert waits(again)[3] == "supervisor"
