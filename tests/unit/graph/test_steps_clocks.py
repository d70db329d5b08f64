"""The clocks of an approval, and the question after an expiry."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from graph.authority import Authority
from graph.model import Actor, EventKind, Fact, Goto, Move, Request, Stay, Stop
from graph.steps.approve import Approve, ApproveSpec
from tests.unit.graph.authority.people import level
from tests.unit.graph.builders import (
    LI,
    START,
    SUN,
    WANG,
    ZHAO,
    FakeServices,
    context,
    money,
    step_event,
    waiting_for,
    word,
)

LEVELS = Authority(
    {
        "supervisor": level("supervisor", 1, WANG.id),
        "manager": level("manager", 2, ZHAO.id, quorum=1),
        "director": level("director", 3, SUN.id),
    }
)
CLOCK = Actor(id="timer", name="timer")
TIER = {"max": 500, "level": "supervisor", "remind_after": "2h", "escalate_after": "4h", "expire_after": "1d"}
FACTS: dict[str, Fact] = {"amount": money("80", by=LI.id), "reason": word("x", by=LI.id)}


def spec(*tiers: dict[str, object], **given: object) -> ApproveSpec:
    """A step with these tiers."""
    return ApproveSpec.model_validate({"id": "approval", "kind": "approve", "tiers": tiers or (TIER,)} | given)


async def asked(made: ApproveSpec, services: FakeServices | None = None) -> Request:
    """The open request."""
    return waiting_for(await Approve().run(made, FACTS, context(services, authority=LEVELS)))


async def fired(
    made: ApproveSpec, request: Request, clock: str, authority: Authority = LEVELS, services: FakeServices | None = None
) -> Move:
    """What a clock of the request brings about, at the time when it is due."""
    [due] = [each.due for each in request.timers if each.id == f"{request.id}/{clock}"]
    ctx = replace(context(services, actor=CLOCK, authority=authority), now=due)
    event = step_event("timer", CLOCK, timer=f"{request.id}/{clock}")
    return await Approve().answered(made, FACTS, request, event, ctx)


async def test_a_request_has_the_clocks_of_its_tier() -> None:
    """With stable ids, in the order in which they go off; a tier without any has none."""
    request = await asked(spec())
    assert [(each.id, each.due) for each in request.timers] == [
        (f"{request.id}/{name}", (START + timedelta(hours=hours)).isoformat())
        for name, hours in (("remind", 2), ("escalate", 4), ("expire", 24))
    ]
    assert (await asked(spec({"level": "supervisor"}))).timers == []


async def test_a_reminder_goes_off_once_and_changes_nothing_else() -> None:
    """The clock leaves the request, which stays as it was."""
    request = await asked(spec())
    move = await fired(spec(), request, "remind")
    assert isinstance(move, Stay)
    left = [each for each in request.timers if not each.id.endswith("remind")]
    assert move.request == request.model_copy(update={"timers": left, "reminded": request.timers[0].due})
    assert (move.closed, [(each.what, each.level) for each in move.trail]) == (None, [("remind", "supervisor")])


@pytest.mark.parametrize(
    ("above", "names"),
    [
        ((), {"remind", "expire"}),  # without a tier of its own: reminded as before
        (({"level": "manager", "remind_after": "1h", "escalate_after": "2h"},), {"remind", "escalate", "expire"}),
        (({"level": "manager"},), {"remind", "expire"}),
    ],
)
async def test_the_level_above_gets_a_new_request_with_its_own_clocks(
    above: tuple[dict[str, object], ...], names: set[str]
) -> None:
    """The old one is passed on, not decided; the end that was set stays where it was."""
    services, made = FakeServices(reads_ahead=("reason",)), spec(TIER, *above)
    request = await asked(made, services)
    move = await fired(made, request, "escalate", services=services)
    assert isinstance(move, Stay) and move.closed is not None
    newer = move.request
    assert (newer.level, newer.reads, newer.digest) == ("manager", request.reads, request.digest)
    assert newer.id != request.id and newer.votes == []
    assert {each.id.rpartition("/")[2] for each in newer.timers} == names
    assert {each.due for each in newer.timers if each.id.endswith("expire")} == {request.timers[2].due}
    assert (move.closed.ending, move.closed.acting_for) == ("passed", "")
    assert [(each.what, each.level) for each in move.trail] == [("pass_on", "manager"), ("ask", "manager")]


async def test_votes_stay_with_the_request_they_were_given_to() -> None:
    """What a lower level approved in part, the higher one decides anew."""
    low = level("supervisor", 1, WANG.id, "U0X", quorum=2)
    two = Authority({"supervisor": low, "manager": level("manager", 2, ZHAO.id)})
    request = waiting_for(await Approve().run(spec(), FACTS, context(authority=two)))
    click = step_event("decision", WANG, request=request.id, verdict="approve")
    voted = await Approve().answered(spec(), FACTS, request, click, context(actor=WANG, authority=two))
    assert isinstance(voted, Stay) and len(voted.request.votes) == 1
    assert voted.request.timers == request.timers
    move = await fired(spec(), voted.request, "escalate", two)
    assert isinstance(move, Stay) and (move.request.votes, move.request.quorum) == ([], 1)


async def test_where_no_level_is_above_any_more_its_own_hears_of_it_again() -> None:
    """The file may have lost the level since: nothing is passed on to nobody."""
    request = await asked(spec())
    alone = Authority({"supervisor": level("supervisor", 1, WANG.id)})
    move = await fired(spec(), request, "escalate", alone)
    assert isinstance(move, Stay)
    assert (move.request.level, move.request.reminded, move.closed) == ("supervisor", request.timers[1].due, None)


async def test_an_expiry_never_approves() -> None:
    """The requester is asked whether to submit again; the file may have it stop or go elsewhere."""
    request = await asked(spec())
    move = await fired(spec(), request, "expire")
    assert isinstance(move, Stay)
    assert (move.request.kind, move.request.error, move.request.reads) == ("confirm", "expired", request.reads)
    stopped = await fired(spec(on_expire="stop"), request, "expire")
    assert isinstance(stopped, Stop) and stopped.status == "stopped"
    made = spec(on_expire={"supervisor": {"goto": "collect", "reset": ["amount"]}})
    gone = await fired(made, request, "expire")
    assert isinstance(gone, Goto) and (gone.to, gone.drop) == ("collect", ["amount"])
    other = spec(on_expire={"manager": {"goto": "collect"}})
    assert isinstance(await fired(other, request, "expire"), Stop)
    for each in (move, stopped, gone):
        assert each.set == {} and each.closed is not None and each.closed.ending == "expired"


async def question() -> Request:
    """What the requester is asked after an expiry."""
    request = await asked(spec())
    return waiting_for(await fired(spec(), request, "expire"))


async def said(text: str = "", **given: object) -> Move:
    """The move of the requester's answer."""
    kind: EventKind = "message" if text else "answer"
    event = step_event(kind, LI, text=text, said_at=START + timedelta(days=2), **given)
    return await Approve().answered(spec(), FACTS, await question(), event, context(authority=LEVELS))


async def test_a_yes_submits_it_again() -> None:
    """By button or in words: the step runs anew, with today's tier."""
    for move in (await said("对，再提交"), await said(values={"confirm": "yes"})):
        assert isinstance(move, Goto) and (move.to, move.again) == ("approval", True)
        assert move.closed is not None and (move.closed.ending, move.closed.answer) == ("answered", "yes")


async def test_another_amount_corrects() -> None:
    """As any answer to a confirmation does."""
    move = await said("改成 60 美元")
    assert isinstance(move, Goto) and not move.again
    assert move.set["amount"].value == "60"


async def test_anything_else_waits_on() -> None:
    """And says what can be done; a no is no cancel, for that is done on the case card."""
    for move in (await said("再等等看"), await said(values={"confirm": "no"})):
        assert isinstance(move, Stay) and move.closed is None
        assert [(each.code, each.private) for each in move.replies] == [("resubmit", False)]


async def test_a_yes_from_before_the_question_does_not_count() -> None:
    """Words overtaken by the expiry pay nothing."""
    request = await question()
    early = step_event("message", LI, text="对", said_at=START)
    refused = Approve().refusal(spec(), FACTS, request, early, context(authority=LEVELS))
    assert refused is not None and refused.code == "said_before"
    later = step_event("message", LI, text="对", said_at=START + timedelta(days=2))
    assert Approve().refusal(spec(), FACTS, request, later, context(authority=LEVELS)) is None
