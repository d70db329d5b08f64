"""Hotel bookings: their tables, and those a fresh back office knows."""

import sqlite3
from typing import Final

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS bookings (
  booking_id TEXT PRIMARY KEY, hotel TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('confirmed', 'cancelled')),
  changes TEXT NOT NULL CHECK (changes IN ('allowed', 'not_allowed')), check_in TEXT NOT NULL, nights INTEGER NOT NULL,
  room TEXT NOT NULL CHECK (room IN ('standard', 'deluxe', 'suite')), price_minor INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS booking_changes (
  id INTEGER PRIMARY KEY, booking_id TEXT NOT NULL REFERENCES bookings (booking_id),
  direction TEXT NOT NULL CHECK (direction IN ('same', 'more', 'less')), difference_minor INTEGER NOT NULL,
  approver TEXT, at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS booking_notes (
  id INTEGER PRIMARY KEY, booking_id TEXT NOT NULL REFERENCES bookings (booking_id), text TEXT NOT NULL, at TEXT NOT NULL
);
"""
TABLES: Final = ("booking_notes", "booking_changes", "bookings")
"""Children before parents."""

BOOKINGS: Final = (
    ("HB-201", "东京湾景酒店", "confirmed", "allowed", "2031-03-01", 3, "deluxe", 420_00),
    ("HB-202", "Kyoto Garden Inn", "confirmed", "allowed", "2031-04-10", 1, "deluxe", 140_00),
    ("HB-203", "大阪中心酒店", "confirmed", "allowed", "2031-05-01", 5, "suite", 2000_00),
    ("HB-204", "Sapporo Snow Lodge", "confirmed", "allowed", "2031-02-01", 10, "suite", 4000_00),
    ("HB-205", "冲绳海滨酒店", "confirmed", "not_allowed", "2031-07-01", 2, "standard", 200_00),
    ("HB-206", "Nara Park Hotel", "cancelled", "allowed", "2031-03-20", 2, "deluxe", 280_00),
)
"""Hotel bookings: number, hotel, status, whether it lets stays be changed, first day, nights, room, price in cents."""


def seed_bookings(connection: sqlite3.Connection) -> None:
    """Put the bookings into an empty table."""
    connection.executemany(
        "INSERT INTO bookings (booking_id, hotel, status, changes, check_in, nights, room, price_minor)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        BOOKINGS,
    )
