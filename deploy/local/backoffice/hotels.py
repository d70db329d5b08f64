"""Hotel bookings: what a change costs, and the one write that makes it and pays a lower price back."""

import sqlite3
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from deploy.local.backoffice.errors import Refusal
from deploy.local.backoffice.idempotency import Answer, digest_of, once
from deploy.local.backoffice.models import Balance, Note, NoteRequest, Resource, read_amount
from deploy.local.backoffice.money import Money, from_minor, to_minor

Room = Literal["standard", "deluxe", "suite"]
Direction = Literal["same", "more", "less"]
CURRENCY: Final = "USD"
RATES: Final[Mapping[Room, int]] = {"standard": 100_00, "deluxe": 140_00, "suite": 400_00}
"""What a night costs, in cents."""
_FULL: Final = (12, 31)
"""The night for which every hotel is full: month and day."""


class Stay(BaseModel):
    """A stay as it is asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    check_in: date
    nights: Annotated[int, Field(ge=1, le=30)]
    room: Room

    @property
    def cents(self) -> int:
        """Its price, in cents."""
        return RATES[self.room] * self.nights


class Booking(BaseModel):
    """A booking as it stands."""

    booking_id: str
    hotel: str
    status: Literal["confirmed", "cancelled"]
    changes: Literal["allowed", "not_allowed"]
    check_in: date
    nights: int
    room: Room
    price: Money
    currency: str = CURRENCY


class Quote(BaseModel):
    """The price after a change and how far it is from the price before."""

    direction: Direction
    price: Money
    difference: Money
    currency: str = CURRENCY


class ChangeRequest(Stay):
    """The body of `POST /bookings/{booking_id}/changes`: the stay, the price and the refund that were decided on."""

    price: Annotated[Money, BeforeValidator(read_amount)]
    currency: Literal["USD"]
    refund: Annotated[Money, BeforeValidator(read_amount)] | None = None
    approver: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)] | None = None


class Change(BaseModel):
    """A change that was made, and what was paid back for it."""

    no: str
    booking_id: str
    direction: Direction
    difference: Money
    currency: str = CURRENCY
    resources: list[Resource]
    approver: str | None = None


def booking(connection: sqlite3.Connection, booking_id: str) -> Booking:
    """The booking; raises Refusal `not_found`."""
    row = _row(connection, booking_id)
    return Booking.model_validate({**dict(row), "price": from_minor(row["price_minor"])})


def quote(connection: sqlite3.Connection, booking_id: str, stay: Stay, today: date) -> Quote:
    """What the change costs; raises Refusal `not_found`, `not_changeable`, `day_over`, `no_room` or `no_change`."""
    row = _row(connection, booking_id)
    _refuse(row, stay, today)
    return _quote(row, stay.cents)


def change_refund(connection: sqlite3.Connection, booking_id: str, nights: int, room: Room) -> Balance:
    """What comes back for such a stay; raises Refusal `not_found`."""
    before = _row(connection, booking_id)["price_minor"]
    return Balance(amount=from_minor(max(0, before - RATES[room] * nights)), currency=CURRENCY)


def change(
    connection: sqlite3.Connection, key: str, booking_id: str, wanted: ChangeRequest, now: datetime
) -> Answer:
    """Change a booking once per key; raises Refusal as `quote`, and `price_changed` for another price or refund."""

    def make() -> Change:
        row = _row(connection, booking_id)
        stay = Stay(check_in=wanted.check_in, nights=wanted.nights, room=wanted.room)
        _refuse(row, stay, now.date())
        due = max(0, row["price_minor"] - stay.cents)
        if to_minor(wanted.price) != stay.cents or to_minor(wanted.refund or Decimal(0)) != due:
            raise Refusal("price_changed", "The price or the refund is no longer what was decided. Ask for a quote again.")
        quoted = _quote(row, stay.cents)
        number = connection.execute(
            "INSERT INTO booking_changes (booking_id, direction, difference_minor, approver, at) VALUES (?, ?, ?, ?, ?)",
            (booking_id, quoted.direction, to_minor(quoted.difference), wanted.approver, now.isoformat()),
        ).lastrowid
        connection.execute(
            "UPDATE bookings SET check_in = ?, nights = ?, room = ?, price_minor = ? WHERE booking_id = ?",
            (stay.check_in.isoformat(), stay.nights, stay.room, stay.cents, booking_id),
        )
        return _change(connection.execute("SELECT * FROM booking_changes WHERE id = ?", (number,)).fetchone())

    return once(connection, key, digest_of(f"change {booking_id}", wanted), now, make)


def add_note(connection: sqlite3.Connection, key: str, booking_id: str, note: NoteRequest, now: datetime) -> Answer:
    """Write a note on a booking once per key; raises Refusal `not_found`."""

    def write() -> Note:
        _row(connection, booking_id)
        number = connection.execute(
            "INSERT INTO booking_notes (booking_id, text, at) VALUES (?, ?, ?)", (booking_id, note.text, now.isoformat())
        ).lastrowid
        return Note(id=f"HN{number}", order_id=booking_id, text=note.text, at=now)

    return once(connection, key, digest_of(f"note {booking_id}", note), now, write)


def changes(connection: sqlite3.Connection) -> list[Change]:
    """All changes, newest first."""
    return [_change(row) for row in connection.execute("SELECT * FROM booking_changes ORDER BY id DESC")]


def _refuse(row: sqlite3.Row, stay: Stay, today: date) -> None:
    if row["status"] != "confirmed" or row["changes"] != "allowed":
        raise Refusal("not_changeable", f"Booking {row['booking_id']} is cancelled, or its hotel allows no change.")
    if stay.check_in < today:
        raise Refusal("day_over", "check_in is over; give today or a later day.")
    days = (stay.check_in + timedelta(days=number) for number in range(stay.nights))
    if any((day.month, day.day) == _FULL for day in days):
        raise Refusal("no_room", "The hotel is full on one of these nights.")
    if (stay.check_in.isoformat(), stay.nights, stay.room) == (row["check_in"], row["nights"], row["room"]):
        raise Refusal("no_change", "This is the stay as it is booked.")


def _quote(row: sqlite3.Row, cents: int) -> Quote:
    before = row["price_minor"]
    direction: Direction = "same" if cents == before else "more" if cents > before else "less"
    return Quote(direction=direction, price=from_minor(cents), difference=from_minor(abs(cents - before)))


def _change(row: sqlite3.Row) -> Change:
    amount = from_minor(row["difference_minor"])
    paid = [Resource(kind="gateway", amount=amount, currency=CURRENCY)] if row["direction"] == "less" else []
    return Change(
        no=f"HC{row['id']:06d}",
        booking_id=row["booking_id"],
        direction=row["direction"],
        difference=amount,
        resources=paid,
        approver=row["approver"],
    )


def _row(connection: sqlite3.Connection, booking_id: str) -> sqlite3.Row:
    found: sqlite3.Row | None = connection.execute(
        "SELECT * FROM bookings WHERE booking_id = ?", (booking_id,)
    ).fetchone()
    if found is None:
        raise Refusal("not_found", "There is no booking of that number.")
    return found
