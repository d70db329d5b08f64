"""Who decides on how much: at each tier's limit, alone and with what else is at stake."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from functools import cache

import pytest
from pydantic import ValidationError

from graph.context import Context
from graph.errors import ThreadBusy
from graph.model import Actor, Fact, Goto, Next, Stake, Stop
from graph.steps.approve import Approve, ApproveSpec
from graph.steps.tiers import Cumulative
from tests.unit.graph.builders import (
    LI,
    START,
    SUN,
    WANG,
    ZHAO,
    FakeCommits,
    FakeServices,
    money,
    shipped,
    step_event,
    waiting_for,
    word,
)
from tests.unit.graph.builders import context as context_of

TIERS = [
    {"max": 50, "level": "auto"},
    {"max": 500, "level": "supervisor"},
    {"max": 2000, "level": "manager"},
    {"level": "director"},
]
LIMITS = [
    ("0.01", "auto"),
    ("49.99", "auto"),
    ("50.00", "auto"),
    ("50.01", "supervisor"),
    ("499.99", "supervisor"),
    ("500.00", "supervisor"),
    ("500.01", "manager"),
    ("1999.99", "manager"),
    ("2000.00", "manager"),
    ("2000.01", "director"),
]


KNOWN = cache(shipped)
"""The shipped vocabulary, read once."""


def context(
    services: FakeServices | None = None, *, actor: Actor = LI, commits: FakeCommits | None = None
) -> Context:
    """A context on these services and commitments."""
    return context_of(services, actor=actor, commits=commits, library=KNOWN())


def spec(**given: object) -> ApproveSpec:
    """The shipped tiers, added up by order."""
    cumulative = {"by": "order_id", "within": "30d", "paid": "order.compensated"}
    base = {"id": "approval", "kind": "approve", "tiers": TIERS, "cumulative": cumulative}
    return ApproveSpec.model_validate(base | given)


def paid(amount: str, days: float = 1, no: str = "RA9", currency: str = "USD") -> Fact:
    """A payout that the back office tells of, so many days ago."""
    at = word((START - timedelta(days=days)).isoformat())
    return Fact(type="record", value={"no": word(no), "amount": money(amount, currency), "at": at})


def facts(amount: str, *payouts: Fact) -> dict[str, Fact]:
    """What is known of the case."""
    order = Fact(type="record", value={"compensated": Fact(type="list", value=list(payouts))}, by="tool:get_order")
    return {"order_id": word("KL-1", by=LI.id), "amount": money(amount, by=LI.id), "order": order}


def stake(amount: str, *, run: str = "other", settled: bool = False, days: float = 0, **given: str) -> Stake:
    """What another run has at stake."""
    at = (START - timedelta(days=days)).isoformat()
    base = {"run": run, "step": "approval", "amount": amount, "currency": "USD", "level": "supervisor", "event": "e0"}
    return Stake.model_validate(base | {"at": at, "paid": settled} | given)


async def level(amount: str, *payouts: Fact, others: list[Stake] | None = None, **given: object) -> str:
    """Who decides."""
    move = await Approve().run(spec(**given), facts(amount, *payouts), context(commits=FakeCommits(others=others or [])))
    if isinstance(move, Next):
        return "auto"
    return "stop" if isinstance(move, Stop) else str(waiting_for(move).level)


@pytest.mark.parametrize(
    ("total", "expected", "beside"),
    [
        (total, expected, beside)
        for total, expected in LIMITS
        for beside in ("0", "0.01", "40.00", "499.00", "1234.56")
        if Decimal(beside) < Decimal(total)
    ],
)
async def test_the_sum_finds_the_tier_to_the_cent(total: str, expected: str, beside: str) -> None:
    """A cent below each limit, on it and a cent above: of one amount alone, and of the same sum in two parts, whether the
    other part was paid, told of by the back office, or approved and not yet paid."""
    amount = str(Decimal(total) - Decimal(beside))
    assert await level(amount, *([paid(beside)] if beside != "0" else [])) == expected
    assert await level(amount, others=[stake(beside)] if beside != "0" else []) == expected
    assert await level(amount, others=[stake(beside, settled=True, days=30)] if beside != "0" else []) == expected


async def test_what_is_older_than_the_window_does_not_count() -> None:
    """Paid 30 days ago counts, a moment earlier does not; approved and not paid counts however old."""
    assert await level("50", paid("0.01", days=30)) == "supervisor"
    assert await level("50", paid("0.01", days=30.001)) == "auto"
    assert await level("50", others=[stake("0.01", settled=True, days=30.001)]) == "auto"
    assert await level("50", others=[stake("0.01", days=400)]) == "supervisor"


async def test_a_payout_of_ours_counts_once() -> None:
    """What the back office lists under a number that is known here is the same payout."""
    ours = stake("100", settled=True, receipt="RA7")
    assert await level("400", paid("100", no="RA7"), others=[ours]) == "supervisor"
    assert await level("400.01", paid("100", no="RA7"), others=[ours]) == "manager"
    assert await level("400", paid("100", no="RA8"), others=[ours]) == "manager"


async def test_the_runs_own_stake_does_not_count_against_it() -> None:
    """A second look at the same case finds the same tier."""
    assert await level("50", others=[stake("50", run="run")]) == "auto"


async def test_a_sum_that_cannot_be_made_belongs_to_the_last_tier() -> None:
    """Another currency, an order that is not known, a back office that does not tell: the highest level is asked."""
    assert await level("1", paid("1", currency="EUR")) == "director"
    assert await level("1", others=[stake("1", currency="EUR")]) == "director"
    assert await level("1", Fact(type="record", value={"no": word("RA1")})) == "director"
    for known in ({"order_id": word("KL-1")}, {"order": Fact(type="record", value={})}):
        move = await Approve().run(spec(), known | {"amount": money("1", by=LI.id)}, context())
        assert waiting_for(move).level == "director"


async def test_the_card_is_told_what_else_is_at_stake() -> None:
    """The other amounts, the sum, and over how many days; nothing where nothing is."""
    move = await Approve().run(spec(), facts("80", paid("450")), context())
    beside = waiting_for(move).beside
    assert beside is not None
    assert (beside.others.value, beside.total.value, beside.total.currency, beside.days) == ("450", "530", "USD", 30)
    assert waiting_for(await Approve().run(spec(), facts("80"), context())).beside is None


async def test_an_automatic_approval_is_put_at_stake_at_once() -> None:
    """In the same step, with its amount, and where nothing else is at stake without a look; where others were faster it
    looks again, and gives up when that never ends."""
    commits = FakeCommits()
    assert isinstance(await Approve().run(spec(), facts("30"), context(commits=commits)), Next)
    assert commits.looks == 0
    commits = FakeCommits(lost=3)
    assert isinstance(await Approve().run(spec(), facts("30"), context(commits=commits)), Next)
    assert commits.looks == 3
    assert [(each.amount, each.level, each.event) for each in commits.reserved] == [("30", "auto", "e1")]
    with pytest.raises(ThreadBusy):
        await Approve().run(spec(), facts("30"), context(commits=FakeCommits(lost=99)))


async def test_a_turn_that_broke_off_keeps_what_it_put_at_stake() -> None:
    """Whatever has come beside it since: what it has begun may have been paid."""
    commits = FakeCommits()
    await Approve().run(spec(), facts("30"), context(commits=commits))
    commits.others = [stake("400")]
    assert isinstance(await Approve().run(spec(), facts("30", paid("30")), context(commits=commits)), Next)
    asked = await Approve().run(spec(), facts("31"), context(commits=commits))
    assert waiting_for(asked).level == "supervisor"


async def decided(amount: str, commits: FakeCommits, since: list[Stake], actor: Actor = WANG) -> object:
    """An approval of a request that was made before `since` came beside it."""
    services = FakeServices()
    request = waiting_for(await Approve().run(spec(), facts(amount), context(services, commits=commits)))
    commits.others = since
    event = step_event("decision", actor, request=request.id, verdict="approve")
    ctx = context(services, actor=actor, commits=commits)
    assert Approve().refusal(spec(), facts(amount), request, event, ctx) is None
    return await Approve().answered(spec(), facts(amount), request, event, ctx)


async def test_the_sum_is_looked_at_again_at_the_decision() -> None:
    """What has come beside it puts it into a higher tier: whoever may decide there has decided, any other passes it on."""
    commits = FakeCommits()
    passed = await decided("400", commits, [stake("100.01")])
    assert isinstance(passed, Goto)
    assert (passed.to, passed.closed and passed.closed.ending, commits.reserved) == ("approval", "passed", [])
    assert [(each.code, each.private) for each in passed.replies] == [("raised", True)]
    assert commits.bound == {}
    for by, others in ((WANG, "100.00"), (ZHAO, "100.01"), (ZHAO, "1600"), (SUN, "1600.01")):
        commits = FakeCommits()
        assert isinstance(await decided("400", commits, [stake(others)], by), Next), by
        assert [each.amount for each in commits.reserved] == ["400"]
        assert list(commits.bound) == ["approval"]


@pytest.mark.parametrize("within", ["30", "0d", "30x", "d", "-1d", "1.5d", ""])
def test_a_window_is_a_length_of_time(within: str) -> None:
    """Anything else is an error of the file."""
    with pytest.raises(ValidationError, match="is no length of time"):
        Cumulative.model_validate({"by": "order_id", "within": within})


def test_a_window_is_hours_days_or_weeks() -> None:
    """Written as a whole number and its unit."""
    for words, hours in (("12h", 12), ("30d", 720), ("2w", 336)):
        assert Cumulative.model_validate({"by": "order_id", "within": words}).seconds == hours * 3600
