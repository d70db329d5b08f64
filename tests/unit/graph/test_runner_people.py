"""Who may do what in a case, and what a click is told that comes too late."""

from __future__ import annotations

import asyncio

import pytest

from graph.model import Actor, Outcome
from graph.model.events import EventKind
from tests.unit.graph.builders import (
    ACCOUNT,
    KIM,
    LI,
    STRANGER,
    SUN,
    T1,
    T4,
    T6,
    WANG,
    ZHAO,
    ZHOU,
    Desk,
    plain,
    view,
    waits,
)


def code(outcome: Outcome) -> str:
    """The code of the only reply."""
    [reply] = outcome.replies
    return reply.code


async def at_approval(desk: Desk) -> Outcome:
    """A case that waits for a supervisor."""
    return await desk.say(T4)


async def test_refused_clicks_leave_the_request_open_and_are_recorded(desk: Desk) -> None:
    """A stranger, a lead, the agent, a rejection without a reason: each is told why, privately."""
    waiting = await at_approval(desk)
    for actor, verdict, expected in (
        (STRANGER, "approve", "not_listed"),
        (ZHOU, "approve", "not_listed"),
        (LI, "approve", "not_listed"),
        (WANG, "reject", "no_reason"),
    ):
        outcome = await desk.advance(desk.event("decision", actor, request=view(waiting).waiting, verdict=verdict))
        [reply] = outcome.replies
        assert (reply.code, reply.to, reply.private) == (expected, actor.id, True)
        assert view(outcome) == view(waiting)
    lines = [each.line for each in await desk.audit.of(view(waiting).case)]
    assert [(line.by, line.refused) for line in lines if line.what == "refused"] == [
        (STRANGER.id, "not_listed"),
        (ZHOU.id, "not_listed"),
        (LI.id, "not_listed"),
        (WANG.id, "no_reason"),
    ]
    assert view(await desk.decide(waiting)).status == "done"


async def test_an_approver_never_decides_on_a_case_of_their_own(desk: Desk) -> None:
    """Whoever opened it, or has it now."""
    desk.thread = "mine"
    waiting = await desk.say(T4, actor=WANG)
    assert code(await desk.decide(waiting, actor=WANG)) == "own_facts"
    handed = await desk.advance(desk.event("hand_over", WANG, to=KIM))
    assert view(handed).owner == KIM
    assert code(await desk.decide(handed, actor=KIM)) == "own_facts"
    assert code(await desk.decide(handed, actor=WANG)) == "own_facts"
    assert view(await desk.decide(handed, actor=ZHAO)).status == "done"


async def test_what_the_view_says_of_rights_agrees_with_the_engine(desk: Desk) -> None:
    """So that a button that is shown works, and the other way round."""
    waiting = await at_approval(desk)
    request = view(waiting).waiting or ""
    for actor in (WANG, KIM, ZHAO, SUN, LI, ZHOU, STRANGER):
        assert desk.runner.may_decide(view(waiting), request, actor) == (
            "" if actor in (WANG, KIM, ZHAO, SUN) else "not_listed"
        )
    assert desk.runner.may_decide(view(waiting), "C-NONE/x/1", WANG) == "stale"
    own = await desk.advance(desk.event("hand_over", LI, to=WANG))
    assert desk.runner.may_decide(view(own), request, WANG) == "own_facts"
    done = await desk.decide(own, actor=KIM)
    assert desk.runner.may_decide(view(done), request, WANG) == "decided"
    assert [desk.runner.may_act(view(waiting), actor) for actor in (LI, ZHOU, WANG, STRANGER)] == [True, True, False, False]
    assert desk.runner.leads() == (ZHOU.id,)
    assert list(desk.runner.levels()) == ["review", "supervisor", "manager", "director"]


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("message", {"text": "积分"}),
        ("answer", {"values": {"comp_type": "credit"}}),
        ("correct", {"values": {"amount": "10"}}),
        ("cancel", {}),
        ("hand_over", {"to": STRANGER}),
        ("retry", {}),
    ],
)
async def test_only_the_agent_or_a_lead_acts_in_a_case(desk: Desk, kind: EventKind, given: dict[str, object]) -> None:
    """Others are told whose it is, and nothing changes."""
    waiting = await desk.say("KL-778 补 40 美元，商户漏发")
    outcome = await desk.advance(desk.event(kind, STRANGER, **given))
    [reply] = outcome.replies
    assert (reply.code, reply.values["name"]) == ("not_yours", LI.name)
    assert view(outcome) == view(waiting)


async def test_a_lead_answers_for_the_agent(desk: Desk) -> None:
    """And is then the one who said it."""
    await desk.say(T1)
    waiting = await desk.say(ACCOUNT, actor=ZHOU)
    assert waits(waiting)[0] == "approve"
    request = view(waiting).open_request()
    assert request is not None and ZHOU.id in request.barred


async def test_after_a_hand_over_the_other_agent_acts(desk: Desk) -> None:
    """The first no longer does; the trail says who handed over to whom; open questions stay open."""
    waiting = await desk.say(T1)
    handed = await desk.advance(desk.event("hand_over", LI, to=STRANGER, reason="下班"))
    assert (view(handed).owner, view(handed).opener, view(handed).waiting) == (STRANGER, LI, view(waiting).waiting)
    entry = view(handed).trail[-1]
    assert (entry.what, entry.by, entry.reason, entry.values) == ("hand_over", LI.id, "下班", {"to": STRANGER.id})
    assert code(await desk.say(ACCOUNT, actor=LI)) == "not_yours"
    assert waits(await desk.say(ACCOUNT, actor=STRANGER))[0] == "approve"
    assert [row.case for row in await desk.runner.cases_of(STRANGER.id)] == [view(waiting).case]
    assert [row.case for row in await desk.runner.cases_of(LI.id)] == [view(waiting).case]


@pytest.mark.parametrize("said", [T1, T4])
async def test_a_hand_over_to_nobody_changes_nothing(desk: Desk, said: str) -> None:
    """The question waits on, and an approval is not taken for rejected."""
    waiting = await desk.say(said)
    outcome = await desk.advance(desk.event("hand_over", LI))
    assert (code(outcome), view(outcome)) == ("to_whom", view(waiting))


async def test_the_second_of_two_clicks_is_told_who_decided(desk: Desk) -> None:
    """One payout; at once or one after the other, from two people."""
    waiting = await at_approval(desk)
    clicks = [desk.decision(waiting, actor=WANG), desk.decision(waiting, "reject", KIM, "no")]
    outcomes = await asyncio.gather(*(desk.advance(click) for click in clicks))
    refused = [outcome for outcome in outcomes if outcome.replies]
    assert len(refused) == 1
    [reply] = refused[0].replies
    assert reply.code == "decided" and reply.values["name"] in (WANG.name, KIM.name)
    assert len(await desk.payouts()) <= 1


async def test_the_same_person_clicking_twice_decides_once(desk: Desk) -> None:
    """Two clicks are two events."""
    waiting = await at_approval(desk)
    first = await desk.decide(waiting)
    second = await desk.decide(waiting)
    assert (view(first).status, code(second), len(await desk.payouts())) == ("done", "decided", 1)


async def test_a_click_on_the_card_before_a_rejection_approves_nothing(desk: Desk) -> None:
    """The later round is decided on its own card."""
    first = await at_approval(desk)
    await desk.decide(first, "reject", reason="最多 150")
    second = await desk.say("150")
    late = await desk.decide(first)
    [reply] = late.replies
    assert (reply.code, reply.values["name"], reply.values["ending"]) == ("decided", WANG.name, "rejected")
    assert view(late) == view(second)
    request = view(second).open_request()
    assert request is not None
    assert [each.reason for each in request.earlier] == ["最多 150"]


async def test_a_click_on_a_card_that_nobody_knows_is_stale(desk: Desk) -> None:
    """While the case is open, and after it was cancelled."""
    waiting = await at_approval(desk)
    unknown = f"{view(waiting).case}/approval/9"
    for _ in range(2):
        assert code(await desk.advance(desk.event("decision", WANG, request=unknown, verdict="approve"))) == "stale"
        await desk.say("取消")


async def test_a_click_after_a_cancel_is_told_so(desk: Desk) -> None:
    """Nothing is paid, and the case says who cancelled and why."""
    waiting = await at_approval(desk)
    gone = await desk.advance(desk.event("cancel", LI, reason="客人不要了"))
    stopped = view(gone).stopped
    assert stopped is not None
    assert (view(gone).status, stopped.by, stopped.money_moved, "客人不要了" in stopped.why.zh) == (
        "cancelled",
        LI.id,
        False,
        True,
    )
    late = await desk.decide(waiting)
    assert (code(late), view(late).status) == ("withdrawn", "cancelled")
    assert await desk.payouts() == []
    assert await desk.checkpoint_keys() == []


async def test_a_click_on_a_case_before_the_present_one_is_told_of_that_case(desk: Desk) -> None:
    """Each card belongs to its own case, whatever the thread does now."""
    first = await at_approval(desk)
    await desk.decide(first)
    second = await desk.say(T1)
    late = await desk.advance(desk.event("decision", KIM, request=view(first).waiting, verdict="approve"))
    assert code(late) in ("decided", "stale", "already_paid")
    found = await desk.runner.find(desk.thread)
    assert found == view(second)
    assert len(await desk.payouts()) == 1


@pytest.mark.parametrize("text", ["取消", "算了", "cancel"])
async def test_words_that_cancel_cancel(desk: Desk, text: str) -> None:
    """Said by the agent, whatever the case waits for."""
    await desk.say(T1)
    assert view(await desk.say(text)).status == "cancelled"


@pytest.mark.parametrize("kind", ["cancel", "correct", "hand_over", "retry", "answer", "decision"])
async def test_after_the_end_everything_is_too_late(desk: Desk, kind: EventKind) -> None:
    """And is answered; the case stays what it was."""
    done = await desk.say(T6)
    late = await desk.advance(
        desk.event(kind, WANG if kind == "decision" else LI, values={"amount": "1"}, verdict="approve")
    )
    assert (code(late), view(late)) == ("nothing_to_retry" if kind == "retry" else "already_paid", view(done))


@pytest.mark.parametrize("kind", ["cancel", "correct", "hand_over", "answer", "decision"])
async def test_after_a_cancel_there_is_nothing_to_change(desk: Desk, kind: EventKind) -> None:
    """No money moved, and that is not claimed."""
    await desk.say(T1)
    await desk.say("取消")
    late = await desk.advance(desk.event(kind, LI, values={"amount": "1"}, verdict="approve"))
    assert (code(late), view(late).status) == ("cancelled_done", "cancelled")


@pytest.mark.parametrize("kind", ["cancel", "correct", "hand_over", "retry", "answer", "decision"])
async def test_where_no_case_is_that_is_said(desk: Desk, kind: EventKind) -> None:
    """Privately."""
    outcome = await desk.advance(desk.event(kind, WANG, request="C-NONE/approval/1"))
    assert (outcome.view, code(outcome), outcome.replies[0].private) == (None, "no_case", True)


async def test_a_decision_on_a_question_is_stale(desk: Desk) -> None:
    """And an answer to another question than the open one."""
    waiting = await desk.say(T1)
    assert (
        code(await desk.advance(desk.event("decision", WANG, request=view(waiting).waiting, verdict="approve"))) == "stale"
    )
    assert code(await desk.advance(desk.event("decision", WANG, verdict="approve"))) == "stale"
    other = desk.event("answer", LI, request="C-NONE/collect/1", values={"bank_account": "6222 0000 1234"})
    assert code(await desk.advance(other)) == "stale"


async def test_words_while_an_approval_waits_are_not_used(desk: Desk) -> None:
    """And that is said."""
    waiting = await at_approval(desk)
    outcome = await desk.say("好的")
    assert (code(outcome), view(outcome)) == ("still_waiting", view(waiting))
    assert code(await desk.say("approve", actor=LI)) == "still_waiting"


async def test_nothing_to_retry_is_said(desk: Desk) -> None:
    """Only what waits for the back office is retried."""
    await desk.say(T1)
    assert code(await desk.say("重试")) == "nothing_to_retry"


async def test_a_form_names_its_mistakes_before_it_is_sent(desk: Desk) -> None:
    """By field, in words; blank fields and unknown ones have none."""
    waiting = await desk.say(T1)
    values = {"amount": "-5", "bank_account": "12", "reason": "fine", "comp_type": " ", "nonsense": "x"}
    problems = desk.runner.form_problems(view(waiting), None, values)
    assert set(problems) == {"amount", "bank_account"}
    assert all(text.zh and text.en for text in problems.values())


async def test_a_button_and_a_form_answer_like_words(desk: Desk) -> None:
    """Under the request's own id."""
    waiting = await desk.say("KL-778 补 40 美元，商户漏发")
    outcome = await desk.advance(desk.event("answer", LI, request=view(waiting).waiting, values={"comp_type": "credit"}))
    assert (view(outcome).status, plain(outcome)["comp_type"]) == ("done", "credit")


async def test_nobody_who_may_decide_leaves_the_money_where_it_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card says so, and a click by anybody is refused."""
    authority = desk.engine.library.words.authority
    nobody = {name: level.model_copy(update={"people": ()}) for name, level in authority.levels.items()}
    monkeypatch.setattr(authority, "levels", nobody)
    waiting = await at_approval(desk)
    request = view(waiting).open_request()
    assert request is not None and request.error == "nobody"
    for actor in (WANG, ZHAO, SUN, LI, Actor(id="", name="")):
        assert code(await desk.decide(waiting, actor=actor)) == "not_listed"
    assert await desk.payouts() == []
