"""The interfaces of the compensation procedure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict

from graph.errors import ToolRefused
from graph.fields import canonical_money
from graph.model import Fact, Route
from graph.phrases import say
from graph.tools.payout import Resource, routes_of, split
from graph.tools.spec import Call, tool
from graph.tools.values import Exact, Money


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class OpenCompensation(_Answer):
    """A compensation of the order that is not paid yet."""

    no: str
    amount: Money
    status: str


class PaidCompensation(_Answer):
    """A compensation of the order that was paid; `at` is when, as ISO 8601."""

    no: str
    amount: Money
    at: str


class Order(_Answer):
    """An order as the procedure needs it. `compensated` is None where the back office does not tell what was paid."""

    order_id: str
    customer: str
    product: str
    amount: Money
    payment_status: Literal["paid", "unpaid"]
    fraud_status: Literal["pass", "review"]
    open_compensation: OpenCompensation | None = None
    compensated: list[PaidCompensation] | None = None


class Compensation(_Answer):
    """A compensation that was submitted."""

    compensation_no: str
    order_id: str
    amount: Money
    comp_type: Literal["cash", "credit"]
    reason: str
    approver: str
    status: str
    resources: list[Resource]


class Note(_Answer):
    """A note on the order."""

    id: str
    text: str


class _Amount(_Answer):
    amount: Exact
    currency: str

    @property
    def money(self) -> Money:
        return Money(amount=self.amount, currency=self.currency)


class _OpenBody(_Amount):
    no: str
    status: str


class _PaidBody(_Amount):
    no: str
    at: str


class _OrderBody(_Amount):
    order_id: str
    customer: str
    product: str
    payment_status: Literal["paid", "unpaid"]
    fraud_status: Literal["pass", "review"]
    open_compensation: _OpenBody | None = None
    compensated: list[_PaidBody] | None = None


class _ResourceBody(_Amount):
    kind: Literal["gateway", "manual_transfer", "credit"]
    account: str | None = None


class _CompensationBody(_Amount):
    no: str
    order_id: str
    comp_type: Literal["cash", "credit"]
    reason: str
    approver: str
    status: str
    resources: list[_ResourceBody]


class _NoteBody(_Answer):
    id: int | str
    text: str


def _preview(arguments: Mapping[str, Fact], facts: Mapping[str, Fact]) -> list[Route]:
    """Cash goes back through the gateway as far as its balance reaches; the rest is transferred by hand."""
    amount = arguments.get("amount")
    if amount is None or amount.currency is None:
        return []
    total, currency = amount.decimal(), amount.currency
    way = arguments.get("comp_type")
    if way is not None and way.value == "credit":
        return [Route(kind="credit", amount=canonical_money(total), currency=currency)]
    return split(amount, facts.get("gateway_balance"), arguments.get("bank_account"))


@tool()
async def get_order(call: Call, order_id: str) -> Order:
    """The order, or a refusal `not_found`."""
    body = await call.backoffice.get(f"/orders/{quote(order_id, safe='')}", _OrderBody)
    pending = body.open_compensation
    return Order(
        order_id=body.order_id,
        customer=body.customer,
        product=body.product,
        amount=body.money,
        payment_status=body.payment_status,
        fraud_status=body.fraud_status,
        open_compensation=pending and OpenCompensation(no=pending.no, amount=pending.money, status=pending.status),
        compensated=None
        if body.compensated is None
        else [PaidCompensation(no=each.no, amount=each.money, at=each.at) for each in body.compensated],
    )


@tool()
async def get_gateway_balance(call: Call, order_id: str) -> Money:
    """How much can still go back the way it was paid."""
    body = await call.backoffice.get(f"/orders/{quote(order_id, safe='')}/gateway-balance", _Amount)
    return body.money


def _receipt(result: Fact) -> str:
    number = result.at_path("compensation_no")
    return "" if number is None else str(number.value)


@tool(write=True, preview=_preview, routes=routes_of, receipt=_receipt)
async def apply_compensation(
    call: Call,
    order_id: str,
    amount: Money,
    comp_type: str,
    reason: str,
    approver: str,
    bank_account: str | None = None,
) -> Compensation:
    """Submit the compensation. Refused for an order that may not have one; see the back office's codes."""
    body = {
        "order_id": order_id,
        "amount": canonical_money(amount.amount),
        "currency": amount.currency,
        "comp_type": comp_type,
        "reason": reason,
        "approver": approver,
    }
    if bank_account is not None:
        body["bank_account"] = bank_account
    try:
        paid = await call.backoffice.post("/compensations", body, _CompensationBody, key=call.key)
    except ToolRefused as refused:
        # Another payout of the order took from the balance between the look at it and now.
        lacking = "bank_account" if refused.code == "account_required" else None
        raise ToolRefused(refused.code, str(refused), lacking) from refused
    return Compensation(
        compensation_no=paid.no,
        order_id=paid.order_id,
        amount=paid.money,
        comp_type=paid.comp_type,
        reason=paid.reason,
        approver=paid.approver,
        status=paid.status,
        resources=[Resource(kind=each.kind, amount=each.money, account=each.account) for each in paid.resources],
    )


@tool(write=True)
async def add_booking_note(call: Call, order_id: str, compensation: Compensation) -> Note:
    """Write on the order what was compensated, why and under whose approval."""
    words = say(
        "tools.note",
        call.lang,
        no=compensation.compensation_no,
        way=compensation.comp_type,
        amount=canonical_money(compensation.amount.amount),
        currency=compensation.amount.currency,
        reason=compensation.reason,
        approver=compensation.approver,
    )
    path = f"/orders/{quote(order_id, safe='')}/notes"
    body = await call.backoffice.post(path, {"text": words}, _NoteBody, key=call.key)
    return Note(id=str(body.id), text=body.text)
