"""A case as people see it: where it stands, what it is about, and what each card shows for good."""

from __future__ import annotations

from graph.model import Outcome, RequestView
from tests.unit.graph.builders import ACCOUNT, LI, T1, T4, T6, WANG, Desk, view


def steps(outcome: Outcome) -> dict[str, str]:
    """The state of each step."""
    return {step.id: step.state for step in view(outcome).steps}


def labels(outcome: Outcome) -> dict[str, str]:
    """What each step is called, in English."""
    return {step.id: step.label.en for step in view(outcome).steps}


def request(outcome: Outcome) -> RequestView:
    """The open request."""
    found = view(outcome).open_request()
    assert found is not None
    return found


async def test_steps_are_done_skipped_now_or_next(desk: Desk) -> None:
    """With why a step did not apply, and what a read gave."""
    waiting = await desk.say(T4)
    assert steps(waiting) == {
        "load_order": "done",
        "eligibility": "done",
        "collect": "done",
        "gateway_balance": "done",
        "bank_info": "skipped",
        "approval": "now",
        "submit": "next",
        "note": "next",
    }
    by_id = {step.id: step for step in view(waiting).steps}
    assert by_id["bank_info"].why is not None and by_id["bank_info"].why.en == "no transfer by hand"
    assert by_id["gateway_balance"].note is not None and by_id["gateway_balance"].note.en == "1,800.00 USD"
    assert labels(waiting)["approval"] == "Approval by a supervisor"
    done = await desk.decide(waiting)
    assert set(steps(done).values()) == {"done", "skipped"}


async def test_a_step_shows_what_came_of_it_last(desk: Desk) -> None:
    """From credit to cash it applies after all; from cash to credit it does not any more."""
    await desk.say("给 KL-502 补 300 积分，客人包车迟到两小时")
    cash = await desk.advance(desk.event("correct", values={"comp_type": "cash"}))
    assert steps(cash)["gateway_balance"] == "done"
    credit = await desk.advance(desk.event("correct", values={"comp_type": "credit"}))
    assert steps(credit)["gateway_balance"] == "skipped"


async def test_an_approval_that_turned_automatic_is_called_so(desk: Desk) -> None:
    """Though a supervisor was asked before."""
    await desk.say(T4)
    done = await desk.advance(desk.event("correct", values={"amount": "50"}))
    assert labels(done)["approval"] == "Automatic approval"


async def test_a_stopped_case_stands_where_it_stopped(desk: Desk) -> None:
    """What came after was never reached."""
    stopped = await desk.say("KL-901 客人投诉，补 20 积分")
    assert (steps(stopped)["load_order"], steps(stopped)["eligibility"], steps(stopped)["collect"]) == (
        "done",
        "now",
        "next",
    )


async def test_a_case_is_about_an_amount_a_way_and_an_order(desk: Desk) -> None:
    """What is not known yet is open."""
    waiting = view(await desk.say(T1))
    assert (waiting.headline.amount, waiting.headline.way and waiting.headline.way.zh, waiting.headline.title.zh) == (
        "80.00 USD",
        "现金",
        "补偿",
    )
    assert (waiting.order, waiting.customer, waiting.order_amount, waiting.reason) == (
        "KL-778",
        "王女士",
        "320.00 USD",
        "商户漏发接送",
    )
    desk.thread = "open"
    unknown = view(await desk.say("给 KL-502 补偿一下，客人包车迟到两小时"))
    assert (unknown.headline.amount, unknown.headline.way) == (None, None)


async def test_an_approvers_card_shows_all_that_is_decided_on(desk: Desk) -> None:
    """Amount, routes, rules, the words it came from, who may not decide, who is next."""
    await desk.say(T1)
    card = request(await desk.say(ACCOUNT))
    assert (card.level, card.amount, card.next_level, card.barred) == ("supervisor", "80.00 USD", "manager", [LI.id])
    assert (card.rules_passed, card.rules_total) == (3, 3)
    assert [(route.kind, route.amount, route.account) for route in card.routes] == [
        ("gateway", "60", None),
        ("manual_transfer", "20", "1234"),
    ]
    assert card.quotes[0].quote == T1


async def test_a_closed_card_shows_for_good_what_it_showed(desk: Desk) -> None:
    """Whatever is corrected or asked anew later; the new one shows what was rejected before."""
    first = await desk.say(T4)
    await desk.decide(first, "reject", reason="最多 150")
    second = await desk.say("150")
    old = next(each for each in view(second).requests if each.id == view(first).waiting)
    assert (old.open, old.amount, old.about and old.about.headline.amount) == (False, "300.00 USD", "300.00 USD")
    assert old.closed is not None
    assert (old.closed.ending, old.closed.name, old.closed.reason) == ("rejected", WANG.name, "最多 150")
    assert old.replaced_by == view(second).waiting
    assert [each.reason for each in request(second).earlier] == ["最多 150"]


async def test_a_question_shows_its_prompt_only_while_all_of_it_is_asked(desk: Desk) -> None:
    """The prompt of the file names all its fields."""
    some = request(await desk.say("KL-778 补 40 美元，商户漏发"))
    assert ([field.name for field in some.fields], some.prompt) == (["comp_type"], None)
    assert [choice.value for choice in some.fields[0].choices] == ["cash", "credit"]
    desk.thread = "all"
    every = request(await desk.say(T1))
    assert every.prompt is not None and every.fields[0].sensitive


async def test_a_finished_case_shows_what_was_done(desk: Desk) -> None:
    """Number, routes with masked accounts, who approved, the note; nothing is correctable any more."""
    await desk.say(T1)
    done = view(await desk.decide(await desk.say(ACCOUNT)))
    assert done.result is not None
    assert (done.result.approver, bool(done.result.number), bool(done.result.note)) == (WANG.name, True, True)
    assert [(route.kind, route.account) for route in done.result.routes] == [("gateway", None), ("manual_transfer", "1234")]
    assert (done.correctable, done.waiting, done.open_request()) == ([], None, None)
    assert {fact.name for fact in done.facts} >= {"amount", "bank_account", "approved_by", "compensation"}


async def test_facts_are_shown_with_who_said_them_and_in_which_words(desk: Desk) -> None:
    """What a tool gave has nobody."""
    await desk.say(T1)
    facts = {fact.name: fact for fact in view(await desk.say(ACCOUNT)).facts}
    assert (facts["amount"].text.zh, facts["amount"].quote, facts["amount"].by) == ("80.00 USD", "80 美元", LI.name)
    assert (facts["gateway_balance"].by, facts["gateway_balance"].quote) == ("", "")
    assert "1234" in facts["bank_account"].text.zh and "6222" not in str(facts["bank_account"])


async def test_what_can_be_corrected_is_what_people_tell(desk: Desk) -> None:
    """With its present value, but for what is sensitive."""
    await desk.say(T1)
    fields = {field.name: field.current for field in view(await desk.say(ACCOUNT)).correctable}
    assert fields == {
        "order_id": "KL-778",
        "amount": "80",
        "reason": "商户漏发接送",
        "comp_type": "cash",
        "bank_account": "",
    }


async def test_a_list_of_cases_says_what_each_waits_for(desk: Desk) -> None:
    """One line a case."""
    await desk.say(T4)
    desk.thread = "done"
    await desk.say(T6)
    rows = await desk.runner.cases_of(LI.id)
    assert [(row.status, row.waits_for, row.order, row.headline.amount) for row in rows] == [
        ("waiting", "approve", "KL-502", "300.00 USD"),
        ("done", "", "KL-778", "30.00 USD"),
    ]
