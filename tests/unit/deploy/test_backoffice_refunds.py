"""Refunds of the back office: what the policy gives back, once, and never after a compensation."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from deploy.local.backoffice import BackOffice
from tests.parts.http import asking

ACCOUNT = "Bank of China 6222 0000 1234"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a fresh back office."""
    office = BackOffice(tmp_path / "office.sqlite")
    await office.start()
    async with asking(office.url, 10.0) as ready:
        yield ready
    await office.stop()


async def refund(client: httpx.AsyncClient, order: str, amount: str, key: str = "k", **more: str) -> httpx.Response:
    """Ask for a refund."""
    body = {"amount": amount, "currency": "USD", "reason": "ill", "approver": "supervisor", **more}
    return await client.post(f"/orders/{order}/refunds", json=body, headers={"Idempotency-Key": key})


def code(answer: httpx.Response) -> tuple[int, str]:
    """Status and error code of a refusal."""
    return answer.status_code, answer.json()["error"]["code"]


async def test_what_comes_back_follows_the_policy(client: httpx.AsyncClient) -> None:
    """All, half or nothing of the price."""
    for order, kind, amount in (("KL-778", "free", "320"), ("KL-502", "partial", "900"), ("KL-315", "none", "0")):
        assert (await client.get(f"/orders/{order}/cancellation-policy")).json()["kind"] == kind
        assert (await client.get(f"/orders/{order}/refundable")).json() == {"amount": amount, "currency": "USD"}


async def test_a_refund_is_paid_once(client: httpx.AsyncClient) -> None:
    """The same key answers again and pays nothing; another key is refused."""
    first = await refund(client, "KL-778", "320", bank_account=ACCOUNT)
    assert [(part["kind"], part["amount"]) for part in first.json()["resources"]] == [
        ("gateway", "60"),
        ("manual_transfer", "260"),
    ]
    again = await refund(client, "KL-778", "320", bank_account=ACCOUNT)
    assert again.json() == first.json()
    assert code(await refund(client, "KL-778", "320", "k2", bank_account=ACCOUNT)) == (409, "refunded")
    assert (await client.get("/orders/KL-778/payouts")).json()["refund"] == first.json()["no"]
    assert (await client.get("/order-refunds")).json()["total"] == 1


async def test_what_is_refused(client: httpx.AsyncClient) -> None:
    """An unpaid order, one with a compensation, too much, another currency, no account for the rest, no order."""
    assert code(await refund(client, "KL-901", "10")) == (409, "not_paid")
    assert code(await refund(client, "KL-1009", "10")) == (409, "fraud_review")
    assert code(await refund(client, "KL-315", "10")) == (409, "compensated")
    assert code(await refund(client, "KL-502", "900.01")) == (422, "bad_amount")
    assert code(await refund(client, "KL-502", "900", currency="EUR")) == (422, "bad_amount")
    assert code(await refund(client, "KL-778", "320")) == (422, "account_required")
    assert code(await refund(client, "KL-999", "1")) == (404, "not_found")
