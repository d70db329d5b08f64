"""Refunds of orders: what the cancellation policy gives back, and the one write that pays it."""

import sqlite3
from datetime import datetime
from decimal import ROUND_DOWN, Decimal
from typing import Final

from deploy.local.backoffice import queries
from deploy.local.backoffice.errors import Refusal
from deploy.local.backoffice.idempotency import Answer, digest_of, once
from deploy.local.backoffice.models import (
    Balance,
    CancellationPolicy,
    OpenCompensation,
    OrderRefund,
    Payouts,
    RefundRequest,
    Resource,
)
from deploy.local.backoffice.money import from_minor, to_minor

_FREE: Final = CancellationPolicy(kind="free", percent=100)
_HALF: Final = CancellationPolicy(kind="partial", percent=50)
_NONE: Final = CancellationPolicy(kind="none", percent=0)
_NAMED: Final = {"KL-778": _FREE, "KL-901": _FREE, "KL-315": _NONE, "KL-502": _HALF}


def policy(connection: sqlite3.Connection, order_id: str) -> CancellationPolicy:
    """The policy of an order; raises Refusal `not_found`. Of the numbered orders three by three have the same."""
    row = queries.order_row(connection, order_id)
    return _NAMED.get(order_id) or (_FREE, _HALF, _NONE)[int(row["position"]) // 3 % 3]


def refundable(connection: sqlite3.Connection, order_id: str) -> Balance:
    """What comes back by the policy, rounded down to a cent; raises Refusal `not_found`."""
    row = queries.order_row(connection, order_id)
    share = Decimal(policy(connection, order_id).percent) / 100
    cents = (Decimal(row["amount_minor"]) * share).to_integral_value(ROUND_DOWN)
    return Balance(amount=from_minor(int(cents)), currency=row["currency"])


def payouts(connection: sqlite3.Connection, order_id: str) -> Payouts:
    """What the order has had already; raises Refusal `not_found`."""
    queries.order_row(connection, order_id)
    made = connection.execute(
        "SELECT * FROM compensations WHERE order_id = ? ORDER BY id DESC LIMIT 1", (order_id,)
    ).fetchone()
    refunded = connection.execute("SELECT id FROM order_refunds WHERE order_id = ?", (order_id,)).fetchone()
    compensation = made and OpenCompensation(
        no=made["no"], amount=from_minor(made["amount_minor"]), currency=made["currency"], status=made["status"]
    )
    return Payouts(compensation=compensation, refund=refunded and _number(refunded["id"]))


def refund(connection: sqlite3.Connection, key: str, order_id: str, wanted: RefundRequest, now: datetime) -> Answer:
    """Pay a refund once per key; raises Refusal with the first reason against it."""
    return once(
        connection, key, digest_of(f"refund {order_id}", wanted), now, lambda: _pay(connection, order_id, wanted, now)
    )


def _pay(connection: sqlite3.Connection, order_id: str, wanted: RefundRequest, now: datetime) -> OrderRefund:
    order = queries.order_row(connection, order_id)
    _refuse(connection, order, wanted)
    from_gateway = min(to_minor(wanted.amount), order["gateway_minor"])
    by_hand = to_minor(wanted.amount) - from_gateway
    if by_hand and not wanted.bank_account:
        raise Refusal("account_required", "The gateway balance does not cover the amount. Send bank_account for the rest.")
    connection.execute(
        "INSERT INTO order_refunds (order_id, amount_minor, gateway_minor, currency, account, reason, approver, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (order_id, to_minor(wanted.amount), from_gateway, wanted.currency, wanted.bank_account if by_hand else None,
         wanted.reason, wanted.approver, now.isoformat()),
    )  # fmt: skip
    connection.execute("UPDATE orders SET gateway_minor = gateway_minor - ? WHERE order_id = ?", (from_gateway, order_id))
    return _refund(connection.execute("SELECT * FROM order_refunds WHERE order_id = ?", (order_id,)).fetchone())


def _refuse(connection: sqlite3.Connection, order: sqlite3.Row, wanted: RefundRequest) -> None:
    order_id = order["order_id"]
    if order["payment_status"] != "paid":
        raise Refusal("not_paid", f"Order {order_id} is not paid, so nothing can be refunded.")
    if order["fraud_status"] != "pass":
        raise Refusal("fraud_review", f"Order {order_id} is in fraud review. Wait until the review has passed.")
    had = payouts(connection, order_id)
    if had.compensation is not None:
        raise Refusal("compensated", f"Order {order_id} has the compensation {had.compensation.no}; it is not refunded.")
    if had.refund is not None:
        raise Refusal("refunded", f"Order {order_id} was refunded already by {had.refund}.")
    most = refundable(connection, order_id)
    if wanted.currency != most.currency:
        raise Refusal("bad_amount", f"Order {order_id} is in {most.currency}; refund in that currency.")
    if wanted.amount > most.amount:
        raise Refusal("bad_amount", f"Order {order_id} gives back at most {most.amount} {most.currency}.")


def listed(connection: sqlite3.Connection) -> list[OrderRefund]:
    """All refunds, newest first."""
    rows = connection.execute("SELECT * FROM order_refunds ORDER BY id DESC").fetchall()
    return [_refund(row) for row in rows]


def _refund(row: sqlite3.Row) -> OrderRefund:
    by_hand = row["amount_minor"] - row["gateway_minor"]
    parts = [("gateway", row["gateway_minor"], None), ("manual_transfer", by_hand, row["account"])]
    return OrderRefund(
        no=_number(row["id"]),
        order_id=row["order_id"],
        amount=from_minor(row["amount_minor"]),
        currency=row["currency"],
        reason=row["reason"],
        approver=row["approver"],
        resources=[
            Resource.model_validate(
                {"kind": kind, "amount": from_minor(cents), "currency": row["currency"], "account": account}
            )
            for kind, cents, account in parts
            if cents
        ],
    )


def _number(row: int) -> str:
    return f"RF{row:06d}"
