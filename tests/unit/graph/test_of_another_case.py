"""What was meant for a case that is over, or waits behind another, changes none that is open in its thread by now."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest

from graph.model import Event, EventKind, Outcome
from tests.unit.graph.builders import KIM, LI, WANG, Desk, view, waits
from tests.unit.graph.test_runner_people import code

A: Final = "给 KL-778 补 80 美元积分，商户漏发接送"
B: Final = "给 KL-502 补 300 美元积分，客人包车迟到两小时"
ACTS: Final[dict[EventKind, dict[str, object]]] = {
    "answer": {"values": {"amount": "60"}},
    "decision": {"actor": WANG, "verdict": "approve"},
    "inquire": {"actor": WANG, "text": "为什么？"},
    "correct": {"values": {"amount": "60"}},
    "cancel": {"reason": "客人不要了"},
    "hand_over": {"to": KIM},
    "retry": {},
    "settle": {"values": {"outcome": "paid"}, "reason": "seen"},
}
"""All that a button or a form does to a case, without the case."""


@pytest.fixture
def desk(shared_desk: Desk) -> Desk:
    """These tests share one."""
    return shared_desk


def act(desk: Desk, kind: EventKind, **given: object) -> Event:
    """What somebody does by a button or a form; nothing of it was said."""
    return desk.event(kind).model_copy(update={**ACTS[kind], **given})


async def one_after_the_other(desk: Desk, *, paid: bool) -> tuple[Outcome, Outcome]:
    """The first case of the thread as it waited, which has ended since, and the second, which waits."""
    first = await desk.say(A)
    ended = await desk.decide(first) if paid else await desk.say("取消")
    assert view(ended).status == ("done" if paid else "cancelled")
    second = await desk.say(B)
    assert waits(second)[0] == "approve"
    return first, second


async def refused_and_nothing_moved(desk: Desk, event: Event, waiting: Outcome) -> Outcome:
    """The event carried out: the case that waits is as it was."""
    outcome = await desk.advance(event)
    assert await desk.runner.find(desk.thread) == view(waiting)
    assert [reply.kind for reply in outcome.replies] == ["refused"]
    return outcome


@pytest.mark.parametrize("paid", [True, False], ids=["paid", "cancelled"])
@pytest.mark.parametrize("kind", ACTS)
async def test_an_act_on_a_case_that_is_over_changes_no_other(desk: Desk, kind: EventKind, paid: bool) -> None:
    """It is refused in the words of the case that it was meant for, and stands in that one's audit log."""
    first, second = await one_after_the_other(desk, paid=paid)
    event = act(desk, kind, case=view(first).case)
    refused = await refused_and_nothing_moved(desk, event, second)
    words = "nothing_to_retry" if kind == "retry" else "already_paid" if paid else "cancelled_done"
    assert (code(refused), view(refused).case) == (words, view(first).case)
    noted = {
        case: [each.line.id for each in await desk.audit.of(case) if each.line.refused]
        for case in (view(first).case, view(second).case)
    }
    assert noted == {view(first).case: [f"{event.id}/refused"], view(second).case: []}


async def test_a_late_click_is_told_what_became_of_its_card(desk: Desk) -> None:
    """A second approval of the case before: who decided, though another case is open."""
    first, second = await one_after_the_other(desk, paid=True)
    refused = await refused_and_nothing_moved(desk, desk.decision(first), second)
    assert (code(refused), refused.replies[0].values["name"]) == ("decided", WANG.name)


@pytest.mark.parametrize("kind", ["correct", "hand_over"])
async def test_an_act_on_a_case_that_waits_behind_changes_not_the_one_before_it(desk: Desk, kind: EventKind) -> None:
    """Only a cancel is for a case that has not begun."""
    await desk.say(A)
    queued = await desk.advance(desk.event("queue", text=B, values={"by": LI.id, "of": kind}))
    held = queued.queued[0]
    await refused_and_nothing_moved(desk, act(desk, kind, case=held.case), queued)
    assert await desk.runner.show(held.case) == held


@pytest.mark.parametrize("kind", ["correct", "cancel", "hand_over"])
async def test_what_an_earlier_version_stored_is_judged_by_when_it_came(desk: Desk, kind: EventKind) -> None:
    """It names no case: what came before the open one began was for another, what came since is for that one."""
    await desk.say(A)
    early = act(desk, kind)
    await desk.say("取消")
    second = await desk.say(B)
    refused = await refused_and_nothing_moved(desk, early, second)
    assert [(each.code, each.values) for each in refused.replies] == [("said_earlier", {"case": view(second).case})]
    counted = await desk.advance(early.model_copy(update={"id": f"{kind} again", "at": early.at + timedelta(days=1)}))
    assert (view(counted).case, counted.replies) == (view(second).case, [])
    assert view(counted) != view(second)
