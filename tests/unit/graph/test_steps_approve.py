"""The step kind `approve`: the tier by amount, and whose decision counts."""

from __future__ import annotations

import pytest

from graph.authority import Authority
from graph.model import Actor, Fact, Goto, Level, Next, Stop, Text
from graph.model.events import Verdict
from graph.steps.approve import Approve, ApproveSpec
from tests.unit.graph.builders import (
    KIM,
    LI,
    STRANGER,
    SUN,
    WANG,
    ZHAO,
    ZHOU,
    FakeServices,
    context,
    money,
    step_event,
    waiting_for,
    word,
)

TIERS = [
    {"max": "50", "level": "auto"},
    {"max": 500, "level": "supervisor"},
    {"max": "2000.00", "level": "manager"},
    {"level": "director"},
]


def spec(**given: object) -> ApproveSpec:
    """The seed's tiers."""
    return ApproveSpec.model_validate({"id": "approval", "kind": "approve", "tiers": TIERS} | given)


def facts(amount: str = "80", by: str = LI.id) -> dict[str, Fact]:
    """What is decided on."""
    return {
        "amount": money(amount, by=by),
        "reason": word("x", by=by),
        "order": Fact(type="record", value={}, by="tool:get_order"),
    }


async def level_of(amount: Fact | None) -> str:
    """Who decides on this amount; the end's kind where nobody is asked."""
    move = await Approve().run(spec(), {} if amount is None else {"amount": amount}, context())
    if isinstance(move, Next):
        return str(move.set["approver"].value)
    return "stopped" if isinstance(move, Stop) else str(waiting_for(move).level)


@pytest.mark.parametrize(
    ("amount", "level"),
    [
        ("0.01", "System"),
        ("49.99", "System"),
        ("50", "System"),
        ("50.00", "System"),
        ("50.01", "supervisor"),
        ("499.99", "supervisor"),
        ("500", "supervisor"),
        ("500.01", "manager"),
        ("1999.99", "manager"),
        ("2000", "manager"),
        ("2000.01", "director"),
        ("999999999999.99", "director"),
    ],
)
async def test_the_tier_is_exact_to_the_cent(amount: str, level: str) -> None:
    """At each limit, a cent below and a cent above."""
    assert await level_of(money(amount)) == level


@pytest.mark.parametrize(
    "amount",
    [
        None,
        money("0"),
        money("-5"),
        word("80"),
        Fact(type="integer", value=5),
        Fact(type="money", value=None, currency="USD"),
    ],
)
async def test_without_a_positive_amount_the_money_stays(amount: Fact | None) -> None:
    """No tier is guessed."""
    assert await level_of(amount) == "stopped"


async def test_an_amount_above_every_tier_stops() -> None:
    """A gap is no permission, should such a file ever be loaded."""
    move = await Approve().run(spec(tiers=[{"max": 50, "level": "auto"}]), facts("50.01"), context())
    assert isinstance(move, Stop)
    assert move.trail[0].reason == "tier_gap"


async def test_another_fact_may_be_the_amount() -> None:
    """`amount` names it."""
    move = await Approve().run(spec(amount="refund"), {"refund": money("600"), "amount": money("1")}, context())
    assert waiting_for(move).level == "manager"


async def test_an_automatic_approval_is_the_systems_and_nobody_elses() -> None:
    """Whoever approved an amount before has not approved this one."""
    move = await Approve().run(spec(), facts("30"), context())
    assert isinstance(move, Next)
    assert move.set["approver"].value == "System"
    assert move.drop == ["approved_by"]
    assert (move.trail[0].what, move.trail[0].by) == ("auto", "System")


async def test_the_request_is_bound_to_what_is_decided() -> None:
    """The amount, and what the steps up to the next pause read, as far as it is known."""
    services = FakeServices(reads_ahead=("reason", "bank_account", "amount"))
    request = waiting_for(await Approve().run(spec(), facts(), context(services)))
    assert (request.reads, request.digest) == (["amount", "reason"], "d|amount=80|reason=x")
    assert (request.id, request.amount, request.error) == ("C-TEST/approval/1", facts()["amount"], None)


@pytest.mark.parametrize(
    ("people", "error"), [((), "nobody"), ((LI.id,), "nobody"), (("U0OTHER",), "nobody"), ((WANG.id,), None)]
)
async def test_nobody_who_may_decide_is_said_on_the_card(people: tuple[str, ...], error: str | None) -> None:
    """An empty list, or only people who are barred: the agent, the opener, whoever set a fact."""
    level = Level(name="supervisor", label=Text(zh="主管", en="supervisor"), rank=1, channel="c", people=people)
    ctx = context(owner=Actor(id="U0OTHER", name="o"), authority=Authority({"supervisor": level}))
    assert waiting_for(await Approve().run(spec(), facts(), ctx)).error == error


async def refused(
    actor: Actor,
    *,
    verdict: Verdict | None = "approve",
    reason: str = "",
    level_amount: str = "80",
    decided: dict[str, Fact] | None = None,
    owner: Actor = LI,
    opener: Actor = LI,
    text_digest: str = "d",
) -> str:
    """Why a decision does not count; empty when it does."""
    services = FakeServices(reads_ahead=("reason",))
    before = facts(level_amount)
    request = waiting_for(await Approve().run(spec(), before, context(services)))
    services.text_digest = text_digest
    event = step_event("decision", actor, request=request.id, verdict=verdict, reason=reason)
    reply = Approve().refusal(
        spec(), decided or before, request, event, context(services, actor=actor, owner=owner, opener=opener)
    )
    if reply is not None:
        assert (reply.kind, reply.to, reply.private) == ("refused", actor.id, True)
    return reply.code if reply else ""


@pytest.mark.parametrize(
    ("actor", "amount", "code"),
    [
        (WANG, "80", ""),
        (KIM, "80", ""),
        (ZHAO, "80", ""),
        (SUN, "80", ""),
        (WANG, "600", "not_listed"),
        (ZHAO, "600", ""),
        (ZHAO, "2001", "not_listed"),
        (SUN, "2001", ""),
        (STRANGER, "80", "not_listed"),
        (ZHOU, "80", "not_listed"),
        (LI, "80", "not_listed"),
    ],
)
async def test_only_listed_people_of_the_level_or_above_decide(actor: Actor, amount: str, code: str) -> None:
    """A lead is no approver, a supervisor is no manager."""
    assert await refused(actor, level_amount=amount) == code


async def test_nobody_decides_on_what_is_theirs() -> None:
    """Neither who set any of the facts, nor whose case it is, nor who opened it, though listed."""
    mixed = facts() | {"reason": word("x", by=WANG.id)}
    assert await refused(WANG, decided=mixed) == "own_facts"
    assert await refused(KIM, decided=mixed) == ""
    assert await refused(WANG, owner=WANG) == "own_facts"
    assert await refused(WANG, opener=WANG) == "own_facts"


async def test_a_decision_on_other_facts_does_not_count() -> None:
    """Amount, currency, reason or procedure changed since the card was made."""
    assert await refused(WANG, decided=facts("81")) == "changed"
    assert await refused(WANG, decided=facts() | {"reason": word("y")}) == "changed"
    assert await refused(WANG, decided={name: fact for name, fact in facts().items() if name != "reason"}) == "changed"
    assert await refused(WANG, text_digest="e") == "changed"
    assert await refused(WANG, decided=facts() | {"order": word("other")}) == ""


@pytest.mark.parametrize(
    ("verdict", "reason", "code"),
    [("reject", "", "no_reason"), ("reject", "  ", "no_reason"), ("reject", "too much", ""), (None, "", "no_reason")],
)
async def test_a_rejection_says_why(verdict: Verdict | None, reason: str, code: str) -> None:
    """No reason, no rejection."""
    assert await refused(WANG, verdict=verdict, reason=reason) == code


async def test_words_are_no_decision() -> None:
    """Approving is done on the card."""
    request = waiting_for(await Approve().run(spec(), facts(), context()))
    reply = Approve().refusal(spec(), facts(), request, step_event("message", WANG, text="approve"), context())
    assert reply is not None
    assert reply.code == "stale"


async def decided(verdict: Verdict, reason: str = "", **given: object) -> Next | Goto | Stop:
    """The move of a decision by Wang."""
    made = spec(**given)
    request = waiting_for(await Approve().run(made, facts(), context()))
    event = step_event("decision", WANG, request=request.id, verdict=verdict, reason=reason)
    move = await Approve().answered(made, facts(), request, event, context(actor=WANG))
    assert isinstance(move, Next | Goto | Stop)
    assert move.closed is not None
    assert (move.closed.by, move.closed.name, move.closed.event) == (WANG.id, "王", "e1")
    return move


async def test_an_approval_goes_on_with_the_level_and_the_person() -> None:
    """`approver` is the level, `approved_by` who it was."""
    move = await decided("approve")
    assert isinstance(move, Next)
    assert (move.set["approver"].value, move.set["approved_by"].value) == ("supervisor", WANG.id)
    assert move.closed is not None and move.closed.ending == "approved"


async def test_an_approval_may_lead_elsewhere() -> None:
    """By level."""
    move = await decided("approve", on_approve={"supervisor": {"goto": "second", "reset": ["reason"]}})
    assert isinstance(move, Goto)
    assert (move.to, move.drop, move.set["approver"].value) == ("second", ["reason"], "supervisor")
    assert isinstance(await decided("approve", on_approve={"manager": {"goto": "second"}}), Next)


async def test_a_rejection_goes_back_as_the_file_says() -> None:
    """By level or by default; what it names is forgotten, and the reason is kept word for word."""
    move = await decided("reject", "最多 150", on_reject={"goto": "collect", "reset": ["amount", "bank_account"]})
    assert isinstance(move, Goto)
    assert (move.to, move.again, move.drop) == ("collect", True, ["amount", "bank_account"])
    assert (move.trail[0].what, move.trail[0].reason) == ("reject", "最多 150")
    assert move.closed is not None
    assert (move.closed.ending, move.closed.reason) == ("rejected", "最多 150")
    by_level = await decided("reject", "no", on_reject={"supervisor": {"goto": "a"}, "default": {"goto": "b"}})
    assert isinstance(by_level, Goto) and by_level.to == "a"


async def test_a_rejection_that_leads_nowhere_stops() -> None:
    """With who rejected, and why."""
    move = await decided("reject", "最多 150")
    assert isinstance(move, Stop)
    assert move.why.zh == "主管驳回：最多 150"
    elsewhere = await decided("reject", "no", on_reject={"manager": {"goto": "a"}})
    assert isinstance(elsewhere, Stop)
