"""Other procedures than the shipped one: every kind of step, going back, and runs that keep their own text."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.errors import StateLost
from graph.sop import Vocabulary
from tests.unit.graph.builders import KIM, SHIPPED, START, T4, T6, WANG, ZHAO, Desk, library_with, plain, view, waits

REFUND = """\
name: refund
title: {zh: 退款, en: refund}
description: {zh: 退款, en: refund}
fields: [order_id, amount, comp_type]
steps:
"""
CONFIRM = (
    REFUND
    + """\
  - id: load
    kind: call
    tool: get_order
    args: {order_id: order_id}
    save_as: order
    on_error: {not_found: {goto: which, reset: [order_id]}}
  - id: judge
    kind: check
    rules: [order_paid, no_open_compensation]
    on_fail: {no_open_compensation: {goto: which, reset: [order_id]}}
  - {id: which, kind: ask, fields: [order_id], prompt: {zh: 哪一单, en: Which order}}
  - id: again
    kind: call
    tool: get_order
    args: {order_id: order_id}
    save_as: order_again
  - {id: collect, kind: ask, fields: [amount, comp_type], prompt: {zh: 金额和方式, en: Amount and way}}
  - id: sure
    kind: confirm
    fields: [order_id, amount, comp_type]
    prompt: {zh: 对吗, en: 'Right?'}
    on_no: {goto: collect, reset: [amount]}
  - id: submit
    kind: call
    tool: apply_compensation
    args: {order_id: order_id, amount: amount, comp_type: comp_type, reason: "'退款'", approver: "'System'"}
    save_as: paid
"""
)
ENDLESS = (
    REFUND
    + """\
  - id: load
    kind: call
    tool: get_order
    args: {order_id: order_id}
    save_as: order
    on_error: {goto: load}
"""
)
ENDLESS_CHECK = (
    REFUND
    + """\
  - {id: load, kind: call, tool: get_order, args: {order_id: order_id}, save_as: order}
  - {id: judge, kind: check, rules: [order_paid], on_fail: {goto: load}}
"""
)
TWO_GATES = (
    REFUND
    + """\
  - {id: first, kind: approve, tiers: [{max: 10, level: auto}, {level: supervisor}], on_reject: {goto: collect}}
  - {id: second, kind: approve, tiers: [{max: 10, level: auto}, {level: manager}], on_reject: {goto: first}}
  - {id: collect, kind: ask, fields: [amount], prompt: {zh: 金额, en: Amount}}
  - id: submit
    kind: call
    tool: apply_compensation
    args: {order_id: order_id, amount: amount, comp_type: comp_type, reason: "'退款'", approver: approver}
    save_as: paid
"""
)
UNDECIDED = (
    REFUND
    + """\
  - {id: load, kind: call, when: comp_type == 'cash', tool: get_order, args: {order_id: order_id}, save_as: order}
"""
)
INCOMPARABLE = (
    REFUND
    + """\
  - {id: load, kind: call, when: amount > 'much', tool: get_order, args: {order_id: order_id}, save_as: order}
"""
)
REPEATED = (
    REFUND
    + """\
  - id: submit
    kind: call
    tool: apply_compensation
    args: {order_id: order_id, amount: amount, comp_type: comp_type, reason: "'退款'", approver: "'System'"}
    save_as: paid
    repeat: REPEAT
  - {id: sure, kind: confirm, fields: [amount], on_no: {goto: submit}}
"""
)
PAID_ONCE = (
    REFUND
    + """\
  - {id: collect, kind: ask, fields: [amount], prompt: {zh: 金额, en: Amount}}
  - id: submit
    kind: call
    tool: apply_compensation
    args: {order_id: order_id, amount: amount, comp_type: comp_type, reason: "'退款'", approver: "'System'"}
    save_as: paid
  - {id: sure, kind: confirm, fields: [amount], on_no: {goto: collect, reset: [amount]}}
"""
)


async def use(desk: Desk, directory: Path, text: str) -> None:
    """The desk works by this procedure from now on."""
    desk.engine.library = library_with(directory / "sops", refund=text)


async def test_a_confirmation_is_waited_for_and_a_yes_pays(desk: Desk, tmp_path: Path) -> None:
    """With what is confirmed on the card."""
    await use(desk, tmp_path, CONFIRM)
    waiting = await desk.say("KL-778 退款 40 美元，积分")
    assert waits(waiting)[:2] == ("confirm", "sure")
    request = view(waiting).open_request()
    assert request is not None
    assert ([field.name for field in request.fields], [route.kind for route in request.routes]) == (
        ["order_id", "amount", "comp_type"],
        ["credit"],
    )
    assert await desk.payouts() == []
    done = await desk.say("对")
    assert (view(done).status, len(await desk.payouts())) == ("done", 1)


async def test_a_yes_said_before_the_question_does_not_count(desk: Desk, tmp_path: Path) -> None:
    """Nor one that says no as well."""
    await use(desk, tmp_path, CONFIRM)
    waiting = await desk.advance(desk.event("message", text="KL-778 退款 40 美元，积分", said_at=START))
    early = await desk.advance(desk.event("message", text="对", said_at=START))
    assert (early.replies[0].code, view(early)) == ("said_before", view(waiting))
    unsure = await desk.say("对，不对")
    assert waits(unsure) == ("ask", "collect", ["amount"], None)
    assert await desk.payouts() == []


async def test_a_confirmation_corrected_is_asked_again(desk: Desk, tmp_path: Path) -> None:
    """With the new value; reads that do not depend on it are not made again."""
    await use(desk, tmp_path, CONFIRM)
    waiting = await desk.say("KL-778 退款 40 美元，积分")
    desk.forget_calls()
    corrected = await desk.say("30 美元")
    assert (waits(corrected)[:2], plain(corrected)["amount"], desk.called()) == (("confirm", "sure"), "30", [])
    assert view(corrected).waiting != view(waiting).waiting
    other = await desk.advance(desk.event("answer", values={"order_id": "KL-502", "amount": "30"}))
    assert (waits(other)[:2], plain(other)["order_id"]) == (("confirm", "sure"), "KL-502")
    assert desk.called() == ["GET /orders/KL-502", "GET /orders/KL-502"]
    await desk.advance(desk.event("answer", values={"confirm": "yes"}))
    [payout] = await desk.payouts()
    assert (payout["order_id"], payout["amount"]) == ("KL-502", "30")


async def test_an_error_leads_where_the_file_says(desk: Desk, tmp_path: Path) -> None:
    """The unknown order is forgotten and asked for by the step that the file names."""
    await use(desk, tmp_path, CONFIRM)
    asked = await desk.say("KL-999 退款 40 美元，积分")
    assert waits(asked) == ("ask", "which", ["order_id"], None)
    assert waits(await desk.say("KL-778"))[:2] == ("confirm", "sure")


async def test_a_failed_rule_leads_where_the_file_says(desk: Desk, tmp_path: Path) -> None:
    """By rule; another rule of the same step stops."""
    await use(desk, tmp_path, CONFIRM)
    asked = await desk.say("KL-315 退款 40 美元，积分")
    assert waits(asked) == ("ask", "which", ["order_id"], None)
    desk.thread = "unpaid"
    stopped = view(await desk.say("KL-901 退款 40 美元，积分"))
    assert (stopped.status, stopped.stopped and stopped.stopped.rule) == ("stopped", "order_paid")


@pytest.mark.parametrize(("text", "order"), [(ENDLESS, "KL-999"), (ENDLESS_CHECK, "KL-901")])
async def test_going_back_without_anybody_being_asked_comes_to_an_end(
    desk: Desk, tmp_path: Path, text: str, order: str
) -> None:
    """The case stops and says where it went round; the back office is left in peace."""
    await use(desk, tmp_path, text)
    stopped = view(await desk.say(f"{order} 退款 40 美元，积分"))
    assert (stopped.status, stopped.trail[-1].reason) == ("stopped", "endless")
    assert len(desk.called()) <= 10


@pytest.mark.parametrize("text", [UNDECIDED, INCOMPARABLE])
async def test_a_condition_that_cannot_be_judged_stops_the_case(desk: Desk, tmp_path: Path, text: str) -> None:
    """It is neither true nor false: nothing is called, and the reason names the condition."""
    await use(desk, tmp_path, text)
    stopped = view(await desk.say("KL-778 退款 40 美元"))
    assert (stopped.status, desk.called()) == ("stopped", [])
    assert stopped.stopped is not None
    assert "'" in stopped.stopped.why.en


async def test_two_gates_are_two_decisions(desk: Desk, tmp_path: Path) -> None:
    """The first click never opens the second gate, and a manager's level is a manager's."""
    await use(desk, tmp_path, TWO_GATES)
    first = await desk.say("KL-778 退款 40 美元，积分")
    second = await desk.decide(first)
    assert waits(second) == ("approve", "second", [], "manager")
    assert (await desk.decide(first, actor=KIM)).replies[0].code == "decided"
    assert (await desk.decide(second, actor=WANG)).replies[0].code == "not_listed"
    done = await desk.decide(second, actor=ZHAO)
    [payout] = await desk.payouts()
    assert (view(done).status, payout["approver"]) == ("done", "manager")


async def test_a_correction_between_two_gates_goes_back_to_the_first(desk: Desk, tmp_path: Path) -> None:
    """What was approved was another amount; below the limit nobody has approved it."""
    await use(desk, tmp_path, TWO_GATES)
    second = await desk.decide(await desk.say("KL-778 退款 40 美元，积分"))
    again = await desk.advance(desk.event("correct", values={"amount": "30"}))
    assert waits(again) == ("approve", "first", [], "supervisor")
    assert {"approver", "approved_by"} & plain(again).keys() == set()
    assert view(second).waiting != view(again).waiting
    done = await desk.advance(desk.event("correct", values={"amount": "10"}))
    assert (view(done).status, plain(done)["approver"], "approved_by" in plain(done)) == ("done", "System", False)


async def test_a_rejection_at_the_second_gate_goes_back_through_the_first(desk: Desk, tmp_path: Path) -> None:
    """Going back runs everything from there again."""
    await use(desk, tmp_path, TWO_GATES)
    second = await desk.decide(await desk.say("KL-778 退款 40 美元，积分"))
    back = await desk.decide(second, "reject", actor=ZHAO, reason="再看一下")
    assert waits(back) == ("approve", "first", [], "supervisor")
    assert waits(await desk.decide(back)) == ("approve", "second", [], "manager")


@pytest.mark.parametrize(("repeat", "payouts"), [("false", 1), ("true", 2)])
async def test_a_write_that_is_done_is_passed_by_unless_it_says_repeat(
    desk: Desk, tmp_path: Path, repeat: str, payouts: int
) -> None:
    """Going back over it."""
    await use(desk, tmp_path, REPEATED.replace("REPEAT", repeat))
    waiting = await desk.say("KL-778 退款 40 美元，积分")
    assert (waits(waiting)[:2], len(await desk.payouts())) == (("confirm", "sure"), 1)
    again = await desk.say("不")
    assert (waits(again)[:2], len(await desk.payouts())) == (("confirm", "sure"), payouts)


async def test_a_write_that_is_done_is_passed_by_though_its_facts_are_others_now(desk: Desk, tmp_path: Path) -> None:
    """What was paid was paid; nothing is sent, and nothing is in doubt."""
    await use(desk, tmp_path, PAID_ONCE)
    await desk.say("KL-778 退款 40 美元，积分")
    assert waits(await desk.say("不")) == ("ask", "collect", ["amount"], None)
    desk.forget_calls()
    again = await desk.say("30 美元")
    assert (waits(again)[:2], desk.called()) == (("confirm", "sure"), [])
    assert [payout["amount"] for payout in await desk.payouts()] == ["40"]


async def test_editing_the_file_never_bends_a_running_case(desk: Desk, tmp_path: Path) -> None:
    """It goes on by the text it began with; the next case goes by the new one."""
    old = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    waiting = await desk.say("给 KL-502 补偿一下，客人包车迟到两小时")
    desk.engine.library = library_with(
        tmp_path / "sops", compensation=old.replace("max: 500,", "max: 1000,").replace("max: 50,", "max: 5,")
    )
    at_old = await desk.say("600 美元，退回卡里")
    assert waits(at_old) == ("approve", "approval", [], "manager")
    assert view(at_old).version == view(waiting).version
    assert view(await desk.decide(at_old, actor=ZHAO)).status == "done"
    desk.thread = "new"
    at_new = await desk.say(T4.replace("300", "380"))  # with the 600 that were paid, 980
    assert waits(at_new) == ("approve", "approval", [], "supervisor")
    assert view(at_new).version != view(waiting).version


async def test_a_decision_on_the_old_text_counts_for_the_old_text(desk: Desk, tmp_path: Path) -> None:
    """Editing the file does not undo an open request either."""
    old = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    waiting = await desk.say(T4)
    desk.engine.library = library_with(tmp_path / "sops", compensation=old + "\n# a remark\n")
    assert view(await desk.decide(waiting)).status == "done"


async def test_a_case_whose_words_are_gone_says_what_to_restore(desk: Desk, tmp_path: Path) -> None:
    """A tool that was taken away: nothing is carried out by guess."""
    waiting = await desk.say(T4)
    library = library_with(tmp_path / "sops")
    words = library.words
    gone = Vocabulary(
        fields=words.fields, tools={"get_order": words.tools["get_order"]}, rules=words.rules, authority=words.authority
    )
    desk.engine.library = type(library)(words=gone, sops={}, handbook=library.handbook)
    with pytest.raises(StateLost, match="no longer carry; restore what it names"):
        await desk.decide(waiting)
    assert await desk.payouts() == []


async def test_a_procedure_that_was_taken_away_ends_what_it_began(desk: Desk, tmp_path: Path) -> None:
    """The run keeps its text; a new case cannot be opened by it."""
    waiting = await desk.say(T4)
    desk.engine.library = library_with(tmp_path / "sops")
    assert view(await desk.decide(waiting)).status == "done"
    desk.thread = "new"
    assert (await desk.say(T6)).view is None
