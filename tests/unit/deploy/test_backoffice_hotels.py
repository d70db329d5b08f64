"""Hotel bookings of the back office: what a change costs, and a change that is made once and pays back what was decided."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from deploy.local.backoffice import BackOffice
from tests.parts.http import asking

CHEAPER = {"check_in": "2031-03-05", "nights": 3, "room": "standard", "price": "300", "currency": "USD", "refund": "120"}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a fresh back office."""
    office = BackOffice(tmp_path / "office.sqlite")
    await office.start()
    async with asking(office.url, 10.0) as ready:
        yield ready
    await office.stop()


async def change(client: httpx.AsyncClient, booking: str = "HB-201", key: str = "k", **more: object) -> httpx.Response:
    """Ask for the cheaper stay, or for another."""
    return await client.post(
        f"/bookings/{booking}/changes", json={**CHEAPER, **more}, headers={"Idempotency-Key": key}
    )


async def quoted(client: httpx.AsyncClient, booking: str = "HB-201", **stay: object) -> httpx.Response:
    """What a stay would cost."""
    asked = {"check_in": "2031-03-05", "nights": "3", "room": "standard", **stay}
    return await client.get(f"/bookings/{booking}/quote", params={name: str(value) for name, value in asked.items()})


def code(answer: httpx.Response) -> tuple[int, str]:
    """Status and error code of a refusal."""
    return answer.status_code, answer.json()["error"]["code"]


async def test_a_quote_says_which_way_the_price_goes(client: httpx.AsyncClient) -> None:
    """Less, more, the same; and what comes back is nought unless it is less."""
    for room, nights, direction, difference, back in (
        ("standard", 3, "less", "120", "120"),
        ("suite", 3, "more", "780", "0"),
        ("deluxe", 3, "same", "0", "0"),
    ):
        found = (await quoted(client, room=room, nights=nights)).json()
        assert (found["direction"], found["difference"]) == (direction, difference)
        due = await client.get("/bookings/HB-201/change-refund", params={"nights": nights, "room": room})
        assert due.json() == {"amount": back, "currency": "USD"}


async def test_what_is_not_quoted(client: httpx.AsyncClient) -> None:
    """A full night, a day that is over, the stay as it is booked, a hotel that allows none, an unknown booking."""
    assert code(await quoted(client, check_in="2031-12-30")) == (409, "no_room")
    assert code(await quoted(client, check_in="2020-03-01")) == (422, "day_over")
    assert code(await quoted(client, check_in="2031-03-01", room="deluxe")) == (409, "no_change")
    assert code(await quoted(client, "HB-205")) == (409, "not_changeable")
    assert code(await quoted(client, "HB-999")) == (404, "not_found")
    assert code(await quoted(client, nights="none")) == (422, "bad_request")


async def test_a_change_is_made_once(client: httpx.AsyncClient) -> None:
    """The same key answers again; another price or refund than the change has is refused and changes nothing."""
    assert code(await change(client, price="301")) == (409, "price_changed")
    assert code(await change(client, refund="20")) == (409, "price_changed")
    first = await change(client)
    assert (first.status_code, first.json()["resources"][0]["amount"]) == (201, "120")
    assert (await change(client)).json() == first.json()
    assert (await client.get("/booking-changes")).json()["total"] == 1
    now = (await client.get("/bookings/HB-201")).json()
    assert (now["check_in"], now["room"], now["price"]) == ("2031-03-05", "standard", "300")
