"""The interfaces of sales: which plans fit, a lead, an appointment."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from decimal import Decimal
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from graph.errors import ToolUnavailable
from graph.fields import canonical_money
from graph.model import Lang
from graph.phrases import say
from graph.tools.spec import Call, tool
from graph.tools.values import Money

CATALOGUES: Final = ("featured", "standard")
_SHOWN: Final = 3
_CURRENCY: Final = "CNY"


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Plan(_Answer):
    """A plan that fits, and why it stands where it does."""

    plan_id: str
    title: str
    reason: str
    monthly: Money
    mbps: int


class Recommended(_Answer):
    """The plans that fit, best first; `note` says which catalogue could not be asked, or that nothing fits."""

    plans: list[Plan]
    note: str = ""


class Lead(_Answer):
    """A lead that was kept."""

    lead_id: str


class Appointment(_Answer):
    """An appointment that was booked."""

    appointment_id: str
    day: str


class _PlanBody(_Answer):
    plan_id: str
    title_zh: str
    title_en: str
    mbps: int
    monthly: int
    terms: list[int]
    purposes: list[str]
    qualifications: list[str]


class _Plans(_Answer):
    plans: list[_PlanBody]


class Wanted(NamedTuple):
    """What the customer wants: at most `budget` a month, for `term` months."""

    budget: Decimal
    term: int
    purpose: str
    qualification: str


@tool()
async def recommend_plans(call: Call, amount: Money, term: str, purpose: str, qualification: str) -> Recommended:
    """The three plans that fit best, of both catalogues. One that gives no answer is named; ToolUnavailable for both."""
    wanted = Wanted(amount.amount, int(term), purpose, qualification)
    answers = await asyncio.gather(*(_asked(call, name) for name in CATALOGUES))
    down = [name for name, answer in zip(CATALOGUES, answers, strict=True) if answer is None]
    if len(down) == len(CATALOGUES):
        raise ToolUnavailable("down", "no catalogue answers")
    found = ranked((plan for answer in answers if answer is not None for plan in answer.plans), wanted)[:_SHOWN]
    notes = [say(f"tools.catalogue_down_{name}", call.lang) for name in down]
    if not found:
        notes.append(say("tools.no_plan_fits", call.lang))
    plans = [_shown(plan, number, wanted, call.lang) for number, plan in enumerate(found)]
    return Recommended(plans=plans, note=" ".join(notes))


@tool(write=True)
async def create_lead(call: Call, contact_name: str, contact_phone: str, plan_id: str | None = None) -> Lead:
    """Keep who wants to be called, and about which plan if one was chosen."""
    body = {"contact_name": contact_name, "contact_phone": contact_phone}
    if plan_id is not None:
        body["plan_id"] = plan_id
    return await call.backoffice.post("/leads", body, Lead, key=call.key)


@tool(write=True)
async def book_appointment(call: Call, lead_id: str, day: str) -> Appointment:
    """Book a day for a lead; refused for a day that is over."""
    return await call.backoffice.post("/appointments", {"lead_id": lead_id, "day": day}, Appointment, key=call.key)


def ranked(plans: Iterable[_PlanBody], wanted: Wanted) -> list[_PlanBody]:
    """Those that fit, each once at its lowest price: the most bandwidth first, among equals the cheaper, then by id."""
    cheapest: dict[str, _PlanBody] = {}
    for plan in plans:
        known = cheapest.get(plan.plan_id)
        if fits(plan, wanted) and (known is None or plan.monthly < known.monthly):
            cheapest[plan.plan_id] = plan
    return sorted(cheapest.values(), key=lambda plan: (-plan.mbps, plan.monthly, plan.plan_id))


def fits(plan: _PlanBody, wanted: Wanted) -> bool:
    """Whether a plan may be recommended at all."""
    return (
        plan.monthly <= wanted.budget
        and wanted.term in plan.terms
        and wanted.purpose in plan.purposes
        and wanted.qualification in plan.qualifications
    )


async def _asked(call: Call, name: str) -> _Plans | None:
    try:
        return await call.backoffice.get(f"/catalogues/{name}/plans", _Plans)
    except ToolUnavailable:
        return None


def _shown(plan: _PlanBody, number: int, wanted: Wanted, lang: Lang) -> Plan:
    left = canonical_money(wanted.budget - plan.monthly)
    return Plan(
        plan_id=plan.plan_id,
        title=plan.title_zh if lang == "zh" else plan.title_en,
        reason=say(
            "tools.plan_first" if number == 0 else "tools.plan_other",
            lang,
            mbps=str(plan.mbps),
            monthly=str(plan.monthly),
            currency=_CURRENCY,
            term=str(wanted.term),
            left=left,
        ),
        monthly=Money(amount=Decimal(plan.monthly), currency=_CURRENCY),
        mbps=plan.mbps,
    )
