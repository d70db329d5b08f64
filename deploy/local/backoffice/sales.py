"""Sales: two catalogues of bandwidth plans that can be asked, leads and appointments that can be made."""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import BaseModel, ConfigDict, StringConstraints

from deploy.local.backoffice.database import Database
from deploy.local.backoffice.errors import Refusal
from deploy.local.backoffice.idempotency import Answer, digest_of, once
from deploy.local.backoffice.replies import json_reply
from deploy.local.backoffice.requests import body_of, key_of, written

Purpose = Literal["office", "live", "backup", "hosting"]
Qualification = Literal["company", "icp", "personal"]


class Plan(BaseModel):
    """A plan: `monthly` in CNY, `terms` in months. `title` in Chinese and English."""

    model_config = ConfigDict(frozen=True)

    plan_id: str
    title_zh: str
    title_en: str
    mbps: int
    monthly: int
    terms: tuple[int, ...]
    purposes: tuple[Purpose, ...]
    qualifications: tuple[Qualification, ...]


def _plan(plan_id: str, zh: str, en: str, mbps: int, monthly: int, terms: str, purposes: str, who: str) -> Plan:
    return Plan.model_validate(
        {
            "plan_id": plan_id,
            "title_zh": zh,
            "title_en": en,
            "mbps": mbps,
            "monthly": monthly,
            "terms": [int(each) for each in terms.split()],
            "purposes": purposes.split(),
            "qualifications": who.split(),
        }
    )


_ALL: Final = "company icp personal"
CATALOGUES: Final[Mapping[str, tuple[Plan, ...]]] = {
    "featured": (
        _plan("BW-100", "商务宽带 100M", "Business 100M", 100, 300, "6 12 24 36", "office backup", _ALL),
        _plan("BW-300", "商务宽带 300M", "Business 300M", 300, 800, "12 24 36", "office live", "company icp"),
        _plan("BW-500", "直播专线 500M", "Live line 500M", 500, 2600, "6 12 24", "live", "company icp"),
        _plan("BW-1000", "机房专线 1000M", "Data centre line 1000M", 1000, 6800, "12 24 36", "hosting backup", "icp"),
    ),
    "standard": (
        _plan("BW-100", "商务宽带 100M", "Business 100M", 100, 320, "6 12 24 36", "office backup", _ALL),
        _plan("BW-50", "轻享宽带 50M", "Light 50M", 50, 160, "6 12 24 36", "office live backup", _ALL),
        _plan("BW-200", "云备份专线 200M", "Cloud backup line 200M", 200, 900, "12 24 36", "backup", "company icp"),
        _plan("BW-200L", "直播宽带 200M", "Live 200M", 200, 700, "6 12 24", "live office", _ALL),
        _plan("BW-400", "托管专线 400M", "Hosting line 400M", 400, 2400, "12 24 36", "hosting live", "icp company"),
    ),
}
"""`featured` is what sales pushes this season, `standard` all that is sold; some plans stand in both."""

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class LeadRequest(BaseModel):
    """The body of `POST /leads`. Without `plan_id` the customer has not chosen yet."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    contact_name: _Text
    contact_phone: Annotated[str, StringConstraints(pattern=r"^\+?[0-9]{7,15}$")]
    plan_id: str | None = None


class Lead(LeadRequest):
    """A lead as it was made; `at` is UTC."""

    lead_id: str
    at: datetime


class ListedLead(Lead):
    """A lead with the day that is booked for it, as the page lists it."""

    day: date | None = None


class AppointmentRequest(BaseModel):
    """The body of `POST /appointments`."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    lead_id: Annotated[str, StringConstraints(pattern=r"^L[0-9]{1,9}$")]
    day: date


class Appointment(AppointmentRequest):
    """An appointment as it was made."""

    appointment_id: str


@dataclass(frozen=True)
class Sales:
    """The routes of sales over one database. `clock` gives the current time in UTC."""

    database: Database
    clock: Callable[[], datetime]

    def routes(self) -> list[web.RouteDef]:
        """Every route."""
        return [
            web.get("/catalogues/{name}/plans", self._plans),
            web.post("/leads", self._lead),
            web.get("/leads", self._leads),
            web.post("/appointments", self._appointment),
        ]

    async def _plans(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in CATALOGUES:
            raise Refusal("not_found", f"There is no catalogue of that name. There are {', '.join(CATALOGUES)}.")
        return json_reply(_Plans(plans=CATALOGUES[name]).model_dump_json())

    async def _lead(self, request: web.Request) -> web.Response:
        key, wanted = key_of(request), await body_of(request, LeadRequest)
        return written(await self.database.write(lambda c: add_lead(c, key, wanted, self.clock())))

    async def _leads(self, _request: web.Request) -> web.Response:
        return json_reply(_Leads(leads=await self.database.read(all_leads)).model_dump_json())

    async def _appointment(self, request: web.Request) -> web.Response:
        key, wanted = key_of(request), await body_of(request, AppointmentRequest)
        return written(await self.database.write(lambda c: book(c, key, wanted, self.clock())))


class _Plans(BaseModel):
    plans: tuple[Plan, ...]


class _Leads(BaseModel):
    leads: list[Lead]


def add_lead(connection: sqlite3.Connection, key: str, request: LeadRequest, now: datetime) -> Answer:
    """Keep a lead once per key; raises Refusal `not_found` for an unknown plan."""
    known = {plan.plan_id for plans in CATALOGUES.values() for plan in plans}
    if request.plan_id is not None and request.plan_id not in known:
        raise Refusal("not_found", "There is no plan of that id.")

    def keep() -> Lead:
        row = connection.execute(
            "INSERT INTO leads (plan_id, contact_name, contact_phone, at) VALUES (?, ?, ?, ?)",
            (request.plan_id, request.contact_name, request.contact_phone, now.isoformat()),
        ).lastrowid
        return Lead(lead_id=f"L{row}", at=now, **request.model_dump())

    return once(connection, key, digest_of("lead", request), now, keep)


def all_leads(connection: sqlite3.Connection) -> list[Lead]:
    """Every lead, newest first."""
    return [
        Lead(
            lead_id=f"L{row['id']}",
            contact_name=row["contact_name"],
            contact_phone=row["contact_phone"],
            plan_id=row["plan_id"],
            at=row["at"],
        )
        for row in connection.execute("SELECT * FROM leads ORDER BY id DESC")
    ]


def listed_leads(connection: sqlite3.Connection, *, limit: int) -> list[ListedLead]:
    """The newest leads, each with its day."""
    days = dict(connection.execute("SELECT lead_id, day FROM appointments").fetchall())
    leads = all_leads(connection)[:limit]
    return [ListedLead(**lead.model_dump(), day=days.get(int(lead.lead_id[1:]))) for lead in leads]


def book(connection: sqlite3.Connection, key: str, request: AppointmentRequest, now: datetime) -> Answer:
    """Book a day for a lead once; raises Refusal `not_found`, or `bad_request` for a day that is over or taken."""

    def keep() -> Appointment:
        lead = int(request.lead_id[1:])
        if connection.execute("SELECT 1 FROM leads WHERE id = ?", (lead,)).fetchone() is None:
            raise Refusal("not_found", "There is no lead of that id.")
        if request.day < now.date():
            raise Refusal("bad_request", "day is over; give today or a later day.")
        if connection.execute("SELECT 1 FROM appointments WHERE lead_id = ?", (lead,)).fetchone() is not None:
            raise Refusal("bad_request", "The lead has an appointment already.")
        row = connection.execute(
            "INSERT INTO appointments (lead_id, day, at) VALUES (?, ?, ?)", (lead, request.day.isoformat(), now.isoformat())
        ).lastrowid
        return Appointment(appointment_id=f"A{row}", lead_id=request.lead_id, day=request.day)

    return once(connection, key, digest_of("appointment", request), now, keep)
