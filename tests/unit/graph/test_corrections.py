"""Corrections: the case stands as if it had been right at once, and nothing is read or asked that still stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.corrections import begins_write, fallen, forget, resume_at
from graph.model import Actor, Outcome, Request, Route, RunView
from tests.unit.graph.builders import (
    ACCOUNT,
    LI,
    T1,
    TOOLS,
    WANG,
    ZHAO,
    ZHOU,
    Desk,
    library_with,
    plain,
    shipped,
    view,
    waits,
    word,
)
from tests.unit.graph.test_staking import HEAD, PAY
from tests.unit.graph.test_state import run as new_run

SOP = shipped().sops["compensation"]
BALANCE = "GET /orders/KL-778/gateway-balance"


async def correct(desk: Desk, **values: str) -> Outcome:
    """The form that corrects."""
    return await desk.advance(desk.event("correct", values=values))


def stands(shown: RunView) -> dict[str, object]:
    """The facts, without what is different in every run."""
    return {name: value for name, value in shown.plain.items() if name not in ("compensation", "note")}


@pytest.mark.parametrize(
    ("changed", "step"),
    [
        (["order_id"], "load_order"),
        (["order"], "eligibility"),
        (["amount"], "collect"),
        (["reason"], "collect"),
        (["comp_type"], "collect"),
        (["gateway_balance"], "bank_info"),
        (["bank_account"], "bank_info"),
        (["reason", "order_id"], "load_order"),
        (["compensation"], "approval"),
        ([], "approval"),
    ],
)
def test_a_correction_goes_on_from_the_first_step_that_looks_at_it(changed: list[str], step: str) -> None:
    """No later than where the case stands."""
    assert resume_at(SOP, "approval", changed) == step


def test_what_was_derived_falls_and_what_was_told_stands() -> None:
    """The order and the balance go with the order number, an approval with the amount; the account is a person's word."""
    made = {
        "order": "load_order",
        "gateway_balance": "gateway_balance",
        "bank_account": "bank_info",
        "approver": "approval",
        "approved_by": "approval",
    }
    assert fallen(SOP, made, ["order_id"]) == ["order", "gateway_balance", "approver", "approved_by"]
    assert fallen(SOP, made, ["reason"]) == ["approver", "approved_by"]
    assert fallen(SOP, made, ["comp_type"]) == ["gateway_balance", "approver", "approved_by"]
    assert fallen(SOP, made, []) == []
    assert fallen(SOP, {"order": "elsewhere"}, ["order_id"]) == []


def test_a_step_whose_fact_fell_is_carried_out_again() -> None:
    """Though what it looks at comes out the same in the end."""
    run = new_run(facts={"order": word("a"), "x": word("b")}, made={"order": "load"}, done={"load": "1", "ask": "2"})
    forget(run, ["order", "nowhere"])
    assert (list(run.facts), run.done, run.made) == (["x"], {"ask": "2"}, {})


def test_a_write_is_told_from_a_read() -> None:
    """By its tool."""
    waiting = {tool: Request(id="r", kind="hold", step="s", made_at="", tool=tool) for tool in TOOLS}
    told = [tool for tool, request in waiting.items() if begins_write(request, TOOLS)]
    assert told == [name for name, tool in TOOLS.items() if tool.write]
    assert "apply_compensation" in told and "get_order" not in told
    assert not begins_write(Request(id="r", kind="ask", step="s", made_at=""), TOOLS)


AT_APPROVAL = [
    (
        "order_id",
        "KL-502",
        {"order_id": "KL-502"},
        "给 KL-502 补 80 美元现金，商户漏发接送",
        [],
        ["GET /orders/KL-502", "GET /orders/KL-502/gateway-balance"],
    ),
    ("order_id", "KL-901", {"order_id": "KL-901"}, "给 KL-901 补 80 美元现金，商户漏发接送", [], ["GET /orders/KL-901"]),
    ("order_id", "KL-315", {"order_id": "KL-315"}, "给 KL-315 补 80 美元现金，商户漏发接送", [], ["GET /orders/KL-315"]),
    ("amount", "90", {"amount": "90"}, "给 KL-778 补 90 美元现金，商户漏发接送", [ACCOUNT], []),
    ("amount", "60", {"amount": "60"}, "给 KL-778 补 60 美元现金，商户漏发接送", [], []),
    ("amount", "600", {"amount": "600"}, "给 KL-778 补 600 美元现金，商户漏发接送", [ACCOUNT], []),
    ("reason", "导游迟到", {"reason": "导游迟到"}, "给 KL-778 补 80 美元现金，导游迟到", [ACCOUNT], []),
    ("comp_type", "credit", {"comp_type": "credit"}, "给 KL-778 补 80 积分，商户漏发接送", [], []),
    ("bank_account", "工商银行 6222 0000 9999", {}, T1, ["工商银行 6222 0000 9999"], []),
]


@pytest.mark.parametrize(
    ("field", "value", "fact", "at_once", "answers", "calls"), AT_APPROVAL, ids=[f"{c[0]}={c[1]}" for c in AT_APPROVAL]
)
async def test_corrected_at_the_approval_it_stands_as_if_right_at_once(
    desk: Desk, field: str, value: str, fact: dict[str, str], at_once: str, answers: list[str], calls: list[str]
) -> None:
    """The same facts, the same wait or end; reads that still stand are not made again."""
    await desk.say(T1)
    await desk.say(ACCOUNT)
    desk.forget_calls()
    corrected = await correct(desk, **{field: value})
    assert desk.called() == calls
    desk.thread = "right at once"
    right = await desk.say(at_once)
    for answer in answers:
        right = await desk.say(answer)
    assert stands(view(corrected)) == stands(view(right))
    assert plain(corrected).items() >= fact.items()
    if view(right).status == "waiting":
        assert waits(corrected) == waits(right)
        done = await desk.decide(corrected, actor=decider(corrected))
        await desk.backoffice.reset()
        assert view(done).status == "done"
        assert routes(done) == routes(await desk.decide(right, actor=decider(right)))
    else:
        assert (view(corrected).status, rule(corrected)) == (view(right).status, rule(right))


def decider(outcome: Outcome) -> Actor:
    """The first person of the level that is asked."""
    return {"supervisor": WANG, "manager": ZHAO}[str(waits(outcome)[3])]


def routes(outcome: Outcome) -> list[Route]:
    """Where the money went."""
    result = view(outcome).result
    assert result is not None
    return result.routes


def rule(outcome: Outcome) -> str | None:
    """What stopped it."""
    stopped = view(outcome).stopped
    return stopped.rule if stopped else None


@pytest.mark.parametrize(
    ("values", "calls", "after"),
    [
        ({"order_id": "KL-502"}, ["GET /orders/KL-502"], ("ask", "collect", ["comp_type"], None)),
        ({"amount": "30"}, [], ("ask", "collect", ["comp_type"], None)),
        ({"reason": "导游迟到"}, [], ("ask", "collect", ["comp_type"], None)),
        ({"comp_type": "credit"}, [], ("approve", "approval", [], "supervisor")),
        ({"comp_type": "cash"}, [BALANCE], ("ask", "bank_info", ["bank_account"], None)),
    ],
    ids=["order", "amount", "reason", "credit", "cash"],
)
async def test_corrected_at_the_first_question(
    desk: Desk, values: dict[str, str], calls: list[str], after: tuple[str, str, list[str], str | None]
) -> None:
    """Also what was asked for may be given so; the question stays for what is missing."""
    waiting = await desk.say("给 KL-778 补 80 美元，商户漏发接送")
    assert waits(waiting) == ("ask", "collect", ["comp_type"], None)
    desk.forget_calls()
    corrected = await correct(desk, **values)
    assert (waits(corrected), desk.called()) == (after, calls)
    assert plain(corrected).items() >= values.items()


async def test_corrected_at_the_question_for_the_account(desk: Desk) -> None:
    """An amount that the balance covers needs no account, and goes on without one."""
    await desk.say(T1)
    corrected = await correct(desk, amount="60")
    assert waits(corrected) == ("approve", "approval", [], "supervisor")
    done = await desk.decide(corrected)
    [payout] = await desk.payouts()
    assert (view(done).status, payout["resources"]) == (
        "done",
        [{"kind": "gateway", "amount": "60", "currency": "USD", "account": None}],
    )


async def test_an_account_that_is_not_needed_any_more_is_not_sent(desk: Desk) -> None:
    """From cash to credit, nothing of the account is left."""
    await desk.say(T1)
    await desk.say(ACCOUNT)
    corrected = await correct(desk, comp_type="credit")
    assert {"bank_account", "gateway_balance"} & plain(corrected).keys() == set()
    await desk.decide(corrected)
    [payout] = await desk.payouts()
    assert payout["resources"] == [{"kind": "credit", "amount": "80", "currency": "USD", "account": None}]


async def test_a_request_that_was_built_on_it_is_withdrawn(desk: Desk) -> None:
    """Its card names the new one, and a click on it is told what changed."""
    await desk.say(T1)
    old = await desk.say(ACCOUNT)
    new = await correct(desk, amount="90")
    closed = next(each for each in view(new).requests if each.id == view(old).waiting)
    assert closed.closed is not None
    assert (closed.open, closed.closed.ending, closed.replaced_by) == (False, "replaced", view(new).waiting)
    late = await desk.advance(desk.event("decision", WANG, request=view(old).waiting, verdict="approve"))
    [reply] = late.replies
    assert (reply.code, reply.values["old"], reply.values["new"]) == ("changed", "80.00 USD", "90.00 USD")
    assert await desk.payouts() == []


async def test_a_click_on_a_card_whose_amount_is_still_the_same_is_told_that_something_changed(desk: Desk) -> None:
    """Not that 80 has become 80."""
    await desk.say(T1)
    old = await desk.say(ACCOUNT)
    await correct(desk, reason="导游迟到")
    late = await desk.advance(desk.event("decision", WANG, request=view(old).waiting, verdict="approve"))
    [reply] = late.replies
    assert (reply.code, "old" in reply.values) == ("changed", False)


async def test_an_approval_below_the_limit_is_nobodys_after_a_correction(desk: Desk) -> None:
    """From the supervisor's tier to the automatic one."""
    await desk.say(T1)
    await desk.say(ACCOUNT)
    done = await correct(desk, amount="50")
    assert (view(done).status, plain(done)["approver"]) == ("done", "System")
    assert "approved_by" not in plain(done)


async def test_a_value_that_cannot_be_taken_corrects_nothing(desk: Desk) -> None:
    """And says what is wrong with it; the request stays open."""
    await desk.say(T1)
    waiting = await desk.say(ACCOUNT)
    refused = await correct(desk, amount="-5")
    [reply] = refused.replies
    assert reply.code == "field" and reply.text is not None and reply.text.en
    assert view(refused) == view(waiting)


async def test_a_correction_that_changes_nothing_leaves_the_request_open(desk: Desk) -> None:
    """The approver is not asked a second time."""
    await desk.say(T1)
    waiting = await desk.say(ACCOUNT)
    same = await correct(desk, amount="80.00", reason=" 商户漏发接送 ")
    assert view(same).waiting == view(waiting).waiting
    assert [reply.text.en for reply in same.replies if reply.text] == ["the same as now; nothing was changed"]
    assert view(await desk.decide(waiting)).status == "done"


async def test_a_fact_that_the_procedure_does_not_know_is_not_corrected_in(desk: Desk) -> None:
    """A form by hand brings in nothing of its own."""
    await desk.say(T1)
    outcome = await correct(desk, nonsense="1", approver="System")
    assert {"nonsense", "approver"} & plain(outcome).keys() == set()


async def test_whoever_corrects_is_the_one_who_set_it(desk: Desk) -> None:
    """A lead, in the agent's name; the trail says so."""
    await desk.say(T1)
    await desk.say(ACCOUNT)
    corrected = await desk.advance(desk.event("correct", ZHOU, values={"amount": "90"}))
    entry = next(each for each in view(corrected).trail if each.what == "correct")
    assert (entry.by, entry.fields, entry.values) == (ZHOU.id, ["amount"], {"amount": "90"})
    request = view(corrected).open_request()
    assert request is not None
    assert {LI.id, ZHOU.id} <= set(request.barred)


async def test_after_the_payout_a_correction_comes_too_late(desk: Desk) -> None:
    """And the case stays as it was paid."""
    await desk.say(T1)
    done = await desk.decide(await desk.say(ACCOUNT))
    late = await correct(desk, amount="10")
    assert (late.replies[0].code, view(late)) == ("already_paid", view(done))


async def test_an_account_is_not_carried_to_another_customer(desk: Desk) -> None:
    """Once the order is another, the account told for the first is forgotten and asked for again, before any approval."""
    await desk.say("给 KL-778 补 400 美元现金，商户漏发接送")
    await desk.say(ACCOUNT)
    corrected = await correct(desk, order_id="KL-1002")
    assert "bank_account" not in plain(corrected)
    assert waits(corrected)[:3] == ("ask", "bank_info", ["bank_account"])


PAYS_AGAIN = f"""{HEAD}
  - {{id: approval, kind: approve, tiers: [{{level: supervisor}}]}}
  - {{id: pay, kind: call, repeat: true, tool: apply_compensation, {PAY}}}
  - {{id: gate, kind: confirm, fields: [order_id], prompt: {{zh: 再付一次？, en: Once more?}}, on_no: {{goto: load}}}}
"""


async def test_a_case_that_goes_back_behind_a_payment_has_paid_all_the_same(desk: Desk, tmp_path: Path) -> None:
    """Though its procedure may pay again: neither cancelled nor corrected, as if nothing had moved."""
    desk.engine.library = library_with(tmp_path / "sops", compensation=PAYS_AGAIN)
    paid = await desk.decide(await desk.say("给 KL-778 补 80 美元积分，导游迟到"))
    back = await desk.advance(desk.event("answer", request=view(paid).waiting, values={"confirm": "no"}))
    assert (waits(back)[:2], len(await desk.payouts())) == (("approve", "approval"), 1)
    assert view(back).correctable == []
    for late in (desk.event("cancel"), desk.event("correct", values={"amount": "10"})):
        outcome = await desk.advance(late)
        assert ([reply.code for reply in outcome.replies], view(outcome).status) == (["already_paid"], "waiting")
