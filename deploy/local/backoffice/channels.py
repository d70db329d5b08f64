"""What can be read and done with refunds. Each function runs inside one transaction of the caller's."""

import sqlite3
from datetime import UTC, date, datetime, timedelta

from deploy.local.backoffice import queries
from deploy.local.backoffice.channel_models import (
    Arrival,
    Channel,
    ChannelAnswer,
    ChannelState,
    ChannelSwitch,
    ListedRefund,
    Refund,
    RefundSwitch,
    RetryRequest,
    Sale,
    SettlementRule,
)
from deploy.local.backoffice.errors import Refusal
from deploy.local.backoffice.idempotency import Answer, digest_of, once
from deploy.local.backoffice.money import from_minor

_JOINED = (
    "SELECT refunds.*, orders.currency, orders.position FROM refunds JOIN orders ON orders.order_id = refunds.order_id"
)
_FRIDAY = 4


def sale(connection: sqlite3.Connection, order_id: str) -> Sale:
    """The order with its buyer and refund; raises Refusal `not_found`."""
    row = queries.order_row(connection, order_id)
    found = connection.execute(f"{_JOINED} WHERE refunds.order_id = ?", (order_id,)).fetchone()
    return Sale(
        order_id=order_id,
        user_id=_user(row["position"]),
        customer=row["customer"],
        product=row["product"],
        amount=from_minor(row["amount_minor"]),
        currency=row["currency"],
        complaint=bool(found["complaint"]) if found else False,
        refund_no=found["refund_no"] if found else None,
        refund_amount=from_minor(found["amount_minor"]) if found else None,
    )


def refund(connection: sqlite3.Connection, refund_no: str) -> Refund:
    """One refund; raises Refusal `not_found`."""
    return Refund.model_validate(listed(_row(connection, refund_no)).model_dump(include=set(Refund.model_fields)))


def refunds(connection: sqlite3.Connection, *, limit: int, text: str = "") -> list[ListedRefund]:
    """The first refunds by number, with all that can be switched; `text` is looked for in the numbers of refund and order,
    the customer and the product."""
    looked_at = " || char(10) || ".join(("refund_no", "orders.order_id", "customer", "product"))
    where = f"instr(lower({looked_at}), lower(?)) > 0"
    rows = connection.execute(f"{_JOINED} WHERE {where} ORDER BY refund_no LIMIT ?", (text, limit)).fetchall()
    return [listed(row) for row in rows]


def channels(connection: sqlite3.Connection) -> list[ChannelState]:
    """All channels and how they behave."""
    rows = connection.execute("SELECT * FROM channels ORDER BY channel").fetchall()
    return [ChannelState.model_validate(dict(row)) for row in rows]


def channel(connection: sqlite3.Connection, name: str) -> ChannelState:
    """One channel; raises Refusal `not_found`."""
    row = connection.execute("SELECT * FROM channels WHERE channel = ?", (name,)).fetchone()
    if row is None:
        raise Refusal("not_found", "There is no such channel.")
    return ChannelState.model_validate(dict(row))


def ask_channel(connection: sqlite3.Connection, name: str, refund_no: str) -> ChannelAnswer:
    """What the channel says of a refund; raises Refusal `not_found` for one of another channel."""
    state, row = channel(connection, name), _row(connection, refund_no)
    if row["channel"] != name or not row["submitted"]:
        raise Refusal("not_found", "The channel does not know this refund.")
    forced = state.behaviour in ("processing", "success", "failed")
    status = state.behaviour if forced else row["status"]
    return ChannelAnswer.model_validate({"refund_no": refund_no, "channel": name, "status": status})


def retry(connection: sqlite3.Connection, key: str, refund_no: str, request: RetryRequest, now: datetime) -> Answer:
    """Hand a refund to its channel once more, once per key; raises Refusal `not_found`, or `channel_differs`."""

    def effect() -> Refund:
        if _row(connection, refund_no)["channel"] != request.channel:
            raise Refusal("channel_differs", "The refund belongs to another channel.")
        connection.execute(
            "UPDATE refunds SET status = 'processing', submitted = 1, retries = retries + 1 WHERE refund_no = ?",
            (refund_no,),
        )
        return refund(connection, refund_no)

    return once(connection, key, digest_of(f"retry {refund_no}", request), now, effect)


def arrival(connection: sqlite3.Connection, refund_no: str) -> Arrival:
    """The bank's record; raises Refusal `not_found`."""
    at = _row(connection, refund_no)["arrived_at"]
    return Arrival(refund_no=refund_no, arrived=at is not None, arrived_at=at)


def settlement_rule(connection: sqlite3.Connection, name: str, refund_no: str, now: datetime) -> SettlementRule:
    """Until when the channel's rule lets this refund take; raises Refusal `not_found`."""
    days = channel(connection, name).working_days
    by = working_days_after(datetime.fromisoformat(_row(connection, refund_no)["at"]).date(), days)
    return SettlementRule.model_validate(
        {"channel": name, "working_days": days, "expected_by": by, "overdue": now.astimezone(UTC).date() > by}
    )


def working_days_after(day: date, days: int) -> date:
    """So many days later, Saturdays and Sundays not counted."""
    while days > 0:
        day += timedelta(days=1)
        days -= day.weekday() <= _FRIDAY
    return day


def switch_channel(connection: sqlite3.Connection, name: Channel, wish: ChannelSwitch) -> ChannelState:
    """Let a channel behave otherwise; raises Refusal `not_found`."""
    for column, value in wish.model_dump(exclude_none=True).items():
        connection.execute(f"UPDATE channels SET {column} = ? WHERE channel = ?", (value, name))
    return channel(connection, name)


def switch_refund(connection: sqlite3.Connection, refund_no: str, wish: RefundSwitch, now: datetime) -> ListedRefund:
    """Let a refund stand otherwise; raises Refusal `not_found`."""
    _row(connection, refund_no)
    changes: dict[str, str | bool | None] = wish.model_dump(exclude_none=True, exclude={"arrived", "at"})
    if wish.at is not None:
        changes["at"] = wish.at.isoformat()
    if wish.arrived is not None:
        changes["arrived_at"] = now.isoformat() if wish.arrived else None
    for column, value in changes.items():
        connection.execute(f"UPDATE refunds SET {column} = ? WHERE refund_no = ?", (value, refund_no))
    return listed(_row(connection, refund_no))


def listed(row: sqlite3.Row) -> ListedRefund:
    """A stored refund as the page lists it."""
    return ListedRefund(
        refund_no=row["refund_no"],
        order_id=row["order_id"],
        user_id=_user(row["position"]),
        amount=from_minor(row["amount_minor"]),
        currency=row["currency"],
        channel=row["channel"],
        submitted=bool(row["submitted"]),
        retries=row["retries"],
        at=row["at"],
        status=row["status"],
        complaint=bool(row["complaint"]),
        arrived_at=row["arrived_at"],
    )


def _row(connection: sqlite3.Connection, refund_no: str) -> sqlite3.Row:
    row: sqlite3.Row | None = connection.execute(f"{_JOINED} WHERE refund_no = ?", (refund_no,)).fetchone()
    if row is None:
        raise Refusal("not_found", "There is no such refund. Refund numbers look like RF202609010001.")
    return row


def _user(position: int) -> str:
    """The buyer's number; the demo gives each order a buyer of its own."""
    return f"CU{position:06}"
