"""What is written is what was approved: checked when the decision is applied, and again at the write (law 7)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from graph.library import Library
from graph.model import Fact
from graph.state import RunState
from tests.unit.graph.builders import LI, SHIPPED, WANG, ZHAO, Desk, library_with, money, shipped, view, waits, word
from tests.unit.graph.memory import Memory, event

LATER = """\
  - id: voucher
    kind: ask
    fields: [bank_account]
    prompt: {zh: 收款账户, en: Account}

  - id: submit
"""
"""A pause between the approval and the payout: what the payout reads beyond it stands in no digest of the card."""
FACTS = {"order_id": word("KL-502"), "amount": money("80"), "reason": word("迟到"), "comp_type": word("credit")}


def paused(directory: Path) -> Library:
    """The shipped procedure with one more question between the approval and the payout."""
    text = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    return library_with(directory, compensation=text.replace("  - id: submit\n", LATER))


async def approved(memory: Memory) -> RunState:
    """A run that was approved and waits for the account."""
    run = memory.opened(1, FACTS)
    run = await memory.drive(run, event("message", run))
    run = await memory.drive(run, event("decision", run, WANG, 2, verdict="approve"))
    assert run.request is not None and (run.request.kind, run.request.step) == ("ask", "voucher")
    return run


def other(fact: Fact) -> list[Fact | None]:
    """The fact in every way different: another value, another type, another currency, gone."""
    changed: list[Fact | None] = [None, fact.model_copy(update={"value": f"{fact.value}1"})]
    if fact.type == "money":
        changed.append(fact.model_copy(update={"currency": "EUR"}))
    else:
        changed.append(Fact(type="choice" if fact.type == "text" else "text", value=fact.value))
    return changed


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", FACTS)
async def test_a_fact_that_changed_after_the_approval_is_not_written(name: str, tmp_path: Path) -> None:
    """Whoever or whatever changed it in the stored state: nothing is paid, the record says which fact it was, and it is
    asked of an approver again."""
    for changed in other(FACTS[name]):
        memory = Memory(paused(tmp_path / "sops"))
        run = await approved(memory)
        facts = {key: fact for key, fact in run.facts.items() if key != name}
        run.facts = facts if changed is None else {**facts, name: changed}
        run = await memory.drive(run, event("answer", run, LI, 3, values={"bank_account": "6222000012345678"}))
        assert memory.door.writes == []
        assert run.request is not None
        if changed is None:
            assert (run.request.kind, run.request.missing) == ("ask", [name])
            continue
        entry = next(each for each in run.trail if each.what == "unbound")
        assert (entry.step, entry.goto, entry.fields) == ("submit", "approval", [name])
        assert (run.request.kind, run.request.step) == ("approve", "approval")


@pytest.mark.usefixtures("alone")
async def test_what_was_told_after_the_approval_does_not_undo_it(tmp_path: Path) -> None:
    """A fact that did not exist when it was decided could not have been decided on."""
    memory = Memory(paused(tmp_path / "sops"))
    run = await approved(memory)
    run = await memory.drive(run, event("answer", run, LI, 3, values={"bank_account": "6222000012345678"}))
    assert (run.status, [name for name, _ in memory.door.writes]) == ("done", ["apply_compensation", "add_booking_note"])


async def test_a_correction_after_the_approval_is_approved_anew(desk: Desk, tmp_path: Path) -> None:
    """By the form, at a later question, of each fact that people told: no payout until somebody approves what is so now."""
    desk.engine.library = paused(tmp_path / "sops")
    changes = {"order_id": "KL-1001", "amount": "70", "reason": "行程取消", "comp_type": "cash"}
    for number, (name, value) in enumerate(changes.items()):
        desk.thread = f"T1:C1:{number}"
        waiting = await desk.say("给 KL-502 补 80 积分，客人包车迟到两小时")
        later = await desk.decide(waiting)
        assert waits(later)[1] == "voucher"
        changed = await desk.advance(desk.event("correct", values={name: value}))
        if waits(changed)[1] == "voucher":
            changed = await desk.advance(
                desk.event("answer", request=view(changed).waiting, values={"bank_account": "6222000012345678"})
            )
        assert waits(changed)[:2] == ("approve", "approval"), name
        assert await desk.payouts() == []


@pytest.mark.usefixtures("alone")
async def test_a_thousand_unchanged_runs_are_all_paid() -> None:
    """None is blocked, whatever the amount, the way, the words and who decides."""
    draw = random.Random(7)
    memory = Memory(shipped())
    for number in range(1000):
        amount = f"{draw.randint(5001, 199999) / 100:.2f}"
        words = "".join(chr(draw.choice((draw.randint(0x4E00, 0x9FA5), draw.randint(32, 126)))) for _ in range(12))
        way = draw.choice(("cash", "credit"))
        memory.door.balance = draw.choice(("0", "100000", amount))
        told = {"amount": money(amount), "reason": word(words), "comp_type": word(way)}
        run = memory.opened(number, {"order_id": word(f"KL-{1000 + number}"), **told})
        run = await memory.drive(run, event("message", run))
        if run.request is not None and run.request.kind == "ask":
            run = await memory.drive(run, event("answer", run, LI, 2, values={"bank_account": "6222000012345678"}))
        run = await memory.drive(run, event("decision", run, ZHAO, 3, verdict="approve"))
        assert run.status == "done", (number, run.trail[-1])
    assert len(memory.door.writes) == 2000
