"""The step kind `approve` where several must decide for one of several options, and change what they have decided for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph.authority import Authority
from graph.model import ANOTHER_AMOUNT, Actor, Goto, Move, Principal, Reply, Request, Stay
from graph.model.events import Verdict
from graph.steps.approve import Approve, ApproveSpec
from tests.unit.graph.authority.people import level
from tests.unit.graph.builders import KIM, LI, SUN, WANG, ZHAO, context, money, step_event, waiting_for

TWO = Authority(
    {"supervisor": level("supervisor", 1, WANG.id, KIM.id, quorum=2), "manager": level("manager", 2, ZHAO.id, SUN.id)}
)
FACTS = {"amount": money("80", by=LI.id)}
WAYS = [
    {"id": "retry", "label": {"zh": "重退", "en": "Retry"}, "on": [{"goto": "collect"}]},
    {"id": "close", "label": {"zh": "关闭", "en": "Close"}, "on": [{"goto": "note"}]},
]
PLAIN: dict[str, object] = {"id": "approval", "kind": "approve", "tiers": [{"level": "supervisor"}]}
SPLIT = ApproveSpec.model_validate(PLAIN | {"options": WAYS})
STANDS_IN = Actor(id="U0HE", name="何", stands_for=(Principal(id=WANG.id, name=WANG.name),))


async def asked(spec: ApproveSpec = SPLIT) -> Request:
    """The open request."""
    return waiting_for(await Approve().run(spec, FACTS, context(authority=TWO)))


async def chosen(
    request: Request,
    actor: Actor,
    option: str = "",
    *,
    amount: str = "",
    verdict: Verdict = "approve",
    spec: ApproveSpec = SPLIT,
    owners: frozenset[str] = frozenset({LI.id}),
) -> Move | Reply:
    """What a click does; the refusal where it does not count."""
    number = len(request.votes)
    ctx = replace(context(actor=actor, authority=TWO), owners=owners, event=f"e{number}")
    values = {name: value for name, value in (("option", option), ("amount", amount)) if value}
    event = step_event("decision", actor, id=ctx.event, request=request.id, verdict=verdict, reason="看过了", values=values)
    refused = Approve().refusal(spec, FACTS, request, event, ctx)
    return refused if refused is not None else await Approve().answered(spec, FACTS, request, event, ctx)


async def after(*clicks: tuple[Actor, str]) -> Request:
    """The request after these clicks, none of which is the last one needed."""
    request = await asked()
    for actor, option in clicks:
        move = await chosen(request, actor, option)
        assert isinstance(move, Stay)
        request = move.request
    return request


async def test_votes_for_different_options_are_not_added_up() -> None:
    """Two must decide for the same: one for each of two ways is no decision."""
    move = await chosen(await after((WANG, "retry"), (KIM, "close")), ZHAO, "close")
    assert isinstance(move, Goto)
    assert move.set["approved_by"].value == f"{KIM.id}, {ZHAO.id}"


async def test_two_who_chose_differently_agree_by_one_changing_theirs() -> None:
    """It leads where the two agree, and names them in the order in which they came to it."""
    move = await chosen(await after((WANG, "retry"), (KIM, "close")), WANG, "close")
    assert isinstance(move, Goto)
    assert (move.to, move.set["approved_by"].value) == ("note", f"{KIM.id}, {WANG.id}")


async def test_a_changed_vote_is_taken_away_where_it_was() -> None:
    """It does not help the next one who chooses what was given up."""
    move = await chosen(await after((WANG, "retry")), WANG, "close")
    assert isinstance(move, Stay)
    assert move.replies[0].values == {"count": "1", "quorum": "2"}
    move = await chosen(move.request, KIM, "retry")
    assert isinstance(move, Stay)
    assert move.replies[0].values == {"count": "1", "quorum": "2"}


async def test_whoever_changes_is_told_what_they_chose_now() -> None:
    """And how many there are for it, in both languages."""
    move = await chosen(await after((WANG, "retry")), WANG, "close")
    assert isinstance(move, Stay)
    [told] = move.replies
    assert told.text is not None
    assert (told.code, told.private, told.to) == ("counted", True, WANG.id)
    assert told.text.zh == "已改选“关闭”，1/2，钱还没动"
    assert told.text.en == "Changed to “Close”, 1 of 2; no money moved yet"


async def test_the_same_choice_again_is_refused_and_the_way_to_change_it_named() -> None:
    """With the number of that choice, not of all votes."""
    refused = await chosen(await after((WANG, "retry"), (KIM, "close")), WANG, "retry")
    assert isinstance(refused, Reply) and refused.text is not None
    assert (refused.code, refused.private) == ("voted", True)
    assert refused.text.zh == "你选的就是“重退”，只算一次，现在 1/2；想改，选另一个"
    assert refused.text.en == "you have chosen “Retry” already, which counts once; now 1 of 2. To change it, choose another"


async def test_the_record_keeps_both_votes() -> None:
    """Each with what was chosen and the remark; the request keeps both, too."""
    request = await after((WANG, "retry"))
    move = await chosen(request, WANG, "close")
    assert isinstance(move, Stay)
    assert [(each.by, each.option) for each in move.request.votes] == [(WANG.id, "retry"), (WANG.id, "close")]
    [entry] = move.trail
    assert (entry.what, entry.by, entry.reason) == ("vote", WANG.id, "1/2")
    assert entry.values == {"option": "close", "remark": "看过了"}


@pytest.mark.parametrize("second", ["retry", "close"])
async def test_standing_in_gives_no_second_choice(second: str) -> None:
    """Neither for the same nor for another option; the one who is back may change what was chosen in their place."""
    refused = await chosen(await after((WANG, "retry")), STANDS_IN, second)
    assert isinstance(refused, Reply) and refused.code == "voted_for"
    move = await chosen(await after((STANDS_IN, "close"), (KIM, "retry")), WANG, second)
    if second == "close":
        assert isinstance(move, Reply) and move.code == "voted_for"
    else:
        assert isinstance(move, Goto) and move.set["approved_by"].value == f"{KIM.id}, {WANG.id}"


async def test_a_changed_vote_of_somebody_who_got_the_case_since_counts_nowhere() -> None:
    """Neither the new choice nor the old one."""
    request = await after((WANG, "retry"), (WANG, "close"))
    owners = frozenset({LI.id, WANG.id})
    for option in ("retry", "close"):
        move = await chosen(request, KIM, option, owners=owners)
        assert isinstance(move, Stay) and move.replies[0].values["count"] == "1"
    refused = await chosen(request, WANG, "retry", owners=owners)
    assert isinstance(refused, Reply) and refused.code == "own_facts"


@pytest.mark.parametrize("spec", [SPLIT, ApproveSpec.model_validate(PLAIN)], ids=["options", "plain"])
@pytest.mark.parametrize("amount", ["60", "80", "90"])
async def test_whoever_has_approved_may_still_name_another_amount(spec: ApproveSpec, amount: str) -> None:
    """Then a new request is made, which they do not decide; the very amount that was asked is their former choice,
    more than that is none."""
    first = await chosen(await asked(spec), WANG, spec=spec)
    assert isinstance(first, Stay)
    move = await chosen(first.request, WANG, amount=amount, spec=spec)
    if amount != "60":
        assert isinstance(move, Reply) and move.code == {"80": "voted", "90": "amount"}[amount]
        return
    assert isinstance(move, Goto) and move.closed is not None
    assert (move.closed.ending, move.set["amount"].by) == ("replaced", WANG.id)
    assert [each.option for each in move.closed.request.votes][-1] == ANOTHER_AMOUNT


async def test_a_decision_for_an_option_that_is_not_offered_needs_more_than_a_click() -> None:
    """On a card without options it is no plain approval."""
    plain = ApproveSpec.model_validate(PLAIN)
    request = await asked(plain)
    event = step_event("decision", WANG, request=request.id, verdict="approve", values={"option": "retry"})
    refused = Approve().refusal(plain, FACTS, request, event, context(actor=WANG, authority=TWO))
    assert refused is not None and refused.code == "no_reason"


async def test_whoever_has_approved_may_still_reject_by_an_option() -> None:
    """Then the money stays."""
    ways = [*WAYS, {"id": "no", "label": "no", "verdict": "reject", "on": [{"goto": "note"}]}]
    spec = ApproveSpec.model_validate(PLAIN | {"options": ways})
    first = await chosen(await asked(spec), WANG, "retry", spec=spec)
    assert isinstance(first, Stay)
    move = await chosen(first.request, WANG, "no", verdict="reject", spec=spec)
    assert isinstance(move, Goto) and move.closed is not None and move.closed.ending == "rejected"
