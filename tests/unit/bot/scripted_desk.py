"""A desk with one small procedure of its own: ask for amount and way, have it approved, done."""

from __future__ import annotations

import asyncio

from graph.model import (
    Actor,
    Broken,
    CaseRow,
    ChoiceView,
    ClosedRequest,
    Event,
    FactView,
    FieldView,
    Headline,
    Level,
    Logged,
    Outcome,
    Reply,
    ReplyCode,
    Request,
    RequestView,
    ResultView,
    Route,
    RunView,
    StepView,
    StoppedView,
    Text,
    TrailEntry,
    Verdict,
)
from graph.model.requests import Ending
from graph.phrases import both

AT = "2026-03-01T06:00:00+00:00"
LEVELS = {
    "supervisor": Level(
        name="supervisor",
        label=Text(zh="主管", en="supervisor"),
        rank=1,
        channel="approvals-supervisor",
        people=("U0WANG",),
        groups=("S0SUPERVISORS",),
    ),
    "manager": Level(
        name="manager", label=Text(zh="经理", en="manager"), rank=2, channel="approvals-manager", people=("U0ZHAO",)
    ),
}
FIELDS = [
    FieldView(name="amount", label=Text(zh="金额", en="amount"), type="money", unit="USD"),
    FieldView(
        name="comp_type",
        label=Text(zh="方式", en="way"),
        type="choice",
        choices=[
            ChoiceView(value="cash", label=Text(zh="现金", en="cash")),
            ChoiceView(value="credit", label=Text(zh="积分", en="credit")),
        ],
    ),
]


def ask(case: str = "C-1") -> RequestView:
    """An open question for amount and way."""
    return RequestView(id=f"{case}/ask/1", kind="ask", step=step("ask"), made_at=AT, open=True, fields=FIELDS)


def approval(case: str = "C-1", level: str = "supervisor", number: int = 1) -> RequestView:
    """An open request for approval."""
    return RequestView(
        id=f"{case}/approve/{number}",
        kind="approve",
        step=step("approve"),
        made_at=AT,
        open=True,
        level=level,
        amount="80.00 USD",
        routes=[Route(kind="gateway", amount="80.00", currency="USD")],
        rules_passed=3,
        rules_total=3,
    )


def step(name: str) -> StepView:
    """A step's place on the card."""
    return StepView(id=name, kind=name, label=both(name), state="now")


def case(*requests: RequestView, case_id: str = "C-1", thread: str = "T0LOCAL:C0DESK:1.1", **changes: object) -> RunView:
    """A case that waits for the last of its open requests."""
    waiting = next((request.id for request in reversed(requests) if request.open), None)
    view = RunView(
        case=case_id,
        thread=thread,
        sop="compensation",
        version="3f2a",
        lang="zh",
        status="waiting" if waiting else "working",
        opener=Actor(id="U0LI", name="李"),
        owner=Actor(id="U0LI", name="李"),
        opened_at=AT,
        updated_at=AT,
        headline=Headline(amount="80.00 USD", way=Text(zh="现金", en="cash"), title=Text(zh="补偿", en="compensation")),
        order="KL-778",
        customer="王女士",
        reason="商户漏发接送",
        steps=[request.step for request in requests],
        requests=list(requests),
        waiting=waiting,
        correctable=FIELDS,
        facts=[FactView(name="amount", label=Text(zh="金额", en="amount"), text=both("80.00 USD"), by="U0LI", at=AT)],
        trail=[TrailEntry(step="plan", what="plan", at=AT, by="U0LI")],
    )
    return view.model_copy(update=changes)


def closed(request: RequestView, ending: Ending, by: Actor, event: str = "e", reason: str = "") -> RequestView:
    """The request as it ended."""
    record = ClosedRequest(
        request=Request(id=request.id, kind=request.kind, step=request.step.id, made_at=AT),
        ending=ending,
        by=by.id,
        name=by.name,
        at=AT,
        event=event,
        reason=reason,
    )
    return request.model_copy(update={"open": False, "closed": record})


class ScriptedDesk:
    """Keeps its cases in memory and every event in `events`. Where `gate` is given, each event waits for it."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.refusals: list[tuple[str, str, str]] = []
        self.cases: dict[str, RunView] = {}
        self.level = "supervisor"
        self.customer = "王女士"
        self.gate: asyncio.Event | None = None

    async def advance(self, event: Event, fence: int) -> Outcome:
        """The next view of the thread's case."""
        self.events.append(event)
        if self.gate is not None:
            await self.gate.wait()
        view = self.cases.get(event.thread)
        if view is None:
            if event.kind != "message":
                return self._refused(event, None, "no_case")
            name = f"C-{len(self.cases) + 1}"
            view = case(ask(name), case_id=name, thread=event.thread, owner=event.actor, opener=event.actor)
            view = view.model_copy(update={"customer": self.customer})
        elif event.kind == "message":
            return Outcome(
                thread=event.thread, event=event.id, view=view, replies=[Reply(kind="help", to=event.actor.id)]
            )
        elif event.kind == "decision":
            code = self.may_decide(view, event.request or "", event.actor)
            if code:
                return self._refused(event, view, code)
            view = self._decided(view, event)
        elif event.kind == "answer":
            answered = closed(view.requests[-1], "answered", event.actor, event.id)
            asked = approval(view.case, self.level)
            view = view.model_copy(update={"requests": [*view.requests[:-1], answered, asked], "waiting": asked.id})
        elif event.kind == "cancel":
            last = closed(view.requests[-1], "withdrawn", event.actor, event.id)
            stopped = StoppedView(step="ask", why=both(event.reason), by=event.actor.id, at=AT)
            view = view.model_copy(
                update={
                    "requests": [*view.requests[:-1], last], "waiting": None, "status": "cancelled", "stopped": stopped
                }
            )
        self.cases[event.thread] = view
        return Outcome(thread=event.thread, event=event.id, view=view)

    async def find(self, thread: str) -> RunView | None:
        """See Desk."""
        return self.cases.get(thread)

    async def show(self, case: str) -> RunView | None:
        """See Desk."""
        return next((view for view in self.cases.values() if view.case == case), None)

    async def cases_of(self, actor_id: str, limit: int = 20) -> list[CaseRow]:
        """See Desk."""
        return [
            CaseRow(
                case=view.case,
                thread=view.thread,
                status=view.status,
                headline=view.headline,
                order=view.order,
                customer=view.customer,
                waits_for=waiting.kind if (waiting := view.open_request()) else "",
                updated_at=view.updated_at,
            )
            for view in reversed(self.cases.values())
            if view.owner.id == actor_id
        ][:limit]

    async def waiting_for(self, actor: Actor, limit: int = 40) -> list[CaseRow]:
        """The person's cases that wait."""
        return [row for row in await self.cases_of(actor.id, limit) if row.waits_for == "ask"]

    async def refused(self, case: str, event: Event, code: str) -> None:
        """Note it."""
        self.refusals.append((case, event.actor.id, code))

    def starts(self, words: str) -> bool:
        """Compensations alone are begun by name."""
        return words.startswith("compensation")

    def startable(self) -> dict[str, Text]:
        """The one procedure."""
        return {"compensation": both("补偿", "compensation")}

    def may_audit(self, actor: Actor) -> bool:
        """Leads alone."""
        return actor.id in self.leads()

    async def audit(self, case: str) -> list[Logged]:
        """Nothing is recorded."""
        return []

    async def audit_of_order(self, order: str) -> list[Logged]:
        """Nothing is recorded."""
        return []

    async def cases_about(self, order: str) -> list[str]:
        """None."""
        return []

    async def audit_breaks(self, case: str) -> Broken | None:
        """What is not there cannot be broken."""
        return None

    def levels(self) -> dict[str, Level]:
        """See Desk."""
        return LEVELS

    def levels_of(self, actor: Actor) -> tuple[str, ...]:
        """See Desk."""
        return tuple(
            name
            for name, level in LEVELS.items()
            if actor.id in level.people or set(actor.groups) & set(level.groups)
        )

    def auditors(self) -> tuple[str, ...]:
        """Nobody beside the leads."""
        return ()

    def leads(self) -> tuple[str, ...]:
        """See Desk."""
        return ("U0ZHOU",)

    def may_act(self, view: RunView, actor: Actor) -> bool:
        """The owner and the leads."""
        return actor.id in (view.owner.id, *self.leads())

    def may_settle(self, actor: Actor) -> bool:
        """Leads alone."""
        return actor.id in self.leads()

    def may_decide(
        self,
        view: RunView,
        request_id: str,
        actor: Actor,
        verdict: Verdict = "approve",
        choice: str | None = None,
    ) -> ReplyCode:
        """Whoever is listed, while the request is open."""
        request = next((request for request in view.requests if request.id == request_id), None)
        if request is None:
            return "stale"
        listed = [
            level
            for level in LEVELS.values()
            if level.rank >= LEVELS[request.level or "manager"].rank
            and (actor.id in level.people or set(actor.groups) & set(level.groups))
        ]
        if not listed:
            return "not_listed"
        return "" if request.open else "decided"

    def amount_problem(self, view: RunView, request_id: str, raw: str) -> Text | None:
        """Amounts must be numbers."""
        return None if raw.replace(".", "").isdecimal() else Text(zh="不是数", en="not a number")

    def form_problems(self, view: RunView, request_id: str | None, values: dict[str, str]) -> dict[str, Text]:
        """Amounts must be numbers."""
        amount = values.get("amount", "1")
        return {} if amount.replace(".", "").isdecimal() else {"amount": Text(zh="不是数", en="not a number")}

    def _decided(self, view: RunView, event: Event) -> RunView:
        ending: Ending = "approved" if event.verdict == "approve" else "rejected"
        last = closed(view.requests[-1], ending, event.actor, event.id, event.reason)
        requests = [*view.requests[:-1], last]
        if ending == "rejected":
            again = ask(view.case).model_copy(update={"id": f"{view.case}/ask/2"})
            return view.model_copy(update={"requests": [*requests, again], "waiting": again.id})
        result = ResultView(summary="已提交 80.00 USD", number="RA1", routes=last.routes, approver=event.actor.name)
        return view.model_copy(update={"requests": requests, "waiting": None, "status": "done", "result": result})

    def _refused(self, event: Event, view: RunView | None, code: ReplyCode) -> Outcome:
        reply = Reply(kind="refused", to=event.actor.id, private=True, code=code)
        return Outcome(thread=event.thread, event=event.id, view=view, replies=[reply])
