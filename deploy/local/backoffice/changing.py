"""A test aid: an order made otherwise than it was seeded, such as dearer, or looked at for fraud."""

import sqlite3
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from deploy.local.backoffice.models import FraudStatus, PaymentStatus
from deploy.local.backoffice.money import Money, to_minor


class OrderWish(BaseModel):
    """What of an order is to be otherwise; `gateway` is what the gateway can still give back."""

    model_config = ConfigDict(extra="forbid")

    amount: Money | None = None
    gateway: Money | None = None
    payment_status: PaymentStatus | None = None
    fraud_status: FraudStatus | None = None


def change_order(connection: sqlite3.Connection, order_id: str, wish: OrderWish) -> None:
    """Change one order; one that is not there is made first: paid, clear, of 100 USD unless the wish says otherwise."""
    connection.execute(
        "INSERT OR IGNORE INTO orders (order_id, customer, product, amount_minor, currency, payment_status, fraud_status,"
        " gateway_minor) VALUES (?, '客人', '-', 10000, 'USD', 'paid', 'pass', 10000)",
        (order_id,),
    )
    columns: Mapping[str, object] = {
        "amount_minor": None if wish.amount is None else to_minor(wish.amount),
        "gateway_minor": None if wish.gateway is None else to_minor(wish.gateway),
        "payment_status": wish.payment_status,
        "fraud_status": wish.fraud_status,
    }
    given = {name: value for name, value in columns.items() if value is not None}
    if not given:
        return
    setting = ", ".join(f"{name} = :{name}" for name in given)
    connection.execute(f"UPDATE orders SET {setting} WHERE order_id = :order", given | {"order": order_id})
