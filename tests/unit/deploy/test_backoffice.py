"""The back office over real HTTP and a real SQLite file."""

import asyncio
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from deploy.local.backoffice import BackOffice, Fault
from deploy.local.backoffice.faults import Mode
from deploy.local.backoffice.masking import masked
from deploy.local.backoffice.money import canonical
from deploy.local.backoffice.words import language_of
from tests.parts.http import asking

ACCOUNT = "中国银行 6222 0000 1234，户名王女士"
CASH_80 = {
    "order_id": "KL-778",
    "amount": "80",
    "currency": "USD",
    "comp_type": "cash",
    "reason": "商户漏发接送",
    "approver": "supervisor",
    "bank_account": ACCOUNT,
}
NOON = datetime(2026, 9, 4, 15, 32, 47, tzinfo=UTC)


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[BackOffice]:
    """A running back office whose clock stands still."""
    running = BackOffice(tmp_path / "office.sqlite", faults=True, clock=lambda: NOON)
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def client(office: BackOffice) -> AsyncIterator[httpx.AsyncClient]:
    """A client of that back office."""
    async with asking(office.url, 10.0) as ready:
        yield ready


async def pay(client: httpx.AsyncClient, key: str, **changes: object) -> httpx.Response:
    """Ask for the payout of 80 in cash on KL-778, with changes."""
    return await client.post("/compensations", json={**CASH_80, **changes}, headers={"Idempotency-Key": key})


async def note(client: httpx.AsyncClient, key: str, text: str, order_id: str = "KL-778") -> httpx.Response:
    """Write a note on an order."""
    return await client.post(f"/orders/{order_id}/notes", json={"text": text}, headers={"Idempotency-Key": key})


def code(answer: httpx.Response) -> tuple[int, str]:
    """Status and error code of a refusal."""
    return answer.status_code, answer.json()["error"]["code"]


async def balance(client: httpx.AsyncClient, order_id: str) -> str:
    """The gateway balance of an order."""
    return str((await client.get(f"/orders/{order_id}/gateway-balance")).json()["amount"])


async def test_the_named_orders_are_there(client: httpx.AsyncClient) -> None:
    """The four orders of the documentation have exactly the facts that it states."""
    assert (await client.get("/orders/KL-778")).json() == {
        "order_id": "KL-778",
        "customer": "王女士",
        "product": "东京迪士尼一日票 x2",
        "amount": "320",
        "currency": "USD",
        "payment_status": "paid",
        "fraud_status": "pass",
        "open_compensation": None,
        "compensated": [],
    }
    assert await balance(client, "KL-778") == "60"
    unpaid = (await client.get("/orders/KL-901")).json()
    assert (unpaid["payment_status"], unpaid["fraud_status"]) == ("unpaid", "pass")
    assert (await client.get("/orders/KL-315")).json()["open_compensation"] == {
        "no": "RA2609010001",
        "amount": "30",
        "currency": "USD",
        "status": "pending",
    }
    assert (await client.get("/orders/KL-502")).json()["amount"] == await balance(client, "KL-502") == "1800"


async def test_two_hundred_more_orders_are_listed_in_windows(client: httpx.AsyncClient) -> None:
    """limit and offset walk through all 205 orders, among them unpaid ones and ones in review."""
    orders = []
    for offset in range(0, 205, 100):
        window = (await client.get("/orders", params={"limit": 100, "offset": offset})).json()
        assert window["total"] == 205
        orders += window["orders"]
    ids = [order["order_id"] for order in orders]
    assert ids == ["KL-778", "KL-901", "KL-315", "KL-502", *(f"KL-{number}" for number in range(1001, 1201)), "KL-2600"]
    assert {order["payment_status"] for order in orders[4:]} == {"paid", "unpaid"}
    assert {order["fraud_status"] for order in orders[4:]} == {"pass", "review"}
    assert code(await client.get("/orders?limit=0")) == (422, "bad_request")


async def test_cash_takes_the_gateway_first_and_the_rest_by_hand(client: httpx.AsyncClient) -> None:
    """80 with 60 in the gateway is paid as 60 and 20, and empties the gateway."""
    paid = await pay(client, "one")
    assert paid.status_code == 201
    assert paid.json() == {
        "no": "RA260904153247",
        "order_id": "KL-778",
        "amount": "80",
        "currency": "USD",
        "comp_type": "cash",
        "reason": "商户漏发接送",
        "approver": "supervisor",
        "status": "paid",
        "resources": [
            {"kind": "gateway", "amount": "60", "currency": "USD"},
            {"kind": "manual_transfer", "amount": "20", "currency": "USD", "account": ACCOUNT},
        ],
    }
    assert await balance(client, "KL-778") == "0"


async def test_credit_leaves_the_gateway_alone(client: httpx.AsyncClient) -> None:
    """A credit is one resource, needs no account, and keeps cents exact."""
    paid = await pay(client, "one", comp_type="credit", amount="30.50", bank_account=None)
    assert paid.json()["resources"] == [{"kind": "credit", "amount": "30.50", "currency": "USD"}]
    assert await balance(client, "KL-778") == "60"


async def test_cash_beyond_the_gateway_needs_an_account(client: httpx.AsyncClient) -> None:
    """Without an account the payout is refused and nothing is taken from the gateway."""
    assert code(await pay(client, "one", bank_account=None)) == (422, "account_required")
    assert await balance(client, "KL-778") == "60"
    assert (await pay(client, "one", bank_account=None, amount="60")).status_code == 201


async def test_numbers_of_the_same_second_differ(client: httpx.AsyncClient) -> None:
    """Payouts made in one second take the following free seconds."""
    numbers = [(await pay(client, f"k{n}", comp_type="credit")).json()["no"] for n in range(3)]
    assert numbers == ["RA260904153247", "RA260904153248", "RA260904153249"]


async def test_simultaneous_requests_with_one_key_pay_once(client: httpx.AsyncClient) -> None:
    """Ten at once under one key: one 201, nine repeats of the same answer, one payout, one withdrawal."""
    answers = await asyncio.gather(*(pay(client, "same", amount="10") for _ in range(10)))
    assert sorted(answer.status_code for answer in answers) == [200] * 9 + [201]
    assert len({answer.text for answer in answers}) == 1
    assert [a.headers.get("Idempotent-Replayed") for a in answers].count("true") == 9
    listed = (await client.get("/compensations", params={"order_id": "KL-778"})).json()
    assert [row["no"] for row in listed["compensations"]] == [answers[0].json()["no"]]
    assert await balance(client, "KL-778") == "50"


async def test_simultaneous_requests_with_different_keys_never_overdraw(client: httpx.AsyncClient) -> None:
    """Eight payouts of 10 from a gateway of 60: exactly 60 come from it."""
    answers = await asyncio.gather(*(pay(client, f"k{n}", amount="10") for n in range(8)))
    parts = [part for answer in answers for part in answer.json()["resources"]]
    assert sum(Decimal(part["amount"]) for part in parts if part["kind"] == "gateway") == 60
    assert sum(Decimal(part["amount"]) for part in parts) == 80
    assert len({answer.json()["no"] for answer in answers}) == 8


async def test_a_key_is_bound_to_its_request(client: httpx.AsyncClient) -> None:
    """Another body, or another operation, under a used key is refused; another spelling of the amount is the same."""
    assert (await pay(client, "one")).status_code == 201
    assert code(await pay(client, "one", amount="81")) == (422, "key_reused")
    assert (await pay(client, "one", amount="80.00")).status_code == 200
    assert code(await note(client, "one", "x")) == (422, "key_reused")


async def test_a_refused_request_does_not_use_up_its_key(client: httpx.AsyncClient) -> None:
    """After a refusal the corrected request may come under the same key."""
    assert code(await pay(client, "one", order_id="KL-000")) == (404, "not_found")
    assert (await pay(client, "one")).status_code == 201


async def test_orders_that_must_not_be_compensated_are_refused(client: httpx.AsyncClient) -> None:
    """Unknown, unpaid, in review, and with an open compensation: each has its code, and no payout is made."""
    orders = (await client.get("/orders?limit=500")).json()["orders"]
    reviewed = next(o for o in orders if o["fraud_status"] == "review" and o["payment_status"] == "paid")
    assert code(await pay(client, "a", order_id="KL-9999")) == (404, "not_found")
    assert code(await pay(client, "b", order_id="KL-901")) == (409, "not_paid")
    assert code(await pay(client, "c", order_id=reviewed["order_id"])) == (409, "fraud_review")
    assert code(await pay(client, "d", order_id="KL-315")) == (409, "open_compensation")
    assert (await client.get("/compensations?status=paid")).json()["total"] == 0


async def test_a_paid_compensation_is_not_an_open_one(client: httpx.AsyncClient) -> None:
    """A second payout on the same order is possible after the first is paid."""
    assert (await pay(client, "a", amount="10")).status_code == 201
    assert (await client.get("/orders/KL-778")).json()["open_compensation"] is None
    assert (await pay(client, "b", amount="10")).status_code == 201


@pytest.mark.parametrize("amount", ["0", "-5", "1.001", "1e2", "NaN", "", "99999999999", "８０", 80, 80.5, None])
async def test_amounts_that_are_not_exact_money_are_refused(client: httpx.AsyncClient, amount: object) -> None:
    """Only a positive plain decimal string of at most two decimals is an amount; a JSON number is not."""
    assert code(await pay(client, "one", amount=amount)) == (422, "bad_amount")


async def test_another_currency_is_refused(client: httpx.AsyncClient) -> None:
    """An order in USD is not compensated in EUR."""
    assert code(await pay(client, "one", currency="EUR")) == (422, "bad_amount")


async def test_broken_requests_are_told_what_is_wrong(client: httpx.AsyncClient) -> None:
    """No key, no JSON, an unknown key, a missing reason, no such route: each in the one error form."""
    assert code(await client.post("/compensations", json=CASH_80)) == (400, "key_required")
    broken = await client.post("/compensations", content=b'{"amount": 30', headers={"Idempotency-Key": "k"})
    assert code(broken) == (400, "bad_json")
    assert code(await pay(client, "k", colour="red")) == (422, "bad_request")
    assert code(await pay(client, "k", reason="  ")) == (422, "bad_request")
    assert code(await pay(client, "k", comp_type="gold")) == (422, "bad_request")
    assert code(await client.get("/nowhere")) == (404, "not_found")
    assert code(await client.delete("/compensations")) == (405, "method_not_allowed")


async def test_no_error_repeats_an_account_number(client: httpx.AsyncClient) -> None:
    """Wherever an account number is put, the refusal does not echo it."""
    number = "6222000012345678"
    answers = [
        await client.get(f"/orders/{number}"),
        await pay(client, "a", order_id=number),
        await pay(client, "b", amount=number),
        await pay(client, "c", currency=number),
        await pay(client, "d", comp_type=number),
        await pay(client, "e", bank_account=int(number)),
        await pay(client, "f", **{number: "x"}),
    ]
    assert all(answer.status_code >= 400 for answer in answers)
    assert not [answer.text for answer in answers if number in answer.text]


async def test_a_note_is_written_once_per_key(client: httpx.AsyncClient) -> None:
    """Two simultaneous notes under one key are one note; an unknown order has none."""
    first, second = await asyncio.gather(*(note(client, "n", "补偿单 <b>RA</b>") for _ in range(2)))
    assert sorted([first.status_code, second.status_code]) == [200, 201]
    assert first.json() == second.json()
    assert first.json()["text"] == "补偿单 <b>RA</b>"
    listed = (await client.get("/notes", params={"order_id": "KL-778"})).json()
    assert listed == {"notes": [first.json()], "total": 1}
    assert code(await note(client, "m", "x", "KL-000")) == (404, "not_found")


async def test_what_was_paid_survives_a_restart(tmp_path: Path) -> None:
    """A new service on the same file knows the payout and repeats its answer, and does not seed again."""
    for status in (201, 200):
        office = BackOffice(tmp_path / "office.sqlite")
        await office.start()
        async with asking(office.url) as client:
            assert (await pay(client, "one")).status_code == status
            assert (await client.get("/orders")).json()["total"] == 205
            assert await balance(client, "KL-778") == "0"
        await office.stop()


async def test_the_command_line_serves(tmp_path: Path) -> None:
    """`python -m deploy.local.backoffice` says its address, serves there, and ends on SIGTERM; it has no test aids."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "deploy.local.backoffice", "--port", "0", "--db", str(tmp_path / "office.sqlite"),
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert program.stderr is not None
    line = (await asyncio.wait_for(program.stderr.readline(), 20.0)).decode()
    async with asking(line.split()[-1]) as client:
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.post("/_reset")).status_code == 404
    program.terminate()
    assert await asyncio.wait_for(program.wait(), 10.0) == 0


@pytest.mark.parametrize(
    ("mode", "status", "payouts"),
    [("down", 503, 0), ("reset", 0, 0), ("nonsense", 200, 1), ("wrong_types", 201, 1), ("error_after_commit", 500, 1)],
)
async def test_each_fault_strikes_once_and_the_retry_pays_once(
    office: BackOffice, client: httpx.AsyncClient, mode: Mode, status: int, payouts: int
) -> None:
    """A fault spoils one request, before or after its effect; the retry under the same key ends with one payout."""
    await client.post("/_faults", json={"method": "POST", "path_prefix": "/compensations", "mode": mode, "times": 1})
    if mode == "reset":
        with pytest.raises(httpx.RemoteProtocolError):
            await pay(client, "one")
    else:
        spoiled = await pay(client, "one")
        assert spoiled.status_code == status
        assert mode != "wrong_types" or spoiled.json()["amount"] == ["80"]
        assert mode != "nonsense" or spoiled.text.startswith("<html")
    assert (await client.get("/compensations?status=paid")).json()["total"] == payouts
    retried = await pay(client, "one")
    assert retried.json()["amount"] == "80"
    assert (await client.get("/compensations?status=paid")).json()["total"] == 1
    posts = [(call.method, call.path, call.key) for call in office.calls if call.method == "POST"]
    assert posts == [("POST", "/compensations", "one")] * 2


async def test_a_slow_request_is_carried_out_after_the_caller_has_gone(
    office: BackOffice, client: httpx.AsyncClient
) -> None:
    """The caller's time limit passes, the payout is still made, and the retry is told of it."""
    office.faults.add(Fault(mode="slow", path_prefix="/compensations", seconds=0.3))
    with pytest.raises(httpx.ReadTimeout):
        await client.post("/compensations", json=CASH_80, headers={"Idempotency-Key": "one"}, timeout=0.05)
    await asyncio.wait_for(until_paid(client), 5.0)
    assert (await pay(client, "one")).headers["Idempotent-Replayed"] == "true"


async def until_paid(client: httpx.AsyncClient) -> None:
    """Return when a payout is listed."""
    while not (await client.get("/compensations?status=paid")).json()["total"]:
        pass


async def test_stopping_does_not_wait_for_slow_requests(office: BackOffice, client: httpx.AsyncClient) -> None:
    """A request held up by a fault is let go when the service stops."""
    office.faults.add(Fault(mode="slow", seconds=60.0))
    waiting = asyncio.create_task(client.get("/orders/KL-778"))
    await asyncio.wait_for(office.until_called(1), 5.0)
    await asyncio.wait_for(office.stop(), 2.0)
    assert (await waiting).status_code == 200


async def test_reset_starts_afresh(office: BackOffice, client: httpx.AsyncClient) -> None:
    """After a reset there is no payout, no call and no fault, and the balance is back."""
    await pay(client, "one")
    office.faults.add(Fault(mode="down", times=None))
    assert [call["key"] for call in (await client.get("/_calls")).json()["calls"]] == ["one"]
    assert (await client.post("/_reset")).status_code == 200
    assert office.calls == []
    assert await balance(client, "KL-778") == "60"
    assert (await client.get("/compensations")).json()["total"] == 1


async def test_the_page_masks_accounts_until_asked(client: httpx.AsyncClient) -> None:
    """A payout shows the last four digits; its link shows the whole account."""
    no = (await pay(client, "one")).json()["no"]
    page = (await client.get("/?lang=zh")).text
    assert f'data-testid="payout-{no}"' in page
    assert "•••• 1234" in page
    assert "6222" not in page
    assert ACCOUNT in (await client.get(f"/?show={no}")).text


async def test_the_page_escapes_what_people_wrote(client: httpx.AsyncClient) -> None:
    """Markup in a reason, a note and the search box is shown, not run."""
    evil = "<script>alert(1)</script>\"'"
    await pay(client, "one", reason=evil, approver=evil, comp_type="credit")
    await note(client, "n", evil)
    answer = await client.get("/", params={"q": evil, "show": evil})
    assert "<script>alert" not in answer.text
    assert answer.text.count("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#x27;") >= 4
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


async def test_the_page_searches_and_turns(client: httpx.AsyncClient) -> None:
    """?q= finds by id, customer or product without regard to case; the second page goes on after the first."""
    found = (await client.get("/", params={"q": "kl-778"})).text
    assert 'data-testid="order-KL-778"' in found
    assert 'data-testid="order-KL-502"' not in found
    assert 'data-testid="order-KL-778"' in (await client.get("/", params={"q": "王女士"})).text
    second = (await client.get("/?page=2")).text
    assert 'data-testid="order-KL-1047"' in second
    assert 'data-testid="order-KL-1046"' not in second
    assert (await client.get("/?page=99999&q=%25")).status_code == 200


async def test_the_page_speaks_both_languages(client: httpx.AsyncClient) -> None:
    """The language is the one in the address, else the browser's."""
    assert "补偿付款" in (await client.get("/?lang=zh")).text
    assert "Payouts" in (await client.get("/", headers={"Accept-Language": "en"})).text
    assert "补偿付款" in (await client.get("/", headers={"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8"})).text


@pytest.mark.parametrize(
    ("asked", "accepted", "language"),
    [("zh", "en", "zh"), ("xx", "en;q=0.3, zh;q=0.5", "zh"), (None, "fr, *;q=0.1", "en"), (None, "zh;q=x", "en")],
)
def test_the_language_is_the_preferred_one_of_two(asked: str | None, accepted: str, language: str) -> None:
    """The weights of Accept-Language count; what is not understood falls back to English."""
    assert language_of(asked, accepted) == language


def test_masking_never_shows_a_short_number_whole() -> None:
    """Four digits are shown only where at least as many stay hidden."""
    assert masked(ACCOUNT) == "•••• 1234"
    assert masked("1234") == "••••"
    assert masked("Barclays 12345678") == "•••• 5678"


def test_money_has_one_spelling() -> None:
    """Whole amounts have no decimals, others have two."""
    spelled = [canonical(Decimal(text)) for text in ("320.00", "3.2E+2", "0.5", "12.30", "0")]
    assert spelled == ["320", "320", "0.50", "12.30", "0"]


async def test_without_test_aids_there_is_nothing_to_misuse(tmp_path: Path) -> None:
    """A back office started plainly refuses faults, calls and reset in the process."""
    office = BackOffice(tmp_path / "office.sqlite")
    with pytest.raises(RuntimeError, match="faults=True"):
        office.faults.clear()
    with pytest.raises(RuntimeError, match="faults=True"):
        await office.reset()


async def test_numbers_follow_the_clock(tmp_path: Path) -> None:
    """A payout in a later second bears that second's number."""
    now = [NOON]
    office = BackOffice(tmp_path / "office.sqlite", clock=lambda: now[0])
    await office.start()
    async with asking(office.url) as client:
        first = (await pay(client, "a", comp_type="credit")).json()["no"]
        now[0] += timedelta(minutes=1)
        second = (await pay(client, "b", comp_type="credit")).json()["no"]
    await office.stop()
    assert (first, second) == ("RA260904153247", "RA260904153347")
