"""A drill is a case on the same engine, and its thread carries nothing else."""

from __future__ import annotations

import pytest

from graph.model import Actor, DrillView, Outcome
from tests.unit.graph.builders import KIM, LI, T6, ZHOU, Desk, view
from tests.unit.graph.coach.practice import invoice, message


async def start(desk: Desk, scenario: str = "invoice_change") -> Outcome:
    """A drill that Li has opened."""
    return await desk.advance(desk.event("practise", values={"scenario": scenario}))


def drill(outcome: Outcome) -> DrillView:
    """The drill that an outcome shows."""
    found = view(outcome).drill
    assert found is not None
    return found


def customer(outcome: Outcome) -> str:
    """What the customer said last."""
    request = view(outcome).requests[-1]
    assert request.prompt is not None
    return request.prompt.zh


async def play(desk: Desk, outcome: Outcome) -> Outcome:
    """The drill carried on to its end, whatever it costs."""
    for node in ("Q1", "Q2", "A1", "A2", "A3", "P1"):
        if view(outcome).status == "waiting":
            outcome = await desk.say(message(invoice(), node))
    return outcome


async def press(desk: Desk, outcome: Outcome, what: str, actor: Actor = LI) -> Outcome:
    """A button of the drill's open card."""
    return await desk.advance(desk.event("answer", actor, request=view(outcome).waiting, values={"drill": what}))


async def test_a_drill_opens_with_the_customers_words(desk: Desk) -> None:
    """It waits for the trainee, shows the opening, and is called by its scenario without a word of money."""
    outcome = await start(desk)
    assert (view(outcome).status, view(outcome).sop) == ("waiting", "practice")
    request = view(outcome).open_request()
    assert request is not None
    assert request.kind == "drill"
    assert "发票" in customer(outcome)
    assert (view(outcome).headline.title.zh, view(outcome).headline.priced) == ("练习：发票修改", False)
    assert drill(outcome).nodes == []


async def test_the_trainees_words_are_never_a_request(desk: Desk) -> None:
    """Orders, money, questions and commands are said to the customer; no tool is called, before and after the end."""
    await start(desk)
    desk.forget_calls()
    for said in (T6, "先补偿了还能退款吗？", "取消", "facts", "help", "金额改成 50"):
        outcome = await desk.say(said)
        assert (view(outcome).sop, view(outcome).status, outcome.replies) == ("practice", "waiting", [])
    ended = await press(desk, outcome, "end")
    assert view(ended).status == "done"
    after = await desk.say(T6)
    assert (after.replies, view(after).case) == ([], view(ended).case)
    assert desk.called() == []
    assert await desk.payouts() == []


async def test_others_are_not_heard(desk: Desk) -> None:
    """What a colleague or a lead writes in the thread changes nothing; their presses are refused privately."""
    outcome = await start(desk)
    for actor in (KIM, ZHOU):
        heard = await desk.say(message(invoice(), "Q1"), actor)
        assert (heard.replies, len(drill(heard).turns)) == ([], 0)
    [reply] = (await press(desk, outcome, "hint", KIM)).replies
    assert (reply.code, reply.private, reply.to) == ("not_yours", True, KIM.id)


async def test_hints_and_was_that_right_are_private(desk: Desk) -> None:
    """Both are told to the trainee alone and leave the customer waiting; only the hint costs points."""
    outcome = await start(desk)
    early = await press(desk, outcome, "right")
    assert "还没有" in (early.replies[0].text or pytest.fail()).zh
    hinted = await press(desk, outcome, "hint")
    [reply] = hinted.replies
    assert reply.private
    assert "Q1" in (reply.text or pytest.fail()).zh
    assert view(hinted).waiting == view(outcome).waiting
    turned = await desk.say(message(invoice(), "A2"))
    [told] = (await press(desk, turned, "right")).replies
    assert "第 1 轮" in (told.text or pytest.fail()).zh
    assert drill(await press(desk, turned, "end")).score == 100 - 5 - 20 - 30


async def test_a_drill_ends_with_its_score_and_can_be_begun_again(desk: Desk) -> None:
    """The end shows turns, path and tree; the record lists it for its trainee; again opens another in the thread."""
    outcome = await start(desk)
    outcome = await desk.say(message(invoice(), "A2"))
    outcome = await play(desk, outcome)
    assert view(outcome).status == "done"
    shown = drill(outcome)
    assert (shown.over, shown.slips[0].zh.startswith("第 1 轮：")) == (True, True)
    assert {"I1", "Q1", "Q2", "A1", "A2", "A3", "P1", "E"} == {node.id for node in shown.nodes}
    [row] = await desk.runner.cases_of(LI.id)
    assert row.drill is not None
    assert (row.drill.scenario, row.drill.trainee, row.drill.score) == ("invoice_change", LI.id, shown.score)
    assert [code.code for code in (await desk.advance(desk.event("practise", KIM))).replies] == ["not_yours"]
    again = await start(desk, "compensation")
    assert (drill(again).scenario, view(again).case != view(outcome).case) == ("compensation", True)


async def test_a_drill_survives_and_replays(desk: Desk) -> None:
    """The same event again gives the same customer's words, and an unknown scenario stops without a drill."""
    await start(desk)
    event = desk.event("message", text=message(invoice(), "Q1"))
    first = await desk.advance(event)
    assert customer(await desk.advance(event)) == customer(first)
    other = await desk.advance(desk.event("practise", thread="T1:C1:2.0", values={"scenario": "nothing"}))
    assert (view(other).status, view(other).drill) == ("stopped", None)


async def test_practice_is_not_offered_in_words(desk: Desk) -> None:
    """Nobody starts it by saying its name: only the command does."""
    outcome = await desk.say("练习")
    assert outcome.view is None
    assert "练习" not in (outcome.replies[0].text or pytest.fail()).zh
