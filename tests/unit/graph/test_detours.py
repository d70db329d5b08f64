"""Detours around an approval: past the quorum, past the sum of an order, past the level above, past one's own words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graph.authority import Authority
from graph.model import Actor, Goto, Next, Stake, Stay
from graph.steps.approve import Approve, ApproveSpec
from tests.unit.graph.authority.people import level
from tests.unit.graph.builders import (
    KIM,
    LI,
    SHIPPED,
    START,
    SUN,
    WANG,
    ZHAO,
    ZHOU,
    Desk,
    FakeCommits,
    context,
    library_with,
    money,
    step_event,
    view,
    waiting_for,
    waits,
    word,
)

TWO_ABOVE = Authority(
    {"supervisor": level("supervisor", 1, WANG.id, KIM.id), "manager": level("manager", 2, ZHAO.id, SUN.id, quorum=2)}
)
FACTS = {"amount": money("400", by=LI.id), "order_id": word("KL-502", by=LI.id)}
TIERS = {
    "id": "approval",
    "kind": "approve",
    "tiers": [{"max": 500, "level": "supervisor"}, {"level": "manager"}],
    "cumulative": {"by": "order_id", "within": "30d"},
}
PAID = Stake(
    run="other", step="approval", amount="400", currency="USD", at=START.isoformat(), level="supervisor", event="x"
)


@pytest.mark.parametrize("amount", ["", "390"])
async def test_one_manager_alone_does_not_pass_where_two_must(amount: str) -> None:
    """Asked of a supervisor, decided by a manager, while the sum of the order came to need two managers: nothing passes."""
    spec, commits = ApproveSpec.model_validate(TIERS), FakeCommits()
    request = waiting_for(await Approve().run(spec, FACTS, context(authority=TWO_ABOVE, commits=commits)))
    assert request.level == "supervisor"
    commits.others.append(PAID)
    ctx = replace(context(actor=ZHAO, authority=TWO_ABOVE, commits=commits), event="e-zhao")
    values = {"amount": amount} if amount else {}
    event = step_event("decision", ZHAO, id="e-zhao", request=request.id, verdict="approve", reason="x", values=values)
    move = await Approve().answered(spec, FACTS, request, event, ctx)
    assert isinstance(move, Goto)
    assert move.closed is not None and move.closed.ending == ("replaced" if amount else "passed")
    assert (commits.reserved, commits.grants) == ([], {})


async def test_less_than_asked_needs_no_more_people() -> None:
    """Where two must approve small amounts and one person above the large ones, that person approves a small one alone."""
    levels = Authority({"low": level("low", 1, WANG.id, KIM.id, quorum=2), "high": level("high", 2, ZHAO.id)})
    spec = ApproveSpec.model_validate(TIERS | {"tiers": [{"max": 100, "level": "low"}, {"level": "high"}]})
    commits = FakeCommits()
    request = waiting_for(await Approve().run(spec, FACTS, context(authority=levels, commits=commits)))
    event = step_event("decision", ZHAO, request=request.id, verdict="approve", reason="x", values={"amount": "80"})
    await Approve().answered(spec, FACTS, request, event, context(actor=ZHAO, authority=levels, commits=commits))
    granted = commits.granted("approval")
    assert granted is not None and granted.level == "high"
    small = {**FACTS, "amount": money("80", by=ZHAO.id)}
    assert isinstance(await Approve().run(spec, small, context(authority=levels, commits=commits)), Next)


async def test_a_corrected_order_gives_its_stake_back(desk: Desk, tmp_path: Path) -> None:
    """Approved for one order by itself, then corrected to another, and back: at stake is what it is about, nothing else."""
    late = "  - {id: late, kind: ask, fields: [bank_account], prompt: {zh: 账户, en: Account}}\n\n  - id: submit\n"
    text = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8").replace("  - id: submit\n", late)
    desk.engine.library = library_with(tmp_path / "sops", compensation=text)
    assert waits(await desk.say("给 KL-502 补 30 积分，客人包车迟到两小时"))[1] == "late"
    assert await held(desk, "KL-502") == ["30"]
    for order, other in (("KL-1001", "KL-502"), ("KL-502", "KL-1001")):
        assert waits(await desk.advance(desk.event("correct", values={"order_id": order})))[1] == "late"
        assert (await held(desk, order), await held(desk, other)) == (["30"], [])
    await desk.advance(desk.event("cancel", reason="x"))
    assert (await held(desk, "KL-502"), await held(desk, "KL-1001")) == ([], [])


async def held(desk: Desk, order: str) -> list[str]:
    """What is at stake of an order."""
    assert desk.engine.stakes is not None
    return [each.amount for each in (await desk.engine.stakes.look("order_id", order)).held]


async def test_a_question_goes_with_the_request_to_the_level_above(desk: Desk) -> None:
    """The level above sees what was asked, and the answer that comes after counts as one, not as stray words."""
    waiting = await desk.say("给 KL-502 补 80 积分，客人包车迟到两小时")
    request = view(waiting).open_request()
    assert request is not None
    await desk.advance(desk.event("inquire", WANG, request=request.id, text="有照片吗"))
    clock = Actor(id="clock", name="clock")
    passed = await desk.advance(desk.event("timer", clock, timer=f"{request.id}/escalate"))
    assert waits(passed) == ("approve", "approval", [], "manager")
    answered = view(await desk.say("有")).open_request()
    assert answered is not None
    assert [(each.question, each.answer) for each in answered.inquiries] == [("有照片吗", "有")]
    assert view(await desk.decide(passed, actor=ZHAO)).status == "done"


async def test_who_answered_the_question_does_not_decide() -> None:
    """A lead who is listed, too, and answers for the agent, supplied what it is decided on; without `separate` they may."""
    listed = Authority({"supervisor": level("supervisor", 1, WANG.id, ZHOU.id)}, leads=[ZHOU.id])
    for separate, code in ((True, "own_facts"), (False, "")):
        spec = ApproveSpec.model_validate(TIERS | {"tiers": [{"level": "supervisor"}], "separate": separate})
        request = waiting_for(await Approve().run(spec, FACTS, context(authority=listed)))
        for event in (
            step_event("inquire", WANG, request=request.id, text="?"),
            step_event("message", ZHOU, request=request.id, text="有"),
        ):
            move = await Approve().answered(spec, FACTS, request, event, context(actor=event.actor, authority=listed))
            assert isinstance(move, Stay)
            request = move.request
        click = step_event("decision", ZHOU, request=request.id, verdict="approve")
        refused = Approve().refusal(spec, FACTS, request, click, context(actor=ZHOU, authority=listed))
        assert (refused.code if refused else "") == code
