"""The refunds and channels that a fresh back office knows: one refund for each way that a case can go."""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from deploy.local.backoffice.channel_models import Channel, ChannelStatus

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS channels (
  channel TEXT PRIMARY KEY, behaviour TEXT NOT NULL DEFAULT 'as_stored', working_days INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS refunds (
  refund_no TEXT PRIMARY KEY, order_id TEXT NOT NULL UNIQUE REFERENCES orders (order_id),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0), channel TEXT NOT NULL REFERENCES channels (channel),
  submitted INTEGER NOT NULL, status TEXT NOT NULL, complaint INTEGER NOT NULL, arrived_at TEXT,
  retries INTEGER NOT NULL DEFAULT 0, at TEXT NOT NULL
);
"""
TABLES: Final = ("refunds", "channels")
DAYS: Final[dict[Channel, int]] = {"alipay": 1, "wechat": 3, "bank_card": 7}


@dataclass(frozen=True)
class SeedRefund:
    """A seeded refund of an order's whole amount, unless another is given in cents."""

    refund_no: str
    order_id: str
    channel: Channel
    status: ChannelStatus = "processing"
    amount_minor: int | None = None
    submitted: bool = True
    complaint: bool = False


NAMED: Final = (
    SeedRefund("RF202609010001", "KL-1001", "alipay"),
    SeedRefund("RF202609010002", "KL-1002", "wechat", "success"),
    SeedRefund("RF202609010003", "KL-1003", "bank_card", "accepted"),
    SeedRefund("RF202609010004", "KL-1004", "alipay", "failed"),
    SeedRefund("RF202609010006", "KL-1006", "wechat", submitted=False),
    SeedRefund("RF202609010007", "KL-1007", "bank_card", complaint=True),
    SeedRefund("RF202609010502", "KL-502", "bank_card", "success", amount_minor=1500_00),
    SeedRefund("RF202609012600", "KL-2600", "alipay", "success"),
)


def seed_refunds(connection: sqlite3.Connection) -> None:
    """The named ones, and one for each of KL-1101 to KL-1160, still being processed; asked for now."""
    now = datetime.now(UTC).isoformat()
    connection.executemany("INSERT INTO channels (channel, working_days) VALUES (?, ?)", DAYS.items())
    many = [SeedRefund(f"RF20260902{number:04}", f"KL-{number}", "alipay") for number in range(1101, 1161)]
    for each in (*NAMED, *many):
        connection.execute(
            "INSERT INTO refunds (refund_no, order_id, amount_minor, channel, submitted, status, complaint, at)"
            " SELECT ?, order_id, coalesce(?, amount_minor), ?, ?, ?, ?, ? FROM orders WHERE order_id = ?",
            (each.refund_no, each.amount_minor, each.channel, each.submitted, each.status, each.complaint, now,
             each.order_id),
        )  # fmt: skip
