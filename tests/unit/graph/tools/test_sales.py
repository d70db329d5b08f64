"""Which plans are recommended, from two catalogues asked at once; leads and appointments made once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

from deploy.local.backoffice import BackOffice as Office
from deploy.local.backoffice import Fault
from graph.errors import ToolRefused, ToolUnavailable
from graph.model import Lang
from graph.tools.backoffice import BackOffice
from graph.tools.sales import Recommended, book_appointment, create_lead, recommend_plans
from graph.tools.spec import Call
from graph.tools.values import Money
from tests.parts.http import asking

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


class Desk(NamedTuple):
    """A back office and a client of it."""

    office: Office
    client: BackOffice

    async def plans(self, budget: str = "1000", lang: Lang = "zh") -> Recommended:
        """What is recommended for an office, a year and a company."""
        amount = Money(amount=Decimal(budget), currency="CNY")
        return await recommend_plans(Call(self.client, lang), amount, "12", "office", "company")


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """A fresh back office on the first of December."""
    office = Office(tmp_path / "office.db", faults=True, clock=lambda: NOW)
    await office.start()
    async with asking(office.url) as client:
        yield Desk(office, BackOffice(client))
    await office.stop()


async def test_the_best_three_of_both_catalogues_come_once_each(desk: Desk) -> None:
    """Most bandwidth within the budget first; what stands in both comes once, at the lower price; each says why."""
    found = await desk.plans()
    assert [(plan.plan_id, plan.monthly.amount) for plan in found.plans] == [
        ("BW-300", Decimal(800)),
        ("BW-200L", Decimal(700)),
        ("BW-100", Decimal(300)),
    ]
    assert found.note == ""
    assert found.plans[0].reason.startswith("预算内带宽最大：300M")
    assert "200 of the budget left" in (await desk.plans(lang="en")).plans[0].reason


@pytest.mark.parametrize(
    ("key", "value", "gone"),
    [
        ("term", "36", "BW-200L"),
        ("purpose", "backup", "BW-300"),
        ("qualification", "personal", "BW-300"),
    ],
)
async def test_what_does_not_fit_is_not_recommended(desk: Desk, key: str, value: str, gone: str) -> None:
    """Budget, term, purpose and qualification must all fit; a budget is met to the cent."""
    fitting = (await desk.plans()).plans
    asked = {"term": "12", "purpose": "office", "qualification": "company"} | {key: value}
    amount = Money(amount=Decimal(1000), currency="CNY")
    changed = (await recommend_plans(Call(desk.client, "zh"), amount, **asked)).plans
    assert gone in {plan.plan_id for plan in fitting}
    assert gone not in {plan.plan_id for plan in changed}


async def test_a_budget_is_met_to_the_cent(desk: Desk) -> None:
    """A plan of 800 fits 800 and not 799.99."""
    assert "BW-300" in {plan.plan_id for plan in (await desk.plans("800")).plans}
    assert "BW-300" not in {plan.plan_id for plan in (await desk.plans("799.99")).plans}


async def test_nothing_that_fits_is_said(desk: Desk) -> None:
    """No plan is made up."""
    found = await desk.plans(budget="10", lang="en")
    assert (found.plans, found.note) == ([], "No plan fits budget, term, purpose and qualification at once.")


@pytest.mark.parametrize(
    ("down", "mode", "left"),
    [("featured", "down", ["BW-200L", "BW-100", "BW-50"]), ("standard", "nonsense", ["BW-300", "BW-100"])],
)
async def test_one_catalogue_down_leaves_the_other(desk: Desk, down: str, mode: str, left: list[str]) -> None:
    """What the other has is recommended, and which one is missing is said."""
    desk.office.faults.add(Fault.model_validate({"mode": mode, "path_prefix": f"/catalogues/{down}", "times": None}))
    found = await desk.plans(lang="en")
    assert [plan.plan_id for plan in found.plans] == left
    assert down in found.note


async def test_both_catalogues_down_is_an_outage(desk: Desk) -> None:
    """Then the step waits for the back office instead of recommending nothing."""
    desk.office.faults.add(Fault(mode="down", path_prefix="/catalogues", times=None))
    with pytest.raises(ToolUnavailable):
        await desk.plans()


async def test_a_lead_and_its_appointment_are_made_once(desk: Desk) -> None:
    """The same key gives the same lead; one appointment a lead, and not for a day that is over."""
    first, again = [await create_lead(Call(desk.client, "zh", "k1"), "王女士", "13800001234", "BW-300") for _ in "12"]
    assert first == again
    undecided = await create_lead(Call(desk.client, "zh", "k2"), "李", "13800001235")
    assert undecided.lead_id != first.lead_id
    booked = await book_appointment(Call(desk.client, "zh", "k3"), first.lead_id, "2026-12-02")
    assert booked.day == "2026-12-02"
    for key, lead, day in (
        ("k4", first.lead_id, "2026-12-03"),
        ("k5", undecided.lead_id, "2026-11-30"),
        ("k6", "L99", "2027-01-01"),
    ):
        with pytest.raises(ToolRefused):
            await book_appointment(Call(desk.client, "zh", key), lead, day)


async def test_a_plan_nobody_sells_makes_no_lead(desk: Desk) -> None:
    """An id that stands in no catalogue is refused."""
    with pytest.raises(ToolRefused, match="no plan"):
        await create_lead(Call(desk.client, "zh", "k1"), "王女士", "13800001234", "BW-9")
