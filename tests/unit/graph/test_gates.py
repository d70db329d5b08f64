"""Each approval has a stake of its own, of which a payment counts one: several gates, ways back, and what is given up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from deploy.local.backoffice import Fault
from graph.model import Actor, Event, Outcome, Reserved, Stake
from graph.staking import hold, let_fall
from tests.unit.graph.builders import LI, SUN, TOOLS, WANG, ZHAO, ZHOU, Desk, library_with, shipped, view, waits
from tests.unit.graph.test_cumulative import given_up, stakes
from tests.unit.graph.test_staking import HEAD, PAY, SUM
from tests.unit.graph.test_state import run as new_run
from tests.unit.graph.tripwire import Crash, Tripwire

GATES = f"""{HEAD}
  - {{id: first, kind: approve, tiers: [{{max: 50, level: auto}}, {{level: supervisor}}], {SUM}}}
  - {{id: second, kind: approve, tiers: [{{max: 20, level: auto}}, {{level: manager}}], {SUM}}}
  - {{id: pay, kind: call, tool: apply_compensation, {PAY}}}
"""
BACK = f"""{HEAD}
  - id: pay
    kind: choose
    actions:
      - {{tool: apply_compensation, when: "allowed == 'yes'", {PAY}, limit: 1, on: [{{goto: closed}}]}}
      - {{name: request_review, on: [{{goto: approval}}]}}
    on_exhausted: {{goto: approval}}
  - id: approval
    kind: approve
    tiers: [{{max: 100, level: supervisor}}, {{level: manager}}]
    {SUM}
    options:
      - {{id: allow, label: {{zh: 同意, en: allow}}, on: [{{goto: pay}}], set: {{allowed: "'yes'"}}}}
      - {{id: close, label: {{zh: 关闭, en: close}}, verdict: reject, on: [{{goto: closed}}]}}
  - {{id: closed, kind: check, rules: [order_paid]}}
"""
NOBODY = "approver: \"'auto'\""
SURE = f"""{HEAD}
  - {{id: collect, kind: ask, fields: [amount, reason, comp_type], prompt: {{zh: 请补充, en: Please complete}}}}
  - id: approval
    kind: approve
    when: "amount > 15"
    tiers: [{{max: 50, level: auto}}, {{max: 100, level: supervisor}}, {{level: manager}}]
    {SUM}
  - {{id: sure, kind: confirm, fields: [order_id, amount], prompt: {{zh: 对吗, en: Right}}, on_no: {{goto: collect}}}}
  - {{id: pay, kind: call, tool: apply_compensation, {PAY.replace("approver: approver", NOBODY)}}}
"""
OTHER = "comp_type, {name: other, type: money, currency: USD, label: {zh: 奖金, en: bonus}}]"
LOOK = f"""{HEAD.replace("comp_type]", "comp_type, contact_name]")}
  - {{id: look, kind: confirm, fields: [contact_name], prompt: {{zh: 对吗, en: Right}}, on_no: {{goto: load}}}}
  - {{id: approval, kind: approve, tiers: [{{max: 100, level: supervisor}}, {{level: manager}}], {SUM}}}
  - {{id: sure, kind: confirm, fields: [order_id], prompt: {{zh: 对吗, en: Right}}, on_no: {{goto: load}}}}
  - {{id: pay, kind: call, tool: apply_compensation, {PAY}}}
"""
PARTS = f"""{HEAD.replace("comp_type]", OTHER)}
  - {{id: collect, kind: ask, fields: [amount, other], prompt: {{zh: 多少, en: How much}}}}
  - {{id: on_amount, kind: approve, tiers: [{{max: 100, level: supervisor}}, {{level: manager}}], {SUM}}}
  - {{id: on_other, kind: approve, amount: other, tiers: [{{level: supervisor}}], {SUM}}}
  - {{id: one, kind: call, tool: apply_compensation, {PAY}}}
  - {{id: two, kind: call, tool: apply_compensation, {PAY.replace("amount: amount", "amount: other")}_too}}
"""


async def opened(desk: Desk, directory: Path, text: str, amount: str = "80", thread: str = "a") -> Outcome:
    """A case of this procedure over an amount of one order."""
    desk.thread = thread
    desk.engine.library = library_with(directory / "sops", compensation=text)
    return await desk.say(f"给 KL-778 补 {amount} 美元积分，导游迟到")


def decides(desk: Desk, asked: Outcome, actor: Actor, **values: str) -> Event:
    """An approval that says more than yes."""
    given = {"request": view(asked).waiting, "verdict": "approve", "reason": "checked", "values": values}
    return desk.event("decision", actor, thread=asked.thread, **given)


async def at_stake(desk: Desk) -> list[tuple[str, str, bool]]:
    """The stakes of the order: of which approval, how much, and whether it was paid."""
    return sorted((stake.step, stake.amount, stake.paid) for stake in (await stakes(desk, "KL-778")).held)


async def test_an_automatic_gate_does_not_pass_the_next_one(desk: Desk, tmp_path: Path) -> None:
    """Each weighs the amount by its own tiers; all of it counts once, for others too."""
    held = await opened(desk, tmp_path, GATES, "40")
    assert waits(held)[1:] == ("second", [], "manager")
    done = await desk.decide(held, actor=ZHAO)
    assert (view(done).status, await at_stake(desk)) == ("done", [("second", "40", True)])


async def test_a_payment_that_two_gates_have_passed_counts_once(desk: Desk, tmp_path: Path) -> None:
    """While it waits for the back office others add up with 40, not with 80."""
    asked = await opened(desk, tmp_path, GATES, "40")
    desk.backoffice.faults.add(Fault(mode="down", method="POST", times=None))
    assert waits(await desk.decide(asked, actor=ZHAO))[0] == "hold"
    assert await at_stake(desk) == [("first", "40", False), ("second", "40", False)]
    assert waits(await opened(desk, tmp_path, GATES, "5", "b"))[1] == "second"


async def test_a_replay_finds_the_stake_of_the_very_gate_that_was_decided(desk: Desk, tmp_path: Path) -> None:
    """The manager names an amount for which the first gate is automatic; it is paid, the worker dies, and by then the sum
    is beyond the manager: the payment that was made is what the replay comes to."""
    text = GATES.replace("{level: manager}", "{max: 100, level: manager}, {level: director}")
    asked = await desk.decide(await opened(desk, tmp_path, text))
    decision = decides(desk, asked, ZHAO, amount="40")
    wire = Tripwire(desk)
    wire.arm("once", "after", "kill")
    with pytest.raises(Crash):
        await desk.advance(decision)
    wire.revive()
    desk.thread = "b"
    other = await desk.decide(await desk.decide(await desk.say("给 KL-778 补 70 美元积分，导游迟到")), actor=SUN)
    assert view(other).status == "done"
    desk.thread = "a"
    assert view(await desk.advance(decision)).status == "done"
    assert [payout["amount"] for payout in await desk.payouts()] == ["70", "40"]
    assert [each[1:] for each in await at_stake(desk)] == [("40", True), ("70", True)]


async def test_a_stake_stands_where_its_approval_leads_back_to_the_payment(desk: Desk, tmp_path: Path) -> None:
    """While the back office is away it counts: two supervisors' halves do not make up what only the manager may allow."""
    asked = await opened(desk, tmp_path, BACK)
    desk.backoffice.faults.add(Fault(mode="down", method="POST", times=None))
    held = await desk.advance(decides(desk, asked, WANG, option="allow"))
    assert (waits(held)[:2], await at_stake(desk)) == (("hold", "pay"), [("approval", "80", False)])
    desk.backoffice.faults.clear()
    assert waits(await opened(desk, tmp_path, BACK, thread="b"))[3] == "manager"
    desk.thread = "a"
    done = await desk.advance(desk.event("retry", request=view(held).waiting))
    assert (view(done).status, await at_stake(desk)) == ("done", [("approval", "80", True)])


@pytest.mark.parametrize("at", ["reserve", "aput"])
async def test_a_correction_that_is_given_up_leaves_what_was_at_stake(desk: Desk, tmp_path: Path, at: str) -> None:
    """The case still stands at 80, and so do the sums of others; nothing of the correction is left."""
    sure = await desk.decide(await opened(desk, tmp_path, SURE))
    assert waits(sure)[1] == "sure"
    wire = Tripwire(desk)
    wire.arm(at, "after" if at == "reserve" else "before", "kill")
    with pytest.raises(Crash):
        await desk.advance(desk.event("correct", LI, values={"amount": "20"}))
    wire.revive()
    await given_up(desk, "a")
    assert await at_stake(desk) == [("approval", "80", False)]
    assert waits(await opened(desk, tmp_path, SURE, "75", "b"))[3] == "manager"


async def test_what_a_checkpoint_may_hold_is_not_given_up(desk: Desk, tmp_path: Path) -> None:
    """The turn was written and only its record was not: its stake stands, whoever sets its event aside."""
    asked = await opened(desk, tmp_path, SURE)
    wire, decision = Tripwire(desk), desk.decision(asked)
    wire.arm("aput", "after", "kill")
    with pytest.raises(Crash):
        await desk.advance(decision)
    wire.revive()
    await given_up(desk, "a")
    assert await at_stake(desk) == [("approval", "80", False)]
    sure = await desk.advance(decision)
    done = await desk.advance(desk.event("answer", request=view(sure).waiting, values={"confirm": "yes"}))
    assert (view(done).status, await at_stake(desk)) == ("done", [("approval", "80", True)])


async def test_an_approval_that_is_not_asked_again_keeps_its_stake(desk: Desk, tmp_path: Path) -> None:
    """A correction of what it does not look at leads back before it: while the case waits there, others add up with it."""
    yes = {"confirm": "yes"}
    asked = await opened(desk, tmp_path, LOOK)
    asked = await desk.advance(desk.event("answer", request=view(asked).waiting, values=yes))
    assert waits(await desk.decide(asked))[1] == "sure"
    back = await desk.advance(desk.event("correct", LI, values={"contact_name": "李先生"}))
    assert (waits(back)[1], await at_stake(desk)) == ("look", [("approval", "80", False)])
    other = await opened(desk, tmp_path, LOOK, thread="b")
    assert waits(await desk.advance(desk.event("answer", request=view(other).waiting, values=yes)))[3] == "manager"


async def test_what_was_approved_is_free_once_another_amount_is_asked(desk: Desk, tmp_path: Path) -> None:
    """While that waits, nothing is at stake for it."""
    await desk.decide(await opened(desk, tmp_path, SURE))
    asked = await desk.advance(desk.event("correct", LI, values={"amount": "90"}))
    assert (waits(asked)[1], await at_stake(desk)) == ("approval", [])


def test_an_approval_that_falls_is_asked_anew() -> None:
    """Its stake is given back, and nothing of it is left on which a payment could be made later."""
    sop, state = shipped().sops["compensation"], new_run()
    stake = Stake(run="r", step="approval", amount="80", currency="USD", at="", level="supervisor", event="e").named()
    state.cursor, state.done = "collect", {"approval": "of other facts", "load_order": "d"}
    hold(state, Reserved(by="order_id", value="KL-1", keep=9, stake=stake))
    let_fall(state, sop)
    assert (state.reserved, [each.stake for each in state.left], state.done) == ({}, [stake], {"load_order": "d"})
    state.cursor = "submit"
    hold(state, Reserved(by="order_id", value="KL-1", keep=9, stake=stake))
    let_fall(state, sop)
    assert [each.stake for each in state.reserved.values()] == [stake]


async def test_an_approval_that_applies_no_more_has_nothing_at_stake(desk: Desk, tmp_path: Path) -> None:
    """An amount for which nobody is asked is paid: what was approved before is given back, not paid with it."""
    sure = await desk.decide(await opened(desk, tmp_path, SURE))
    sure = await desk.advance(desk.event("correct", LI, values={"amount": "10"}))
    while view(sure).waiting:
        sure = await desk.advance(desk.event("answer", request=view(sure).waiting, values={"confirm": "yes"}))
    assert (view(sure).status, [payout["amount"] for payout in await desk.payouts()]) == ("done", ["10"])
    assert await at_stake(desk) == []


async def test_what_a_person_found_to_be_paid_is_the_stake_of_that_payment(desk: Desk, tmp_path: Path) -> None:
    """Of two that wait the one of the step that was in doubt, not the last."""
    tool = replace(TOOLS["apply_compensation"], key="none")
    library = library_with(tmp_path / "sops", {"apply_compensation": tool}, compensation=PARTS)
    desk.engine.library, desk.engine.door.tools = library, library.words.tools
    desk.backoffice.faults.add(Fault(mode="error_after_commit", method="POST", times=1))
    asked = await desk.say("给 KL-778 补偿积分，导游迟到")
    told = {"amount": "80", "other": "5"}
    asked = await desk.advance(desk.event("answer", request=view(asked).waiting, values=told))
    parked = await desk.decide(await desk.decide(asked))
    assert waits(parked)[:2] == ("park", "one")
    desk.backoffice.faults.add(Fault(mode="down", method="POST", times=None))
    given = {"request": view(parked).waiting, "values": {"outcome": "paid"}, "reason": "asked the bank"}
    await desk.advance(desk.event("settle", ZHOU, **given))
    assert await at_stake(desk) == [("on_amount", "80", True), ("on_other", "5", False)]
