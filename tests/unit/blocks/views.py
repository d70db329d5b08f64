"""Realistic views: dialogues t1 and t4 at each pause and at the end, as the projection makes them."""

from __future__ import annotations

from typing import Literal

from blocks import Place, Surroundings
from graph.model import (
    Actor,
    ChoiceView,
    ClosedRequest,
    Ending,
    Fact,
    FactView,
    FieldView,
    Headline,
    Lang,
    Problem,
    Request,
    RequestKind,
    RequestView,
    ResultView,
    Route,
    RunView,
    StepState,
    StepView,
    StoppedView,
    Text,
    TrailEntry,
)

LI = Actor(id="U0LI", name="李", lang="zh")
WANG, SUN = ("U0WANG", "王"), ("U0SUN", "孙")
CASH = Text(zh="现金", en="cash")
CREDIT = Text(zh="积分", en="credit")
COMPENSATION = Text(zh="补偿", en="compensation")
SHORT_ROUTES = [
    Route(kind="gateway", amount="60", currency="USD"),
    Route(kind="manual_transfer", amount="20", currency="USD", account="1234"),
]

AMOUNT = FieldView(name="amount", label=Text(zh="金额", en="amount"), type="money", unit="USD")
WAY = FieldView(
    name="comp_type",
    label=Text(zh="方式", en="way"),
    type="choice",
    choices=[
        ChoiceView(
            value="cash",
            label=Text(zh="现金，原路退", en="Cash, back to card"),
            cue=Text(zh="退回卡里", en="back to card"),
        ),
        ChoiceView(value="credit", label=Text(zh="积分", en="Credit")),
    ],
)
ACCOUNT = FieldView(
    name="bank_account",
    label=Text(zh="客人收款账户", en="customer's account"),
    type="account",
    sensitive=True,
    max_length=200,
)
REASON = FieldView(name="reason", label=Text(zh="原因", en="reason"), type="text")

AROUND = Surroundings(
    levels={
        "supervisor": Place(label=Text(zh="主管", en="supervisor"), channel="C0SUP", mention="<@U0WANG> <@U0KIM>", rank=1),
        "manager": Place(label=Text(zh="经理", en="manager"), channel="C0MAN", mention="<@U0ZHAO>", rank=2),
    },
    links={
        "r1/approval/1": "https://example.slack.com/archives/C0SUP/p1",
        "r1/approval/2": "https://example.slack.com/archives/C0SUP/p2",
        "C-7K3F": "https://example.slack.com/archives/C0DESK/p3",
    },
    leads="<@U0ZHOU>",
)

_LABELS: dict[str, tuple[str, Text]] = {
    "load_order": ("call", Text(zh="查订单", en="Order lookup")),
    "eligibility": ("check", Text(zh="资格核对", en="Eligibility")),
    "collect": ("ask", Text(zh="补充金额、原因、方式", en="Details: amount, reason, way")),
    "gateway_balance": ("call", Text(zh="网关余额", en="Gateway balance")),
    "bank_info": ("ask", Text(zh="补充客人收款账户", en="Details: customer's account")),
    "approval": ("approve", Text(zh="主管批准", en="Approval by a supervisor")),
    "submit": ("call", Text(zh="提交", en="Submission")),
    "note": ("call", Text(zh="订单备注", en="Booking note")),
}


def step(id_: str, state: StepState = "now") -> StepView:
    """One step of the compensation procedure."""
    kind, label = _LABELS[id_]
    note = Text(zh="60.00 USD", en="60.00 USD") if id_ == "gateway_balance" and state == "done" else None
    why = Text(zh="不需要手工转账", en="no transfer by hand") if state == "skipped" else None
    return StepView(id=id_, kind=kind, label=label, state=state, note=note, why=why)


def steps(now: str | None, skipped: tuple[str, ...] = ()) -> list[StepView]:
    """All steps, done up to `now`; all done where that is None."""
    views: list[StepView] = []
    reached = False
    for id_ in _LABELS:
        if id_ == now:
            reached = True
            views.append(step(id_))
        else:
            views.append(step(id_, "next" if reached else "skipped" if id_ in skipped else "done"))
    return views


def request(
    kind: RequestKind,
    at: str = "2026-11-30T14:02:00+00:00",
    *,
    step_id: str = "approval",
    id_: str = "r1/approval/1",
    fields: tuple[FieldView, ...] = (),
    problems: tuple[Problem, ...] = (),
    routes: tuple[Route, ...] = (),
    amount: str | None = None,
    closed: ClosedRequest | None = None,
    replaced_by: str | None = None,
    level: str | None = None,
    earlier: tuple[ClosedRequest, ...] = (),
    error: str | None = None,
    due: str | None = None,
    prompt: Text | None = None,
    next_level: str | None = None,
) -> RequestView:
    """A request at a step."""
    return RequestView(
        id=id_,
        kind=kind,
        step=step(step_id),
        made_at=at,
        open=closed is None,
        fields=list(fields),
        problems=list(problems),
        routes=list(routes),
        amount=amount,
        closed=closed,
        replaced_by=replaced_by,
        level=level,
        quotes=quotes() if kind == "approve" else [],
        rules_passed=3 if kind == "approve" else 0,
        rules_total=3 if kind == "approve" else 0,
        earlier=list(earlier),
        error=error,
        due=due,
        prompt=prompt,
        next_level=next_level,
    )


def ended(
    ending: Ending, who: tuple[str, str] = WANG, *, amount: str = "80", reason: str = "", answer: str = ""
) -> ClosedRequest:
    """How a request ended at 14:14."""
    made = Request(
        id="r1/approval/1",
        kind="approve",
        step="approval",
        made_at="2026-11-30T14:02:00+00:00",
        level="supervisor",
        amount=Fact(type="money", value=amount, currency="USD"),
    )
    by, name = who
    return ClosedRequest(
        request=made,
        ending=ending,
        by=by,
        name=name,
        at="2026-11-30T14:14:00+00:00",
        event="E1",
        reason=reason,
        answer=answer,
    )


def quotes() -> list[FactView]:
    """The evidence of t1's first sentence."""
    said = {"by": "李", "at": "2026-11-30T14:00:00+00:00"}
    return [
        FactView(name="amount", label=AMOUNT.label, text=_both("80.00 USD"), quote="80 美元", **said),
        FactView(
            name="comp_type", label=WAY.label, text=Text(zh="现金，原路退", en="Cash, back to card"), quote="现金", **said
        ),
        FactView(name="reason", label=REASON.label, text=_both("商户漏发接送"), quote="商户漏发接送", **said),
    ]


def t1(
    lang: Lang,
    *requests: RequestView,
    waiting: str | None = None,
    now: str | None = "approval",
    status: Literal["working", "waiting", "done", "stopped", "cancelled"] = "waiting",
    amount: str | None = "80.00 USD",
    way: Text | None = CASH,
    result: ResultView | None = None,
    stopped: StoppedView | None = None,
    trail: tuple[TrailEntry, ...] = (),
) -> RunView:
    """Dialogue t1: 80 USD cash for KL-778, of which the gateway can return 60."""
    return RunView(
        case="C-7K3F",
        thread="T0LOCAL:C0DESK:1764511200.000100",
        sop="compensation",
        version="3f2a",
        lang=lang,
        status=status,
        opener=LI,
        owner=LI if lang == "zh" else Actor(id="U0LI", name="Li", lang="en"),
        opened_at="2026-11-30T14:00:00+00:00",
        updated_at="2026-11-30T14:02:00+00:00",
        headline=Headline(amount=amount, way=way, title=COMPENSATION),
        order="KL-778",
        customer="王女士",
        product="东京迪士尼一日票 x2",
        order_amount="320.00 USD",
        reason="商户漏发接送",
        steps=steps(now),
        facts=quotes(),
        correctable=[AMOUNT, REASON, WAY, ACCOUNT] if status in ("working", "waiting") else [],
        trail=list(trail),
        requests=list(requests),
        waiting=waiting or (requests[-1].id if requests and requests[-1].open else None),
        result=result,
        stopped=stopped,
    )


def t1_account(lang: Lang) -> RunView:
    """Waiting for the account alone."""
    return t1(lang, account_request(), now="bank_info")


def account_request() -> RequestView:
    """The question for the account."""
    return request("ask", step_id="bank_info", id_="r1/bank_info/1", fields=(ACCOUNT,))


def approval_request(**changes: object) -> RequestView:
    """The supervisor's request of t1."""
    made = request(
        "approve",
        level="supervisor",
        amount="80.00 USD",
        routes=tuple(SHORT_ROUTES),
        due="2026-11-30T20:00:00+00:00",
    )
    return made.model_copy(update=changes)


def t1_approval(lang: Lang, **changes: object) -> RunView:
    """Waiting for the supervisor, or what became of that."""
    asked = approval_request(**changes)
    return t1(lang, asked, waiting=asked.id if asked.open else None)


def t1_done(lang: Lang) -> RunView:
    """Submitted: 60 back to the card, 20 to transfer."""
    return t1(
        lang,
        approval_request(open=False, closed=ended("approved")),
        now=None,
        status="done",
        result=ResultView(summary="", number="RA2609010002", routes=SHORT_ROUTES, approver="王", note="N-0001"),
        trail=tuple(trail()),
    )


def t4_collect(lang: Lang) -> RunView:
    """KL-502: amount and way are missing."""
    asked = request("ask", step_id="collect", id_="r1/collect/1", fields=(AMOUNT, WAY))
    view = t1(lang, asked, now="collect", amount=None, way=None)
    return view.model_copy(update={"order": "KL-502", "customer": "", "reason": "客人包车迟到两小时"})


def t4_rejected(lang: Lang) -> RunView:
    """The supervisor rejected 300; the amount is asked anew."""
    no = ended("rejected", amount="300", reason="迟到两小时按政策最多补 150")
    first = request("approve", level="supervisor", amount="300.00 USD", closed=no)
    asked = request("ask", step_id="collect", id_="r1/collect/2", fields=(AMOUNT,))
    return t1(lang, first, asked, now="collect", amount=None)


def t4_again(lang: Lang) -> RunView:
    """The second request, for 150."""
    no = ended("rejected", amount="300", reason="迟到两小时按政策最多补 150")
    first = request("approve", level="supervisor", amount="300.00 USD", closed=no, replaced_by="r1/approval/2")
    second = request("approve", level="supervisor", amount="150.00 USD", id_="r1/approval/2", earlier=(no,))
    return t1(lang, first, second, amount="150.00 USD")


def t2_stopped(lang: Lang) -> RunView:
    """KL-901 is unpaid."""
    view = t1(
        lang,
        now="eligibility",
        status="stopped",
        amount="20.00 USD",
        way=CREDIT,
        stopped=StoppedView(
            step="eligibility",
            rule="order_paid",
            why=Text(zh="KL-901 未支付", en="KL-901 is unpaid"),
            next=Text(zh="核对是否真的未支付", en="check whether it really is unpaid"),
        ),
    )
    return view.model_copy(update={"order": "KL-901", "customer": "", "reason": "客人投诉"})


def t1_cancelled(lang: Lang) -> RunView:
    """Cancelled while the supervisor had not decided."""
    asked = approval_request(open=False, closed=ended("withdrawn", (LI.id, LI.name)))
    why = Text(zh="李 取消：客人撤诉", en="李 cancelled: 客人撤诉")
    entry = TrailEntry(step="approval", what="cancel", at="2026-11-30T14:10:00+00:00", by="U0LI", reason="客人撤诉")
    return t1(
        lang,
        asked,
        status="cancelled",
        stopped=StoppedView(step="approval", why=why, by="U0LI", at="2026-11-30T14:10:00+00:00"),
        trail=(entry,),
    )


def trail() -> list[TrailEntry]:
    """The record of t1."""
    at = "2026-11-30T14:00:00+00:00"
    order = {"order_id": "KL-778", "customer": "王女士", "payment_status": "paid"}
    return [
        TrailEntry(step="plan", what="plan", at=at, by="U0LI", values={"sop": "compensation", "amount": "80"}),
        TrailEntry(step="load_order", what="call", at=at, tool="get_order", values={"order": order}),
        TrailEntry(step="eligibility", what="check", at=at, values={"passed": ["order_paid", "not_in_fraud_review"]}),
        TrailEntry(step="collect", what="known", at=at, fields=["amount"]),
        TrailEntry(step="bank_info", what="ask", at=at, fields=["bank_account"]),
        TrailEntry(step="bank_info", what="answer", at=at, by="U0LI", values={"bank_account": "尾号 1234"}),
        TrailEntry(step="approval", what="ask", at=at, level="supervisor", fields=["amount"]),
        TrailEntry(step="approval", what="approve", at=at, by="U0WANG", level="supervisor"),
        TrailEntry(step="submit", what="call", at=at, routes=SHORT_ROUTES),
    ]


def _both(words: str) -> Text:
    return Text(zh=words, en=words)
