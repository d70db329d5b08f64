"""The interfaces of the hotel procedure: a booking, what a change of it costs, and the change itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote as quoted
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict

from graph.fields import canonical_money
from graph.model import Fact, Route
from graph.phrases import say
from graph.tools.compensation import Note
from graph.tools.payout import Resource, routes_of
from graph.tools.spec import Call, tool
from graph.tools.values import Exact, Money

Room = Literal["standard", "deluxe", "suite"]
Direction = Literal["same", "more", "less"]


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class HotelBooking(_Answer):
    """A booking as it stands. `changes` says whether the hotel lets it be changed; `check_in` is ISO 8601."""

    booking_id: str
    hotel: str
    status: Literal["confirmed", "cancelled"]
    changes: Literal["allowed", "not_allowed"]
    check_in: str
    nights: int
    room: Room
    price: Money


class ChangeQuote(_Answer):
    """What the stay costs after a change, and by how much that differs from what was paid."""

    direction: Direction
    price: Money
    difference: Money


class HotelChange(_Answer):
    """A change that was made; `resources` say how a lower price was paid back."""

    change_no: str
    booking_id: str
    direction: Direction
    difference: Money
    resources: list[Resource]
    approver: str | None = None


class _Amount(_Answer):
    amount: Exact
    currency: str

    @property
    def money(self) -> Money:
        return Money(amount=self.amount, currency=self.currency)


class _BookingBody(_Answer):
    booking_id: str
    hotel: str
    status: Literal["confirmed", "cancelled"]
    changes: Literal["allowed", "not_allowed"]
    check_in: str
    nights: int
    room: Room
    price: Exact
    currency: str


class _QuoteBody(_Answer):
    direction: Direction
    price: Exact
    difference: Exact
    currency: str


class _ResourceBody(_Amount):
    kind: Literal["gateway"]


class _ChangeBody(_Answer):
    no: str
    booking_id: str
    direction: Direction
    difference: Exact
    currency: str
    resources: list[_ResourceBody]
    approver: str | None = None


class _NoteBody(_Answer):
    id: int | str
    text: str


def _preview(arguments: Mapping[str, Fact], facts: Mapping[str, Fact]) -> list[Route]:
    """All of a refund goes back the way the booking was paid."""
    refund = arguments.get("refund")
    if refund is None or refund.currency is None or refund.decimal() <= 0:
        return []
    return [Route(kind="gateway", amount=canonical_money(refund.decimal()), currency=refund.currency)]


@tool()
async def get_hotel_booking(call: Call, booking_id: str) -> HotelBooking:
    """The booking, or a refusal `not_found`."""
    body = await call.backoffice.get(_path(booking_id), _BookingBody)
    return HotelBooking(
        **body.model_dump(exclude={"price", "currency"}), price=Money(amount=body.price, currency=body.currency)
    )


@tool()
async def quote_hotel_change(call: Call, booking_id: str, check_in: str, nights: int, room: Room) -> ChangeQuote:
    """The price after the change. Refused: `no_room`, `no_change` where it is the stay as booked, `day_over`."""
    asked = urlencode({"check_in": check_in, "nights": nights, "room": room})
    body = await call.backoffice.get(f"{_path(booking_id)}/quote?{asked}", _QuoteBody)
    return ChangeQuote(
        direction=body.direction,
        price=Money(amount=body.price, currency=body.currency),
        difference=Money(amount=body.difference, currency=body.currency),
    )


@tool()
async def get_change_refund(call: Call, booking_id: str, nights: int, room: Room) -> Money:
    """What comes back for such a stay; nought where it costs as much or more."""
    asked = urlencode({"nights": nights, "room": room})
    return (await call.backoffice.get(f"{_path(booking_id)}/change-refund?{asked}", _Amount)).money


@tool(write=True, preview=_preview, routes=routes_of)
async def change_hotel_booking(
    call: Call,
    booking_id: str,
    check_in: str,
    nights: int,
    room: Room,
    price: Money,
    refund: Money | None = None,
    approver: str | None = None,
) -> HotelChange:
    """Change the booking and pay a lower price back. Refused as the quote is, and `price_changed` where it would cost
    or give back another amount than was decided."""
    body = {
        "check_in": check_in,
        "nights": str(nights),
        "room": room,
        "price": canonical_money(price.amount),
        "currency": price.currency,
    }
    if refund is not None:
        body["refund"] = canonical_money(refund.amount)
    if approver is not None:
        body["approver"] = approver
    made = await call.backoffice.post(f"{_path(booking_id)}/changes", body, _ChangeBody, key=call.key)
    return HotelChange(
        change_no=made.no,
        booking_id=made.booking_id,
        direction=made.direction,
        difference=Money(amount=made.difference, currency=made.currency),
        resources=[Resource(kind=each.kind, amount=each.money) for each in made.resources],
        approver=made.approver,
    )


@tool(write=True)
async def add_hotel_note(call: Call, booking_id: str, change: HotelChange) -> Note:
    """Write on the booking what was changed: paid back and under whose approval, still to be paid, or neither."""
    words = say(
        f"tools.hotel_note_{change.direction}",
        call.lang,
        no=change.change_no,
        amount=canonical_money(change.difference.amount),
        currency=change.difference.currency,
        approver=change.approver or "-",
    )
    body = await call.backoffice.post(f"{_path(booking_id)}/notes", {"text": words}, _NoteBody, key=call.key)
    return Note(id=str(body.id), text=body.text)


def _path(booking_id: str) -> str:
    return f"/bookings/{quoted(booking_id, safe='')}"
