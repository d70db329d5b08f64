"""The step kind `approve` where several must approve, where somebody stands in, and where separation is relaxed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph.authority import Authority
from graph.model import Actor, Fact, Goto, Move, Next, Principal, Request, Stay
from graph.model.events import Verdict
from graph.steps.approve import Approve, ApproveSpec
from tests.unit.graph.authority.people import level
from tests.unit.graph.builders import KIM, LI, SUN, WANG, ZHAO, context, money, step_event, waiting_for

DEPUTY = Actor(id="U0HE", name="何", stands_for=(Principal(id=WANG.id, name=WANG.name),))
TWO = Authority(
    {"supervisor": level("supervisor", 1, WANG.id, KIM.id, quorum=2), "manager": level("manager", 2, ZHAO.id, SUN.id)}
)
FACTS = {"amount": money("80", by=LI.id)}


def spec(**given: object) -> ApproveSpec:
    """One tier for all amounts."""
    return ApproveSpec.model_validate({"id": "approval", "kind": "approve", "tiers": [{"level": "supervisor"}]} | given)


async def asked(made: ApproveSpec, facts: dict[str, Fact] | None = None) -> Request:
    """The open request."""
    return waiting_for(await Approve().run(made, facts or FACTS, context(authority=TWO)))


async def clicked(
    request: Request,
    actor: Actor,
    verdict: Verdict = "approve",
    *,
    made: ApproveSpec | None = None,
    owners: frozenset[str] = frozenset({LI.id}),
    opener: Actor = LI,
) -> Move | str:
    """The move of a click; the code where it does not count."""
    made = made or spec()
    ctx = replace(context(actor=actor, authority=TWO, opener=opener), owners=owners, event=f"e-{actor.id}")
    event = step_event("decision", actor, id=ctx.event, request=request.id, verdict=verdict, reason="no")
    refused = Approve().refusal(made, FACTS, request, event, ctx)
    if refused is not None:
        return refused.code
    return await Approve().answered(made, FACTS, request, event, ctx)


async def test_the_first_of_two_is_counted_and_moves_nothing() -> None:
    """The request stays open under its id, holds the vote, and the person is told how many are there."""
    request = await asked(spec())
    move = await clicked(request, WANG)
    assert isinstance(move, Stay)
    assert (move.request.id, move.request.digest, move.closed, move.set) == (request.id, request.digest, None, {})
    assert [(each.by, each.of, each.event) for each in move.request.votes] == [(WANG.id, WANG.id, "e-U0WANG")]
    [reply] = move.replies
    assert (reply.code, reply.private, reply.to) == ("counted", True, WANG.id)
    assert reply.values == {"count": "1", "quorum": "2"}
    assert [(entry.what, entry.by, entry.reason) for entry in move.trail] == [("vote", WANG.id, "1/2")]


@pytest.mark.parametrize("second", [KIM, ZHAO])
async def test_the_second_person_approves(second: Actor) -> None:
    """Of the level or above; both stand in the facts and on the closed request."""
    first = await clicked(await asked(spec()), WANG)
    assert isinstance(first, Stay)
    move = await clicked(first.request, second)
    assert isinstance(move, Next)
    assert move.set["approved_by"].value == f"{WANG.id}, {second.id}"
    assert move.closed is not None and [each.by for each in move.closed.request.votes] == [WANG.id, second.id]


async def test_a_second_vote_of_the_same_person_is_said_and_counted_once() -> None:
    """So is one through a delegate, and one of a delegate after the person."""
    first = await clicked(await asked(spec()), WANG)
    assert isinstance(first, Stay)
    assert await clicked(first.request, WANG) == "voted"
    assert await clicked(first.request, DEPUTY) == "voted_for"
    lent = await clicked(await asked(spec()), DEPUTY)
    assert isinstance(lent, Stay)
    assert await clicked(lent.request, WANG) == "voted_for"


async def test_one_rejection_ends_it() -> None:
    """Whoever rejects, also somebody who had approved: then the money stays."""
    made = spec(on_reject={"goto": "collect"})
    first = await clicked(await asked(made), WANG, made=made)
    assert isinstance(first, Stay)
    for actor in (KIM, WANG):
        move = await clicked(first.request, actor, "reject", made=made)
        assert isinstance(move, Goto)
        assert move.closed is not None and move.closed.ending == "rejected"


async def test_a_vote_of_somebody_who_got_the_case_since_counts_no_more() -> None:
    """A hand-over to an approver who has voted: the next vote is the first again."""
    first = await clicked(await asked(spec()), WANG)
    assert isinstance(first, Stay)
    move = await clicked(first.request, KIM, owners=frozenset({LI.id, WANG.id}))
    assert isinstance(move, Stay)
    assert move.replies[0].values["count"] == "1"


async def test_a_hand_over_frees_nobody() -> None:
    """Whoever had the case at any time does not decide on it, though it is with another now."""
    assert await clicked(await asked(spec()), WANG, owners=frozenset({LI.id, WANG.id, "U0NEXT"})) == "own_facts"


async def test_a_delegate_is_named_with_whom_they_stand_in_for() -> None:
    """In the vote, in the record, and on the closed request."""
    first = await clicked(await asked(spec()), KIM)
    assert isinstance(first, Stay)
    move = await clicked(first.request, DEPUTY)
    assert isinstance(move, Next) and move.closed is not None
    last = move.closed.request.votes[-1]
    assert (last.by, last.of, last.of_name, move.closed.acting_for) == (DEPUTY.id, WANG.id, "王", "王")
    assert move.trail[0].acting_for == "王"


async def test_standing_in_frees_nobody_of_what_is_theirs() -> None:
    """Neither a delegate who set a fact, nor the delegate of somebody who did."""
    by_wang = {"amount": money("80", by=WANG.id)}
    by_deputy = {"amount": money("80", by=DEPUTY.id)}
    for facts, code in ((by_wang, "own_facts_of"), (by_deputy, "own_facts")):
        request = await asked(spec(), facts)
        event = step_event("decision", DEPUTY, request=request.id, verdict="approve")
        refused = Approve().refusal(spec(), facts, request, event, context(actor=DEPUTY, authority=TWO))
        assert refused is not None and refused.code == code


@pytest.mark.parametrize(
    ("separate", "opener", "code"),
    [(True, LI, "own_facts"), (False, LI, ""), (True, WANG, "own_facts"), (False, WANG, "own_facts")],
)
async def test_without_separation_only_the_opener_stays_out(separate: bool, opener: Actor, code: str) -> None:
    """Somebody who set a fact may then decide; whoever opened the case never."""
    made, facts = spec(separate=separate), {"amount": money("80", by=WANG.id)}
    request = waiting_for(await Approve().run(made, facts, context(authority=TWO)))
    ctx = replace(context(actor=WANG, authority=TWO, opener=opener), owners=frozenset({opener.id, WANG.id}))
    event = step_event("decision", WANG, request=request.id, verdict="approve")
    refused = Approve().refusal(made, facts, request, event, ctx)
    assert (refused.code if refused else "") == code


async def test_too_few_left_for_the_quorum_is_nobody() -> None:
    """Two must approve, and of those listed only one may: said on the card at once."""
    few = Authority({"supervisor": level("supervisor", 1, WANG.id, LI.id, quorum=2)})
    request = waiting_for(await Approve().run(spec(), FACTS, context(authority=few)))
    assert (request.error, request.quorum) == ("nobody", 2)


async def test_a_vote_in_the_place_of_somebody_who_got_the_case_counts_no_more() -> None:
    """Whoever stands in has no better right than the one who is away."""
    first = await clicked(await asked(spec()), DEPUTY)
    assert isinstance(first, Stay)
    for owner in (WANG.id, DEPUTY.id):
        move = await clicked(first.request, KIM, owners=frozenset({LI.id, owner}))
        assert isinstance(move, Stay)
        assert move.replies[0].values["count"] == "1"
