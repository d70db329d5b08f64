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


async def test_the_page_lists_what_was_refunded_and_every_lead(client: httpx.AsyncClient) -> None:
    """Accounts and telephone numbers by their ends alone; a lead with the day that is booked for it."""
    assert "还没有退款。" in (await client.get("/?lang=zh")).text
    assert "There are no leads yet." in (await client.get("/?lang=en")).text
    number = (await refund(client, "KL-778", "320", bank_account=ACCOUNT)).json()["no"]
    lead = {"contact_name": "王女士", "contact_phone": "13800001234"}
    made = (await client.post("/leads", json=lead, headers={"Idempotency-Key": "l"})).json()["lead_id"]
    booked = {"lead_id": made, "day": "2099-01-02"}
    await client.post("/appointments", json=booked, headers={"Idempotency-Key": "a"})
    page = (await client.get("/")).text
    assert f'data-testid="paid-refund-{number}"' in page and "6222" not in page
    assert ACCOUNT in (await client.get(f"/?show={number}")).text
    assert f'data-testid="lead-{made}"' in page and "王女士" in page and "2099-01-02" in page
    assert "13800001234" not in page and "•••• 1234" in page


async def test_the_page_lists_refunds_and_channels_with_their_switches(client: httpx.AsyncClient) -> None:
    """What is searched for is found among the refunds, too; a press of a switch is shown."""
    page = (await client.get("/?lang=en")).text
    for channel in ("alipay", "wechat", "bank_card"):
        assert f'data-testid="channel-{channel}"' in page
        for behaviour in ("processing", "success", "failed", "no_answer", "system_error"):
            assert f'data-testid="channels-{channel}-{behaviour}"' in page
    assert 'data-testid="refund-RF202609021160"' not in page
    assert 'data-testid="refund-RF202609021160"' in (await client.get("/?q=kl-1160")).text
    for data in ({"complaint": "true"}, {"arrived": "true"}):
        pressed = await client.post("/switch/refunds/RF202609010001", data=data)
        assert pressed.status_code == 303
    row = (await client.get("/?lang=en&q=KL-1001")).text.partition('data-testid="status-RF202609010001">')[2]
    assert row.startswith("Processing · Arrived · Complaint<")
