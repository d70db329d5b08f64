"""The SQLite file: its tables, its seeding, and the door through which threads use it."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from deploy.local.backoffice import channel_seed, hotel_seed
from deploy.local.backoffice.seed import OPEN, seed_orders

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS orders (
  position INTEGER PRIMARY KEY, order_id TEXT NOT NULL UNIQUE, customer TEXT NOT NULL, product TEXT NOT NULL,
  amount_minor INTEGER NOT NULL, currency TEXT NOT NULL,
  payment_status TEXT NOT NULL CHECK (payment_status IN ('paid', 'unpaid')),
  fraud_status TEXT NOT NULL CHECK (fraud_status IN ('pass', 'review')),
  gateway_minor INTEGER NOT NULL CHECK (gateway_minor >= 0)
);
-- issued_second makes the number: it is the second the number spells, so no two can be equal.
CREATE TABLE IF NOT EXISTS compensations (
  id INTEGER PRIMARY KEY, no TEXT NOT NULL UNIQUE, issued_second INTEGER UNIQUE,
  order_id TEXT NOT NULL REFERENCES orders (order_id),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0), currency TEXT NOT NULL,
  comp_type TEXT NOT NULL CHECK (comp_type IN ('cash', 'credit')), reason TEXT NOT NULL, approver TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'paid')), at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS compensations_by_order ON compensations (order_id, status);
CREATE TABLE IF NOT EXISTS resources (
  id INTEGER PRIMARY KEY, no TEXT NOT NULL REFERENCES compensations (no),
  kind TEXT NOT NULL CHECK (kind IN ('gateway', 'manual_transfer', 'credit')),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0), currency TEXT NOT NULL, account TEXT
);
CREATE INDEX IF NOT EXISTS resources_by_no ON resources (no);
CREATE TABLE IF NOT EXISTS notes (
  id INTEGER PRIMARY KEY, order_id TEXT NOT NULL REFERENCES orders (order_id), text TEXT NOT NULL, at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS leads (
  id INTEGER PRIMARY KEY, plan_id TEXT, contact_name TEXT NOT NULL, contact_phone TEXT NOT NULL, at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS appointments (
  id INTEGER PRIMARY KEY, lead_id INTEGER NOT NULL UNIQUE REFERENCES leads (id), day TEXT NOT NULL, at TEXT NOT NULL
);
-- No order is refunded twice. What is paid by hand goes to the account.
CREATE TABLE IF NOT EXISTS order_refunds (
  id INTEGER PRIMARY KEY, order_id TEXT NOT NULL UNIQUE REFERENCES orders (order_id),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0), gateway_minor INTEGER NOT NULL CHECK (gateway_minor >= 0),
  currency TEXT NOT NULL, account TEXT, reason TEXT NOT NULL, approver TEXT NOT NULL, at TEXT NOT NULL
);
-- What was answered under each Idempotency-Key.
CREATE TABLE IF NOT EXISTS answers (
  key TEXT PRIMARY KEY, request_digest TEXT NOT NULL, body TEXT NOT NULL, at TEXT NOT NULL
);
"""
# Children before parents.
_TABLES = (
    *channel_seed.TABLES, *hotel_seed.TABLES, "answers", "order_refunds", "appointments", "leads", "notes", "resources",
    "compensations", "orders",
)  # fmt: skip


class Database:
    """One SQLite file. Each call opens its own connection, so calls may come from any thread.

    A write waits up to ten seconds for another to finish, then raises `sqlite3.OperationalError`. One more connection is
    open between `prepare` and `close`: when the last one closes, SQLite moves its whole log into the file, which takes
    longer than the call.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: sqlite3.Connection | None = None

    async def prepare(self) -> None:
        """Create the file and its tables where missing, and seed it if it holds no order."""
        await asyncio.to_thread(self._prepare)

    async def close(self) -> None:
        """No call comes any more."""
        last, self._last = self._last, None
        if last is not None:
            await asyncio.to_thread(last.close)

    async def reseed(self) -> None:
        """Throw away everything and put the seeded orders back, in one transaction."""
        await self.write(_reseed)

    async def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run `query` in a thread, within one transaction, so that it sees one moment."""
        return await asyncio.to_thread(self._within, "BEGIN", query)

    async def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Run `change` in a thread: all of it is committed, or, if it raises, none."""
        return await asyncio.to_thread(self._within, "BEGIN IMMEDIATE", change)

    def _prepare(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._connection() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_SCHEMA)
            connection.executescript(channel_seed.SCHEMA + hotel_seed.SCHEMA)
        self._within("BEGIN IMMEDIATE", _seed_if_empty)
        self._last = sqlite3.connect(self._path, check_same_thread=False)
        self._last.execute("SELECT 1 FROM orders LIMIT 1").fetchone()  # it opens the file with its first query

    def _within(self, begin: str, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._connection() as connection:
            connection.execute(begin)
            try:
                result = work(connection)
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
            return result

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=10, isolation_level=None)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            # In WAL mode only FULL promises that a payout answered with 201 survives a power cut.
            connection.execute("PRAGMA synchronous = FULL")
            yield connection


def _seed_if_empty(connection: sqlite3.Connection) -> None:
    if connection.execute("SELECT 1 FROM orders LIMIT 1").fetchone() is None:
        _seed(connection)
        return
    if connection.execute("SELECT 1 FROM channels LIMIT 1").fetchone() is None:
        channel_seed.seed_refunds(connection)  # a file from before there were refunds
    if connection.execute("SELECT 1 FROM bookings LIMIT 1").fetchone() is None:
        hotel_seed.seed_bookings(connection)  # a file from before there were hotels


def _reseed(connection: sqlite3.Connection) -> None:
    for table in _TABLES:
        connection.execute(f"DELETE FROM {table}")
    _seed(connection)


def _seed(connection: sqlite3.Connection) -> None:
    connection.executemany(
        "INSERT INTO orders (order_id, customer, product, amount_minor, currency, payment_status, fraud_status,"
        " gateway_minor) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (o.order_id, o.customer, o.product, o.amount_minor, o.currency, o.payment_status, o.fraud_status,
             o.gateway_minor)
            for o in seed_orders()
        ],
    )  # fmt: skip
    connection.executemany(
        "INSERT INTO compensations (no, order_id, amount_minor, currency, comp_type, reason, approver, status, at)"
        " VALUES (?, ?, ?, ?, 'cash', ?, '', 'pending', ?)",
        [(c.no, c.order_id, c.amount_minor, c.currency, c.reason, c.at) for c in OPEN],
    )
    channel_seed.seed_refunds(connection)
    hotel_seed.seed_bookings(connection)
