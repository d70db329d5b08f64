"""What can be read: orders, balances, compensations, notes."""

import re
import sqlite3
from dataclasses import dataclass
from typing import Generic, TypeVar

from deploy.local.backoffice.errors import Refusal
from deploy.local.backoffice.models import (
    Balance,
    CompensationStatus,
    ListedCompensation,
    Note,
    OpenCompensation,
    Order,
    PaidCompensation,
    Resource,
)
from deploy.local.backoffice.money import from_minor

T = TypeVar("T")
_ORDER_ID = re.compile(r"[A-Z]{1,4}-[0-9]{1,7}")


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some of the rows that match, and how many match in all."""

    rows: list[T]
    total: int


def order_row(connection: sqlite3.Connection, order_id: str) -> sqlite3.Row:
    """The stored order; raises Refusal `not_found`."""
    row: sqlite3.Row | None = connection.execute("SELECT * FROM orders WHERE order_id = ?", (order_id,)).fetchone()
    if row is None:
        # What does not look like an order id may be anything, an account number included.
        named = order_id if _ORDER_ID.fullmatch(order_id) else "with the given id"
        raise Refusal("not_found", f"There is no order {named}. Order ids look like KL-778.")
    return row


def order(connection: sqlite3.Connection, order_id: str) -> Order:
    """One order, with what was paid on it; raises Refusal `not_found`."""
    found = _order(connection, order_row(connection, order_id))
    return found.model_copy(update={"compensated": _paid(connection, order_id)})


def balance(connection: sqlite3.Connection, order_id: str) -> Balance:
    """What the gateway still holds for the order; raises Refusal `not_found`."""
    row = order_row(connection, order_id)
    return Balance(amount=from_minor(row["gateway_minor"]), currency=row["currency"])


def orders(connection: sqlite3.Connection, *, limit: int, offset: int, text: str = "") -> Page[Order]:
    """Orders in their seeded order; `text` is looked for in id, customer and product."""
    where = "instr(lower(order_id || char(10) || customer || char(10) || product), lower(?)) > 0"
    rows = connection.execute(
        f"SELECT * FROM orders WHERE {where} ORDER BY position LIMIT ? OFFSET ?", (text, limit, offset)
    ).fetchall()
    total: int = connection.execute(f"SELECT count(*) FROM orders WHERE {where}", (text,)).fetchone()[0]
    return Page([_order(connection, row) for row in rows], total)


def open_compensation(connection: sqlite3.Connection, order_id: str) -> OpenCompensation | None:
    """The order's compensation that is still pending, if there is one."""
    row = connection.execute(
        "SELECT * FROM compensations WHERE order_id = ? AND status = 'pending' ORDER BY id LIMIT 1", (order_id,)
    ).fetchone()
    if row is None:
        return None
    return OpenCompensation(
        no=row["no"], amount=from_minor(row["amount_minor"]), currency=row["currency"], status=row["status"]
    )


def compensations(
    connection: sqlite3.Connection,
    *,
    limit: int,
    offset: int,
    order_id: str | None = None,
    status: CompensationStatus | None = None,
) -> Page[ListedCompensation]:
    """Compensations, newest first."""
    where = "(:order_id IS NULL OR order_id = :order_id) AND (:status IS NULL OR status = :status)"
    sought = {"order_id": order_id, "status": status, "limit": limit, "offset": offset}
    rows = connection.execute(
        f"SELECT * FROM compensations WHERE {where} ORDER BY id DESC LIMIT :limit OFFSET :offset", sought
    ).fetchall()
    total: int = connection.execute(f"SELECT count(*) FROM compensations WHERE {where}", sought).fetchone()[0]
    return Page([_compensation(connection, row) for row in rows], total)


def notes(connection: sqlite3.Connection, *, limit: int, offset: int, order_id: str | None = None) -> Page[Note]:
    """Notes, newest first."""
    where = "(:order_id IS NULL OR order_id = :order_id)"
    sought = {"order_id": order_id, "limit": limit, "offset": offset}
    rows = connection.execute(
        f"SELECT * FROM notes WHERE {where} ORDER BY id DESC LIMIT :limit OFFSET :offset", sought
    ).fetchall()
    total: int = connection.execute(f"SELECT count(*) FROM notes WHERE {where}", sought).fetchone()[0]
    return Page([Note.model_validate({**dict(row), "id": note_id(row["id"])}) for row in rows], total)


def note_id(number: int) -> str:
    """The id of the note with this row number."""
    return f"N-{number:04d}"


def _order(connection: sqlite3.Connection, row: sqlite3.Row) -> Order:
    return Order(
        order_id=row["order_id"],
        customer=row["customer"],
        product=row["product"],
        amount=from_minor(row["amount_minor"]),
        currency=row["currency"],
        payment_status=row["payment_status"],
        fraud_status=row["fraud_status"],
        open_compensation=open_compensation(connection, row["order_id"]),
    )


def _paid(connection: sqlite3.Connection, order_id: str) -> list[PaidCompensation]:
    rows = connection.execute(
        "SELECT * FROM compensations WHERE order_id = ? AND status = 'paid' ORDER BY id DESC", (order_id,)
    ).fetchall()
    return [
        PaidCompensation(no=row["no"], amount=from_minor(row["amount_minor"]), currency=row["currency"], at=row["at"])
        for row in rows
    ]


def _compensation(connection: sqlite3.Connection, row: sqlite3.Row) -> ListedCompensation:
    parts = connection.execute("SELECT * FROM resources WHERE no = ? ORDER BY id", (row["no"],)).fetchall()
    return ListedCompensation(
        no=row["no"],
        order_id=row["order_id"],
        amount=from_minor(row["amount_minor"]),
        currency=row["currency"],
        comp_type=row["comp_type"],
        reason=row["reason"],
        approver=row["approver"],
        status=row["status"],
        at=row["at"],
        resources=[
            Resource(
                kind=part["kind"],
                amount=from_minor(part["amount_minor"]),
                currency=part["currency"],
                account=part["account"],
            )
            for part in parts
        ],
    )
