"""The interfaces of the refund procedure: what an order has had, what its policy gives back, and the refund itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict

from graph.errors import ToolRefused
from graph.fields import canonical_money
from graph.model import Fact, Route
from graph.phrases import say
from graph.tools.compensation import Note, OpenCompensation
from graph.tools.payout import Resource, routes_of, split
from graph.tools.spec import Call, tool
from graph.tools.values import Exact, Money


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Payouts(_Answer):
    """What an order has had already: its latest compensation, open or paid, and the number of its refund."""

    compensation: OpenCompensation | None = None
    refund: str | None = None


class CancellationPolicy(_Answer):
    """How much of the order comes back, in per cent."""

    kind: Literal["free", "partial", "none"]
    percent: int


class OrderRefund(_Answer):
    """A refund that was submitted."""

    refund_no: str
    order_id: str
    amount: Money
    reason: str
    approver: str
    resources: list[Resource]


class _Amount(_Answer):
    amount: Exact
    currency: str


class _CompensationBody(_Amount):
    no: str
    status: str


class _PayoutsBody(_Answer):
    compensation: _CompensationBody | None = None
    refund: str | None = None


class _ResourceBody(_Amount):
    kind: Literal["gateway", "manual_transfer", "credit"]
    account: str | None = None


class _RefundBody(_Amount):
    no: str
    order_id: str
    reason: str
    approver: str
    resources: list[_ResourceBody]


class _NoteBody(_Answer):
    id: int | str
    text: str


def _preview(arguments: Mapping[str, Fact], facts: Mapping[str, Fact]) -> list[Route]:
    """Back through the gateway as far as its balance reaches; the rest is transferred by hand."""
    return split(arguments.get("amount"), facts.get("gateway_balance"), arguments.get("bank_account"))


@tool()
async def get_order_payouts(call: Call, order_id: str) -> Payouts:
    """What the order has had already, or a refusal `not_found`."""
    body = await call.backoffice.get(f"/orders/{quote(order_id, safe='')}/payouts", _PayoutsBody)
    made = body.compensation
    return Payouts(
        compensation=made
        and OpenCompensation(no=made.no, amount=Money(amount=made.amount, currency=made.currency), status=made.status),
        refund=body.refund,
    )


@tool()
async def get_cancellation_policy(call: Call, order_id: str) -> CancellationPolicy:
    """What the order's policy gives back, or a refusal `not_found`."""
    return await call.backoffice.get(f"/orders/{quote(order_id, safe='')}/cancellation-policy", CancellationPolicy)


@tool()
async def get_refundable_amount(call: Call, order_id: str) -> Money:
    """The amount that comes back by the policy; nought where nothing does."""
    body = await call.backoffice.get(f"/orders/{quote(order_id, safe='')}/refundable", _Amount)
    return Money(amount=body.amount, currency=body.currency)


@tool(write=True, preview=_preview, routes=routes_of)
async def submit_refund(
    call: Call, order_id: str, amount: Money, reason: str, approver: str, bank_account: str | None = None
) -> OrderRefund:
    """Submit the refund. Refused for an order that was compensated or refunded, and above what the policy gives back."""
    body = {
        "amount": canonical_money(amount.amount),
        "currency": amount.currency,
        "reason": reason,
        "approver": approver,
    }
    if bank_account is not None:
        body["bank_account"] = bank_account
    try:
        paid = await call.backoffice.post(f"/orders/{quote(order_id, safe='')}/refunds", body, _RefundBody, key=call.key)
    except ToolRefused as refused:
        lacking = "bank_account" if refused.code == "account_required" else None
        raise ToolRefused(refused.code, str(refused), lacking) from refused
    return OrderRefund(
        refund_no=paid.no,
        order_id=paid.order_id,
        amount=Money(amount=paid.amount, currency=paid.currency),
        reason=paid.reason,
        approver=paid.approver,
        resources=[
            Resource(kind=each.kind, amount=Money(amount=each.amount, currency=each.currency), account=each.account)
            for each in paid.resources
        ],
    )


@tool(write=True)
async def add_refund_note(call: Call, order_id: str, refund: OrderRefund) -> Note:
    """Write on the order what was refunded, why and under whose approval."""
    words = say(
        "tools.refund_note",
        call.lang,
        no=refund.refund_no,
        amount=canonical_money(refund.amount.amount),
        currency=refund.amount.currency,
        reason=refund.reason,
        approver=refund.approver,
    )
    path = f"/orders/{quote(order_id, safe='')}/notes"
    body = await call.backoffice.post(path, {"text": words}, _NoteBody, key=call.key)
    return Note(id=str(body.id), text=body.text)
