"""The seed's dialogues at the level of the engine: facts, waits, calls, trail."""

from __future__ import annotations

import pytest

from graph.model import Outcome
from tests.unit.graph.builders import ACCOUNT, T1, T6, WANG, Desk, plain, view, waits


def trail(outcome: Outcome) -> list[str]:
    """The trail as `step what`."""
    return [f"{entry.step} {entry.what}" for entry in view(outcome).trail]


async def test_t1_balance_short_account_asked_supervisor_approves(desk: Desk) -> None:
    """Sixty through the gateway, twenty by hand."""
    outcome = await desk.say(T1)
    assert waits(outcome) == ("ask", "bank_info", ["bank_account"], None)
    known = {"order_id": "KL-778", "amount": "80", "reason": "商户漏发接送", "comp_type": "cash", "gateway_balance": "60"}
    assert plain(outcome).items() >= known.items()
    assert desk.called() == ["GET /orders/KL-778", "GET /orders/KL-778/gateway-balance"]
    outcome = await desk.say(ACCOUNT)
    assert waits(outcome) == ("approve", "approval", [], "supervisor")
    assert (await desk.runner.facts(view(outcome).case))["bank_account"] == ACCOUNT
    desk.forget_calls()
    outcome = await desk.decide(outcome)
    assert view(outcome).status == "done"
    assert desk.called() == ["POST /compensations", "POST /orders/KL-778/notes"]
    [payout] = await desk.payouts()
    assert payout["resources"] == [
        {"kind": "gateway", "amount": "60", "currency": "USD", "account": None},
        {"kind": "manual_transfer", "amount": "20", "currency": "USD", "account": ACCOUNT},
    ]
    assert (payout["approver"], plain(outcome)["approved_by"]) == ("supervisor", WANG.id)
    assert trail(outcome) == [
        "plan plan",
        "load_order call",
        "eligibility check",
        "collect known",
        "gateway_balance call",
        "bank_info ask",
        "bank_info answer",
        "approval ask",
        "approval approve",
        "submit call",
        "note call",
    ]


async def test_t2_unpaid_is_stopped(desk: Desk) -> None:
    """By the rule, with its reason; nothing beside the order was asked for."""
    outcome = await desk.say("KL-901 客人投诉，补 20 积分")
    stopped = view(outcome).stopped
    assert stopped is not None
    assert (view(outcome).status, stopped.step, stopped.rule, stopped.money_moved) == (
        "stopped",
        "eligibility",
        "order_paid",
        False,
    )
    assert desk.called() == ["GET /orders/KL-901"]


async def test_t4_missing_fields_rejected_goes_back_then_approved(desk: Desk) -> None:
    """What was rejected is asked anew, what was not is kept, what was read is read again."""
    outcome = await desk.say("给 KL-502 补偿一下，客人包车迟到两小时")
    assert waits(outcome) == ("ask", "collect", ["amount", "comp_type"], None)
    outcome = await desk.say("300 美元，退回卡里")
    assert waits(outcome) == ("approve", "approval", [], "supervisor")
    assert "bank_info skip" in trail(outcome)
    desk.forget_calls()
    outcome = await desk.decide(outcome, "reject", reason="迟到两小时按政策最多补 150")
    assert waits(outcome) == ("ask", "collect", ["amount"], None)
    assert plain(outcome).items() >= {"reason": "客人包车迟到两小时", "comp_type": "cash"}.items()
    assert {"amount", "bank_account"} & plain(outcome).keys() == set()
    assert desk.called() == []
    outcome = await desk.say("那就 150")
    assert waits(outcome) == ("approve", "approval", [], "supervisor")
    assert desk.called() == ["GET /orders/KL-502/gateway-balance"]
    outcome = await desk.decide(outcome)
    [payout] = await desk.payouts()
    assert (view(outcome).status, payout["amount"]) == ("done", "150")


async def test_t5_a_question_is_answered_from_the_policy_and_opens_no_case(desk: Desk) -> None:
    """Nothing is called, nothing is left behind, and the same question again is answered again."""
    event = desk.event("message", text="先补偿了还能退款吗")
    for _ in range(2):
        outcome = await desk.advance(event)
        [reply] = outcome.replies
        assert reply.text is not None
        assert (outcome.view, reply.kind, "不可以" in reply.text.zh) == (None, "policy", True)
    assert desk.called() == []
    assert await desk.checkpoint_keys() == []
    assert [key async for key in desk.redis.scan_iter(match=f"{desk.keys.prefix}:case:*")] == []
    assert await desk.runner.find(desk.thread) is None


async def test_t6_nothing_stops(desk: Desk) -> None:
    """Credit below the first limit goes through in one turn."""
    outcome = await desk.say(T6)
    assert (
        plain(outcome).items()
        >= {"amount": "30", "comp_type": "credit", "approver": "System", "reason": "导游迟到"}.items()
    )
    assert desk.called() == ["GET /orders/KL-778", "POST /compensations", "POST /orders/KL-778/notes"]
    assert {"gateway_balance skip", "bank_info skip", "approval auto"} <= set(trail(outcome))
    assert view(outcome).status == "done"


async def test_t7_open_compensation_is_stopped(desk: Desk) -> None:
    """And dollars said nothing of the way."""
    outcome = await desk.say("KL-315 补 40 美元")
    stopped = view(outcome).stopped
    assert stopped is not None
    assert (stopped.rule, "RA2609010001" in stopped.why.zh) == ("no_open_compensation", True)
    assert "comp_type" not in plain(outcome)


async def test_t8_dollars_are_not_cash(desk: Desk) -> None:
    """The way is asked for."""
    outcome = await desk.say("KL-778 补 40 美元，商户漏发")
    assert waits(outcome) == ("ask", "collect", ["comp_type"], None)
    outcome = await desk.say("积分")
    assert (view(outcome).status, plain(outcome)["comp_type"], plain(outcome)["approver"]) == ("done", "credit", "System")


async def test_a_thread_is_as_cheap_after_its_case_as_before(desk: Desk) -> None:
    """No checkpoint is left, and the case is shown from its record: by thread and by id."""
    outcome = await desk.say(T6)
    assert await desk.checkpoint_keys() == []
    found = await desk.runner.find(desk.thread)
    assert found == view(outcome) == await desk.runner.show(view(outcome).case)
    assert await desk.runner.show("C-NONE") is None
    assert (await desk.runner.facts(view(outcome).case))["amount"] == "30"
    assert await desk.runner.facts("C-NONE") == {}


async def test_an_open_case_is_shown_by_its_id(desk: Desk) -> None:
    """From its checkpoint."""
    outcome = await desk.say(T1)
    assert await desk.runner.show(view(outcome).case) == view(outcome)
    [row] = await desk.runner.cases_of("U0LI")
    assert (row.case, row.status, row.waits_for) == (view(outcome).case, "waiting", "ask")


async def test_two_cases_one_after_the_other_in_one_thread(desk: Desk) -> None:
    """Each has its own id, facts and payout; the thread shows the later one."""
    first = view(await desk.say(T6))
    second = view(await desk.say("KL-502 补 20 积分，导游迟到"))
    assert first.case != second.case
    assert (second.order, second.status, len(await desk.payouts())) == ("KL-502", "done", 2)
    again = await desk.runner.show(first.case)
    assert again is not None and again.order == "KL-778"
    found = await desk.runner.find(desk.thread)
    assert found is not None and found.case == second.case


async def test_a_question_after_a_case_leaves_the_case_as_the_threads_latest(desk: Desk) -> None:
    """And "facts" still shows it."""
    case = view(await desk.say(T6)).case
    assert (await desk.say("先补偿了还能退款吗")).replies[0].kind == "policy"
    shown = await desk.say("facts")
    assert (view(shown).case, shown.replies[0].kind) == (case, "facts")


@pytest.mark.parametrize("words", ["今天天气不错", "先别给 KL-778 补偿"])
async def test_what_is_not_understood_is_said_and_starts_nothing(desk: Desk, words: str) -> None:
    """With what the desk can do."""
    outcome = await desk.say(words)
    [reply] = outcome.replies
    assert (outcome.view, reply.code) == (None, "not_understood")
    assert desk.called() == []


async def test_the_same_event_twice_gives_the_same_outcome(desk: Desk) -> None:
    """At every stage of a dialogue; nothing is asked, paid or noted again."""
    first = desk.event("message", text=T1)
    one = await desk.advance(first)
    calls = len(desk.called())
    assert (await desk.advance(first)).view == one.view
    second = desk.event("message", text=ACCOUNT)
    two = await desk.advance(second)
    assert (await desk.advance(second)).view == two.view
    assert (await desk.advance(first)).view == two.view
    click = desk.decision(two)
    three = await desk.advance(click)
    again = await desk.advance(click)
    assert (again.view, again.replies, again.timers) == (three.view, three.replies, three.timers)
    assert calls == 2
    assert (len(await desk.payouts()), len(await desk.notes())) == (1, 1)
    lines = [each.line for each in await desk.audit.of(view(three).case)]
    assert [line.by for line in lines if line.what == "approve"] == [WANG.id]
    assert len({line.id for line in lines}) == len(lines)


async def test_an_unknown_order_is_asked_for_again(desk: Desk) -> None:
    """With what was not found; the rest of what was said is kept."""
    outcome = await desk.say("给 KL-999 补 30 积分，导游迟到")
    assert waits(outcome) == ("ask", "load_order", ["order_id"], None)
    request = view(outcome).open_request()
    assert request is not None
    assert [(each.code, each.quote) for each in request.problems] == [("not_found", "KL-999")]
    again = await desk.say("KL-998")
    assert waits(again) == ("ask", "load_order", ["order_id"], None)
    done = await desk.say("KL-778")
    assert (view(done).status, view(done).order, plain(done)["amount"]) == ("done", "KL-778", "30")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("给 KL-778 补 80 欧元现金，导游迟到", "currency"),
        ("给 KL-778 补 50 到 80 美元现金，导游迟到", "range"),
        ("给 KL-778 补 99999 美元现金，导游迟到", "too_much"),
        ("给 KL-778 补 80.123 美元现金，导游迟到", "decimals"),
        ("给 KL-778 补大概 80 美元现金，导游迟到", "approximate"),
    ],
)
async def test_an_amount_that_was_not_taken_is_asked_for_with_the_reason(desk: Desk, said: str, code: str) -> None:
    """What stood against it in the opening sentence is said first."""
    outcome = await desk.say(said)
    assert waits(outcome) == ("ask", "collect", ["amount"], None)
    request = view(outcome).open_request()
    assert request is not None
    assert [each.code for each in request.problems] == [code]


async def test_two_orders_in_one_sentence_are_asked_about(desk: Desk) -> None:
    """Neither is guessed."""
    outcome = await desk.say("给 KL-778 和 KL-502 各补 30 积分，导游迟到")
    assert waits(outcome) == ("ask", "load_order", ["order_id"], None)
    assert desk.called() == []


async def test_a_question_in_the_middle_is_answered_and_the_case_waits_on(desk: Desk) -> None:
    """The same question of the case stays open, and its answer counts."""
    waiting = await desk.say(T1)
    answered = await desk.say("先补偿了还能退款吗")
    assert (answered.replies[0].kind, view(answered)) == ("policy", view(waiting))
    assert waits(await desk.say(ACCOUNT))[0] == "approve"


@pytest.mark.parametrize(
    ("words", "kind"), [("facts", "facts"), ("执行记录", "trail"), ("帮助", "help"), ("为什么要问这个", "note")]
)
async def test_what_only_wants_to_be_shown_something_changes_nothing(desk: Desk, words: str, kind: str) -> None:
    """Open questions stay as they are."""
    waiting = await desk.say(T1)
    shown = await desk.say(words)
    assert ([reply.kind for reply in shown.replies], view(shown)) == ([kind], view(waiting))


async def test_a_thread_speaks_the_language_of_its_first_sentence(desk: Desk) -> None:
    """Whatever the agent's own language is set to."""
    outcome = await desk.say("Compensate KL-778 with $30 store credit because the guide was late")
    assert view(outcome).lang == "en"
    [note] = await desk.notes()
    assert "Compensation" in str(note["text"])
