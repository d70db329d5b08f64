"""Where two must approve, through the whole engine: those who stand in, and a hand-over in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.model import Actor, Outcome, Principal, RequestView
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
HELPER = Actor(id="U0HE", name="何")


def two(desk: Desk, directory: Path) -> None:
    """Let two supervisors decide."""
    shipped = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    approvals = (SHIPPED / "approvals.yaml").read_text(encoding="utf-8")
    needs = approvals.replace("U0KIM]\n    hours", "U0KIM]\n    quorum: 2\n    hours")
    assert needs != approvals
    desk.engine.library = library_with(directory, compensation=shipped, approvals=needs)


def opened(outcome: Outcome) -> RequestView:
    """The approval that waits."""
    request = view(outcome).open_request()
    assert request is not None
    return request


def standing_in(actor: Actor, *people: Actor) -> Actor:
    """The person with whom they stand in for."""
    return actor.model_copy(update={"stands_for": tuple(Principal(id=each.id, name=each.name) for each in people)})


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
    two(desk, tmp_path / "sops")
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
    two(desk, tmp_path / "sops")
    waiting = await desk.decide(await desk.say(ASKED), actor=WANG)
    assert [each.by for each in opened(waiting).counted] == [WANG.id]
    handed = await desk.advance(desk.event("hand_over", LI, to=WANG))
    assert (opened(handed).counted, len(opened(handed).votes)) == ([], 1)
    second = await desk.decide(handed, actor=KIM)
    assert [each.values for each in second.replies] == [{"count": "1", "quorum": "2"}]
    assert [each.by for each in opened(second).counted] == [KIM.id]


async def test_a_card_that_was_passed_on_keeps_the_count_it_had(desk: Desk, tmp_path: Path) -> None:
    """Though the case goes to the one who had approved, afterwards."""
    two(desk, tmp_path / "sops")
    waiting = await desk.decide(await desk.say(ASKED), actor=WANG)
    clock = Actor(id="clock", name="clock")
    await desk.advance(desk.event("timer", clock, timer=f"{view(waiting).waiting}/escalate"))
    handed = await desk.advance(desk.event("hand_over", LI, to=WANG))
    first, passed = (each for each in view(handed).requests if each.kind == "approve")
    assert first.closed is not None and first.closed.ending == "passed"
    assert ([each.by for each in first.counted], passed.counted) == ([WANG.id], [])
