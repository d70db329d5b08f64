"""Where two must approve, through the whole engine: changed choices, those who stand in, and a hand-over in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.dialogues.record import Recorded
from graph.model import ANOTHER_AMOUNT, Actor, Outcome, Principal, RequestView
from tests.unit.graph.builders import (
    KIM,
    LI,
    SHIPPED,
    WANG,
    ZHAO,
    Desk,
    library_with,
    view,
)

ASKED = "给 KL-502 补 80 积分，客人包车迟到两小时"
OPTIONS = """    options:
      - {id: pay, label: {zh: 付, en: Pay}, on: [{goto: submit}]}
      - {id: later, label: {zh: 稍后, en: Later}, on: [{goto: collect}]}
  - id: submit
"""
HELPER = Actor(id="U0HE", name="何")


def two(desk: Desk, directory: Path, *, options: bool) -> None:
    """Let two supervisors decide, by options where wanted."""
    shipped = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    approvals = (SHIPPED / "approvals.yaml").read_text(encoding="utf-8")
    needs = approvals.replace("U0KIM]\n    hours", "U0KIM]\n    quorum: 2\n    hours")
    assert needs != approvals
    made = shipped.replace("\n  - id: submit\n", OPTIONS) if options else shipped
    desk.engine.library = library_with(directory, compensation=made, approvals=needs)


def opened(outcome: Outcome) -> RequestView:
    """The approval that waits."""
    request = view(outcome).open_request()
    assert request is not None
    return request


def standing_in(actor: Actor, *people: Actor) -> Actor:
    """The person with whom they stand in for."""
    return actor.model_copy(update={"stands_for": tuple(Principal(id=each.id, name=each.name) for each in people)})


async def choose(desk: Desk, waiting: Outcome, actor: Actor, option: str) -> Outcome:
    """That option, with a remark."""
    request = view(waiting).waiting
    return await desk.advance(
        desk.event(
            "decision", actor, request=request, verdict="approve", reason=f"说明 {option}", values={"option": option}
        )
    )


async def test_a_split_is_mended_and_both_votes_stay_in_the_audit_log(desk: Desk, tmp_path: Path) -> None:
    """One for each way moves nothing; when one of the two comes over, it is paid once, and the log has all three."""
    two(desk, tmp_path / "sops", options=True)
    waiting = await desk.say(ASKED)
    for actor, option in ((WANG, "later"), (KIM, "pay")):
        waiting = await choose(desk, waiting, actor, option)
    assert [(each.by, each.option) for each in opened(waiting).counted] == [(WANG.id, "later"), (KIM.id, "pay")]
    assert await desk.payouts() == []
    done = await choose(desk, waiting, WANG, "pay")
    assert (view(done).status, len(await desk.payouts())) == ("done", 1)
    [closed] = [each for each in view(done).requests if each.kind == "approve"]
    assert [(each.by, each.option) for each in closed.counted] == [(KIM.id, "pay"), (WANG.id, "pay")]
    log = [each.line for each in await desk.runner.audit(view(done).case)]
    assert [(each.by, each.values.get("option"), each.values.get("remark")) for each in log if each.what == "vote"] == [
        (WANG.id, "later", "说明 later"),
        (KIM.id, "pay", "说明 pay"),
    ]
    assert [(each.by, each.values.get("option")) for each in log if each.what == "approve"] == [(WANG.id, "pay")]


async def test_a_split_is_recorded_as_a_dialogue_with_each_choice(desk: Desk, tmp_path: Path) -> None:
    """Each vote with its option and its remark, so that it can be played again."""
    two(desk, tmp_path / "sops", options=True)
    waiting = await desk.say(ASKED)
    for actor, option in ((WANG, "later"), (KIM, "pay"), (WANG, "pay")):
        waiting = await choose(desk, waiting, actor, option)
    turns = Recorded(view(waiting), ASKED, {}, desk.engine.library.words.fields).turns()
    assert [(each["decide"], each["option"], each["reason"]) for each in turns if "decide" in each] == [
        ("approve", option, f"说明 {option}") for option in ("later", "pay", "pay")
    ]


async def test_a_form_opens_for_whoever_may_still_change(desk: Desk, tmp_path: Path) -> None:
    """The view judges as the engine does: another option and another amount, not the same; then for everybody else."""
    two(desk, tmp_path / "sops", options=True)
    waiting = await choose(desk, await desk.say(ASKED), WANG, "later")
    shown, request = view(waiting), view(waiting).waiting or ""
    for choice, code in (("pay", ""), (ANOTHER_AMOUNT, ""), ("later", "voted"), (None, "voted")):
        assert desk.runner.may_decide(shown, request, WANG, "approve", choice) == code
        assert desk.runner.may_decide(shown, request, KIM, "approve", choice) == ""
    assert desk.runner.may_decide(shown, request, standing_in(HELPER, WANG), "approve", "pay") == "voted_for"


async def test_a_split_waits_for_those_who_made_it(desk: Desk, tmp_path: Path) -> None:
    """Whoever has voted need not look again, until somebody chose otherwise."""
    two(desk, tmp_path / "sops", options=True)
    waiting = await choose(desk, await desk.say(ASKED), WANG, "later")
    assert [len(await desk.runner.waiting_for(each)) for each in (WANG, KIM)] == [0, 1]
    await choose(desk, waiting, KIM, "pay")
    assert [len(await desk.runner.waiting_for(each)) for each in (WANG, KIM, ZHAO)] == [1, 1, 1]


@pytest.mark.parametrize(
    "pair",
    [
        (standing_in(HELPER, WANG), standing_in(WANG, KIM)),
        (WANG, standing_in(HELPER, WANG, KIM)),
        (standing_in(HELPER, WANG, KIM), KIM),
        (WANG, standing_in(KIM, WANG)),
    ],
)
async def test_a_person_and_whoever_stands_in_for_them_do_not_make_two(
    desk: Desk, tmp_path: Path, pair: tuple[Actor, Actor]
) -> None:
    """In whatever order they click, and though a third person's right is at hand; somebody else makes the second."""
    two(desk, tmp_path / "sops", options=False)
    for number, (first, second) in enumerate((pair, pair[::-1])):
        await desk.backoffice.reset()
        desk.thread = f"thread {number}"
        waiting = await desk.decide(await desk.say(ASKED.replace("502", f"100{4 + 4 * number}")), actor=first)
        refused = await desk.decide(waiting, actor=second)
        assert [each.code for each in refused.replies] == ["voted_for"]
        assert (len(opened(refused).counted), await desk.payouts()) == (1, [])
        done = await desk.decide(refused, actor=ZHAO)
        assert (view(done).status, len(await desk.payouts())) == ("done", 1)


async def test_the_card_counts_no_vote_of_somebody_who_got_the_case_since(desk: Desk, tmp_path: Path) -> None:
    """What the card counts is what the next one is told; on a closed card a later hand-over takes nobody away."""
    two(desk, tmp_path / "sops", options=False)
    waiting = await desk.decide(await desk.say(ASKED), actor=WANG)
    assert [each.by for each in opened(waiting).counted] == [WANG.id]
    handed = await desk.advance(desk.event("hand_over", LI, to=WANG))
    assert (opened(handed).counted, len(opened(handed).votes)) == ([], 1)
    second = await desk.decide(handed, actor=KIM)
    assert [each.values for each in second.replies] == [{"count": "1", "quorum": "2"}]
    assert [each.by for each in opened(second).counted] == [KIM.id]


async def test_a_card_that_was_passed_on_keeps_the_count_it_had(desk: Desk, tmp_path: Path) -> None:
    """Though the case goes to the one who had approved, afterwards."""
    two(desk, tmp_path / "sops", options=False)
    waiting = await desk.decide(await desk.say(ASKED), actor=WANG)
    clock = Actor(id="clock", name="clock")
    await desk.advance(desk.event("timer", clock, timer=f"{view(waiting).waiting}/escalate"))
    handed = await desk.advance(desk.event("hand_over", LI, to=WANG))
    first, passed = (each for each in view(handed).requests if each.kind == "approve")
    assert first.closed is not None and first.closed.ending == "passed"
    assert ([each.by for each in first.counted], passed.counted) == ([WANG.id], [])


async def test_whoever_names_another_amount_is_counted_for_neither(desk: Desk, tmp_path: Path) -> None:
    """They had approved the first; now others decide on the second, and they are refused."""
    two(desk, tmp_path / "sops", options=False)
    waiting = await desk.decide(await desk.say(ASKED), actor=WANG)
    less = desk.event(
        "decision", WANG, request=view(waiting).waiting, verdict="approve", reason="太多", values={"amount": "60"}
    )
    named = await desk.advance(less)
    first, second = (each for each in view(named).requests if each.kind == "approve")
    assert (first.counted, second.counted, second.amount) == ([], [], "60.00 USD")
    assert [each.code for each in (await desk.decide(named, actor=WANG)).replies] == ["own_facts"]
    one = await desk.decide(named, actor=KIM)
    assert await desk.payouts() == []
    done = await desk.decide(one, actor=ZHAO)
    assert view(done).plain["approved_by"] == f"{KIM.id}, {ZHAO.id}"
    assert [each["amount"] for each in await desk.payouts()] == ["60"]
