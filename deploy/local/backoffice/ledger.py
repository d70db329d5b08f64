"""The two writes: pay a compensation, add a note. Each runs inside one transaction of the caller's."""

import sqlite3
from datetime import UTC, datetime

from deploy.local.backoffice import queries
from deploy.local.backoffice.errors import Refusal
from deploy.local.backoffice.idempotency import Answer, digest_of, once
from deploy.local.backoffice.models import Compensation, Note, NoteRequest, PayRequest, Resource
from deploy.local.backoffice.money import from_minor, to_minor


def pay(connection: sqlite3.Connection, key: str, request: PayRequest, now: datetime) -> Answer:
    """Pay a compensation once per key; raises Refusal with the first reason against it."""
    return once(connection, key, digest_of("pay", request), now, lambda: _pay(connection, request, now))


def add_note(connection: sqlite3.Connection, key: str, order_id: str, request: NoteRequest, now: datetime) -> Answer:
    """Add a note once per key; raises Refusal `not_found` for an unknown order."""
    return once(
        connection,
        key,
        digest_of(f"note {order_id}", request),
        now,
        lambda: _add_note(connection, order_id, request, now),
    )


def _pay(connection: sqlite3.Connection, request: PayRequest, now: datetime) -> Compensation:
    order = queries.order_row(connection, request.order_id)
    _refuse_if_not_payable(connection, order, request)
    resources = _resources(request, gateway_minor=order["gateway_minor"])
    no = _issue(connection, request, now)
    for part in resources:
        connection.execute(
            "INSERT INTO resources (no, kind, amount_minor, currency, account) VALUES (?, ?, ?, ?, ?)",
            (no, part.kind, to_minor(part.amount), part.currency, part.account),
        )
        if part.kind == "gateway":
            connection.execute(
                "UPDATE orders SET gateway_minor = gateway_minor - ? WHERE order_id = ?",
                (to_minor(part.amount), request.order_id),
            )
    return Compensation(
        no=no,
        order_id=request.order_id,
        amount=request.amount,
        currency=request.currency,
        comp_type=request.comp_type,
        reason=request.reason,
        approver=request.approver,
        status="paid",
        resources=resources,
    )


def _refuse_if_not_payable(connection: sqlite3.Connection, order: sqlite3.Row, request: PayRequest) -> None:
    order_id = order["order_id"]
    if order["payment_status"] != "paid":
        raise Refusal("not_paid", f"Order {order_id} is not paid, so nothing can be compensated.")
    if order["fraud_status"] != "pass":
        raise Refusal("fraud_review", f"Order {order_id} is in fraud review. Wait until the review has passed.")
    pending = queries.open_compensation(connection, order_id)
    if pending is not None:
        raise Refusal(
            "open_compensation", f"Order {order_id} has the open compensation {pending.no}. Settle that one first."
        )
    if request.currency != order["currency"]:
        raise Refusal("bad_amount", f"Order {order_id} is in {order['currency']}; pay in that currency.")


def _resources(request: PayRequest, *, gateway_minor: int) -> list[Resource]:
    if request.comp_type == "credit":
        return [Resource(kind="credit", amount=request.amount, currency=request.currency)]
    wanted = to_minor(request.amount)
    from_gateway = min(wanted, gateway_minor)
    by_hand = wanted - from_gateway
    parts = []
    if from_gateway:
        parts.append(Resource(kind="gateway", amount=from_minor(from_gateway), currency=request.currency))
    if by_hand:
        if not request.bank_account:
            raise Refusal(
                "account_required",
                "The gateway balance does not cover the amount. Send bank_account for the rest.",
            )
        parts.append(
            Resource(
                kind="manual_transfer",
                amount=from_minor(by_hand),
                currency=request.currency,
                account=request.bank_account,
            )
        )
    return parts


def _issue(connection: sqlite3.Connection, request: PayRequest, now: datetime) -> str:
    """Store the compensation under the number of this second, or of the first free one after it."""
    second = int(now.timestamp())
    latest = connection.execute("SELECT max(issued_second) FROM compensations").fetchone()[0]
    if latest is not None and latest >= second:
        second = latest + 1
    no = datetime.fromtimestamp(second, UTC).strftime("RA%y%m%d%H%M%S")
    connection.execute(
        "INSERT INTO compensations (no, issued_second, order_id, amount_minor, currency, comp_type, reason,"
        " approver, status, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'paid', ?)",
        (no, second, request.order_id, to_minor(request.amount), request.currency, request.comp_type,
         request.reason, request.approver, now.isoformat()),
    )  # fmt: skip
    return no


def _add_note(connection: sqlite3.Connection, order_id: str, request: NoteRequest, now: datetime) -> Note:
    queries.order_row(connection, order_id)
    row: int | None = connection.execute(
        "INSERT INTO notes (order_id, text, at) VALUES (?, ?, ?)", (order_id, request.text, now.isoformat())
    ).lastrowid
    if row is None:
        raise RuntimeError("SQLite gave no row id for a note that it stored")
    return Note(id=queries.note_id(row), order_id=order_id, text=request.text, at=now)
