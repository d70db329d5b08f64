"""What an approval is held to is what it lets happen, also where it leads back to steps before it (law 7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.sop import Sop
from graph.state import RunState
from tests.unit.graph.builders import SHIPPED, WANG, library_with, money, shipped, word
from tests.unit.graph.memory import Memory, event
from tests.unit.graph.test_staking import HEAD

LEADS_BACK = HEAD + """\
  - {id: collect, kind: ask, fields: [amount, reason, comp_type, bank_account], prompt: {zh: 请补充, en: please complete}}
  - {id: sure, kind: confirm, fields: [amount, bank_account], on_no: {goto: collect, reset: [reason]}}
  - id: pay
    kind: choose
    actions:
      - tool: apply_compensation
        when: allowed == 'yes'
        args:
          order_id: order_id
          amount: amount
          comp_type: comp_type
          reason: reason
          bank_account: bank_account
          approver: approver
        save_as: comp
        limit: 1
        on: [{goto: closed}]
      - {name: request_review, on: [{goto: approval}]}
    on_exhausted: {goto: approval}
  - id: approval
    kind: approve
    tiers: [{level: manager}]
    options:
      - {id: allow, label: {zh: 同意, en: allow}, on: [{goto: sure}], set: {allowed: "'yes'"}}
      - {id: anew, label: {zh: 重查, en: look again}, on: [{goto: load}], set: {allowed: "'yes'"}}
      - {id: refuse, label: {zh: 不同意, en: refuse}, verdict: reject, on: [{goto: sure}]}
  - {id: closed, kind: check, rules: [order_paid]}
"""
BY_ON_APPROVE = (
    LEADS_BACK[: LEADS_BACK.index("    options:")].replace("allowed == 'yes'", "approver == 'manager'")
    + "    on_approve: {goto: sure}\n"
    + LEADS_BACK[LEADS_BACK.index("  - {id: closed") :]
)
ACCOUNT, OTHER = "6222000012345678", "6222000087654321"
FACTS = {
    "order_id": word("KL-502"),
    "amount": money("80"),
    "reason": word("迟到"),
    "comp_type": word("credit"),
    "bank_account": word(ACCOUNT),
}
CHANGES = {"amount": "70", "reason": "行程取消", "comp_type": "cash", "bank_account": OTHER}

pytestmark = pytest.mark.usefixtures("alone")


def sop_of(directory: Path, text: str) -> Sop:
    """The procedure of this text."""
    return library_with(directory, compensation=text).sops["compensation"]


async def said_yes(memory: Memory, run: RunState, number: int) -> RunState:
    """The run once its facts are confirmed."""
    assert run.request is not None and run.request.step == "sure", run.trail[-1]
    return await memory.drive(run, event("answer", run, number=number, values={"confirm": "yes"}))


async def asked(memory: Memory) -> RunState:
    """A run that waits for its approval."""
    run = memory.opened(1, FACTS)
    run = await said_yes(memory, await memory.drive(run, event("message", run)), 2)
    assert run.request is not None and run.request.step == "approval"
    return run


async def decided(memory: Memory, run: RunState, number: int, verdict: str = "approve", option: str = "allow") -> RunState:
    """The run after the decision."""
    offers = run.request is not None and bool(run.request.options)
    given = {"values": {"option": option}} if offers else {}
    return await memory.drive(run, event("decision", run, WANG, number, verdict=verdict, reason="ok", **given))


def made(memory: Memory) -> list[str]:
    """What was written."""
    return [name for name, _ in memory.door.writes]


@pytest.mark.parametrize("text", [LEADS_BACK, BY_ON_APPROVE])
@pytest.mark.parametrize("name", CHANGES)
async def test_what_is_corrected_after_it_led_back_is_approved_anew(name: str, text: str, tmp_path: Path) -> None:
    """Nothing is paid for what an agent changed at a step before the approval, wherever the file has it lead back from."""
    memory = Memory(library_with(tmp_path / "sops", compensation=text))
    run = await decided(memory, await asked(memory), 3)
    run = await memory.drive(run, event("correct", run, number=4, values={name: CHANGES[name]}))
    run = await said_yes(memory, run, 5)
    assert made(memory) == []
    assert run.request is not None and run.request.step == "approval"
    run = await said_yes(memory, await decided(memory, run, 6), 7)
    assert (run.status, made(memory)) == ("done", ["apply_compensation"])


@pytest.mark.parametrize("text", [LEADS_BACK, BY_ON_APPROVE])
async def test_what_stays_as_approved_is_paid_once_it_led_back(text: str, tmp_path: Path) -> None:
    """One approval is enough where nothing changes."""
    memory = Memory(library_with(tmp_path / "sops", compensation=text))
    run = await said_yes(memory, await decided(memory, await asked(memory), 3), 4)
    assert (run.status, made(memory)) == ("done", ["apply_compensation"])


async def test_what_a_fallen_approval_allowed_is_not_allowed_any_more(tmp_path: Path) -> None:
    """What its option made known falls with it: who refuses the changed case has not let the old permission pay it."""
    memory = Memory(library_with(tmp_path / "sops", compensation=LEADS_BACK))
    run = await decided(memory, await asked(memory), 3)
    run = await memory.drive(run, event("correct", run, number=4, values={"bank_account": OTHER}))
    run = await said_yes(memory, run, 5)
    assert "allowed" not in run.facts
    run = await said_yes(memory, await decided(memory, run, 6, "reject", "refuse"), 7)
    assert made(memory) == []
    assert run.request is not None and run.request.step == "approval"


async def test_a_rejection_ends_what_was_approved_before(tmp_path: Path) -> None:
    """An approval that was given, asked anew and refused binds no more, and what it allowed is not allowed."""
    text = LEADS_BACK.replace("limit: 1\n        on: [{goto: closed}]", "limit: 1\n        on: [{goto: approval}]")
    memory = Memory(library_with(tmp_path / "sops", compensation=text))
    run = await said_yes(memory, await decided(memory, await asked(memory), 3), 4)
    assert run.bound["approval"] and run.facts["allowed"].value == "yes"
    run = await decided(memory, run, 5, "reject", "refuse")
    assert (run.bound, "allowed" in run.facts) == ({}, False)


async def test_another_decision_on_changed_facts_does_not_take_over_what_the_first_allowed(tmp_path: Path) -> None:
    """Each permission is for the facts that it was given for."""
    other = "      - {id: other, label: {zh: 继续, en: go on}, on: [{goto: sure}]}\n      - {id: refuse"
    text = LEADS_BACK.replace("on_no: {goto: collect, reset: [reason]}", "on_no: {goto: approval}")
    memory = Memory(library_with(tmp_path / "sops", compensation=text.replace("      - {id: refuse", other)))
    run = await decided(memory, await asked(memory), 3)
    run = await memory.drive(run, event("correct", run, number=4, values={"bank_account": OTHER}))
    run = await memory.drive(run, event("answer", run, number=5, values={"confirm": "no"}))
    run = await said_yes(memory, await decided(memory, run, 6, option="other"), 7)
    assert made(memory) == []
    assert run.request is not None and run.request.step == "approval"


async def test_an_approval_that_expired_when_asked_anew_ends_the_one_before(tmp_path: Path) -> None:
    """Where the file then leads the case on, it goes on without what had been allowed."""
    text = LEADS_BACK.replace("limit: 1\n        on: [{goto: closed}]", "limit: 1\n        on: [{goto: approval}]")
    expires = "tiers: [{level: manager, expire_after: 1d}]\n    on_expire: {goto: sure}"
    memory = Memory(library_with(tmp_path / "sops", compensation=text.replace("tiers: [{level: manager}]", expires)))
    run = await said_yes(memory, await decided(memory, await asked(memory), 3), 4)
    assert run.request is not None and run.request.step == "approval"
    run = await memory.drive(run, event("timer", run, number=5, timer=f"{run.request.id}/expire"))
    assert run.request is not None and run.request.step == "sure"
    assert (run.bound, "allowed" in run.facts) == ({}, False)


async def test_what_the_decision_itself_forgets_does_not_undo_it(tmp_path: Path) -> None:
    """A fact that its way resets is not one that it was given for."""
    text = LEADS_BACK.replace("en: allow}, on: [{goto: sure}]", "en: allow}, on: [{goto: sure, reset: [bank_account]}]")
    memory = Memory(library_with(tmp_path / "sops", compensation=text))
    run = await said_yes(memory, await decided(memory, await asked(memory), 3), 4)
    assert (run.status, made(memory)) == ("done", ["apply_compensation"])


async def test_what_the_desk_reads_again_by_decision_is_not_held_to_what_it_was(tmp_path: Path) -> None:
    """An option that leads to the reading step lets it read something else; one that leads past it does not."""
    text = LEADS_BACK.replace("when: allowed", "when: order.payment_status == 'paid' and allowed")
    for option, held in (("anew", False), ("allow", True)):
        memory = Memory(library_with(tmp_path / option, compensation=text))
        run = await decided(memory, await asked(memory), 3, option=option)
        assert ("order" in run.bound["approval"]) is held
        order = run.facts["order"]
        assert isinstance(order.value, dict)
        run.facts = {**run.facts, "order": order.model_copy(update={"value": {**order.value, "note": word("new")}})}
        run = await said_yes(memory, run, 4)
        assert made(memory) == ([] if held else ["apply_compensation"])


async def test_what_an_older_desk_has_bound_beyond_is_let_be(tmp_path: Path) -> None:
    """An open case of the version before is not asked anew for a fact that no approval is held to now."""
    memory = Memory(library_with(tmp_path / "sops", compensation=LEADS_BACK))
    run = await decided(memory, await asked(memory), 3)
    run.bound = {"approval": {**run.bound["approval"], "progress": "another"}}
    run = await said_yes(memory, run, 4)
    assert (run.status, made(memory)) == ("done", ["apply_compensation"])


def test_an_approval_is_held_to_what_its_ways_look_at() -> None:
    """Of the shipped procedures: those that go forward to all they read afterwards, the review to what the way that it
    leads by looks at, and never to where the case stands."""
    sops = shipped().sops
    assert set(sops["compensation"].beyond("approval")) == {"order_id", "amount", "comp_type", "reason", "bank_account"}
    assert set(sops["refund"].beyond("approval")) == {"order_id", "refundable", "reason", "bank_account"}
    review = sops["refund_arrival"]
    assert {"refund", "order"} <= set(review.beyond("need_review", "waiting_payment"))
    assert not {"refund", "order"} & set(review.beyond("need_review", "init"))
    assert not {"progress", "approver", "retry"} & set(review.beyond("need_review"))


def test_what_people_may_tell_by_the_way_is_held_as_it_was_known(tmp_path: Path) -> None:
    """A wait that listens for a fact makes it no other one: whoever tells another has it approved."""
    text = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    pause = "\n  - {id: rest, kind: wait, for: 1h, listen: [bank_account]}\n\n  - id: submit\n"
    assert "bank_account" in sop_of(tmp_path / "sops", text.replace("\n  - id: submit\n", pause)).beyond("approval")


def test_the_card_is_of_what_the_decision_leads_to(tmp_path: Path) -> None:
    """What is read before the next pause, wherever approving leads, is decided on."""
    text = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    pause = "    on_approve: {goto: submit}\n\n  - {id: stop, kind: wait, for: 1h}\n\n  - id: submit\n"
    sop = sop_of(tmp_path / "sops", text.replace("\n  - id: submit\n", pause))
    assert sop.ahead("approval") == shipped().sops["compensation"].ahead("approval")


def test_what_leads_only_back_to_the_approval_is_not_held(tmp_path: Path) -> None:
    """An error that sends the case back to be asked anew adds nothing to what was approved."""
    text = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    saved = "    save_as: compensation\n"
    back = text.replace(saved, f"{saved}    on_error: {{default: {{goto: bank_info}}}}\n")
    before, now = sop_of(tmp_path / "a", text), sop_of(tmp_path / "b", back)
    assert now.beyond("approval") == before.beyond("approval")


def test_a_payment_that_no_approval_lets_happen_is_not_held_by_it(tmp_path: Path) -> None:
    """Only what can be come to from where it leads, before it is asked again."""
    sop = sop_of(tmp_path, LEADS_BACK)
    assert sop.reaches("approval", "pay")
    assert not sop.reaches("approval", "approval")
    forward = shipped().sops["compensation"]
    assert forward.reaches("approval", "note")
    assert not forward.reaches("approval", "load_order")
