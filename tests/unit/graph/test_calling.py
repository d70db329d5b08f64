"""The one door to the back office, on a real one that misbehaves."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType

import httpx
import pytest
import pytest_asyncio
from pydantic import BaseModel
from redis.asyncio import Redis

from deploy.local.backoffice import BackOffice as Service
from deploy.local.backoffice import Fault
from graph.errors import ToolRefused, ToolUnavailable
from graph.model import Fact
from graph.store.journal import Journal
from graph.store.keys import Keys
from graph.tools.backoffice import BackOffice
from graph.tools.calling import Effect, ToolDoor
from graph.tools.spec import Call, tool, tools_of
from tests.parts.http import asking
from tests.unit.graph.builders import TOOLS, begun_in, money, word

PAY = {
    "order_id": word("KL-778"),
    "amount": money("80"),
    "comp_type": Fact(type="choice", value="cash"),
    "reason": word("商户漏发接送"),
    "bank_account": Fact(type="account", value="6222 0000 1234", sensitive=True),
    "approver": word("supervisor"),
}
EFFECT = Effect(key="k1", digest="d1", thread="T", fence=0, turn={"id": "e1"})


class Receipt(BaseModel):
    """What the odd tools give."""

    no: str


@tool(write=True, key="none", timeout=0.2)
async def pay_without_key(call: Call, order_id: str) -> Receipt:
    """A write whose receiver keeps no keys."""
    await call.backoffice.get(f"/orders/{order_id}", Receipt)
    return Receipt(no="never")


@tool(retries=0)
async def odd(call: Call, order_id: str) -> float:
    """A tool that gives what no fact can hold."""
    return 0.1


@tool()
async def nothing(call: Call, order_id: str) -> None:
    """A tool that gives nothing."""


ODD = ModuleType("odd")
vars(ODD).update(pay_without_key=pay_without_key, odd=odd, nothing=nothing, helper=print)


@dataclasses.dataclass
class Site:
    """A door and the back office behind it."""

    door: ToolDoor
    service: Service

    async def order(self, order_id: str = "KL-778") -> Fact:
        """Read an order."""
        return await self.door.call("get_order", {"order_id": word(order_id)}, lang="zh", at="t", effect=None)

    async def pay(self, effect: Effect = EFFECT) -> Fact:
        """Submit the compensation."""
        return await self.door.call("apply_compensation", PAY, lang="zh", at="t", effect=effect)

    async def paid(self) -> int:
        """How many payouts there are."""
        async with asking(self.service.url) as client:
            return int((await client.get("/compensations", params={"status": "paid"})).json()["total"])

    def keys(self) -> list[str | None]:
        """The keys of the calls so far."""
        return [call.key for call in self.service.calls]


@pytest_asyncio.fixture
async def site(redis: Redis, keys: Keys, tmp_path: Path) -> AsyncIterator[Site]:
    """A fresh back office, tried three times, a quarter of a second each."""
    service = Service(tmp_path / "db.sqlite", faults=True)
    await service.start()
    async with asking(service.url) as client:
        tools = TOOLS | tools_of([ODD])
        door = ToolDoor(tools, BackOffice(client), Journal(redis, keys), timeout=0.25, retries=2, pause=0.001)
        yield Site(door, service)
    await service.stop()


async def test_a_result_is_a_typed_fact_without_what_is_none(site: Site) -> None:
    """Money with its currency, who gave it and when; no open compensation is no fact."""
    order = await site.order()
    assert (order.type, order.by, order.at) == ("record", "tool:get_order", "t")
    amount = order.at_path("amount")
    assert amount is not None
    assert (amount.type, amount.value, amount.currency) == ("money", "320", "USD")
    assert order.at_path("open_compensation") is None
    pending = (await site.order("KL-315")).at_path("open_compensation.amount")
    assert pending is not None
    assert pending.value == "30"


async def test_a_write_sends_its_key_and_hides_the_account(site: Site) -> None:
    """The account in the result is marked as sensitive."""
    paid = await site.pay()
    assert site.keys() == ["k1"]
    resources = paid.at_path("resources")
    assert resources is not None and isinstance(resources.value, list)
    account = resources.value[1].at_path("account")
    assert account is not None
    assert (account.value, account.sensitive) == ("6222 0000 1234", True)


async def test_a_write_without_an_effect_is_a_mistake_of_ours(site: Site) -> None:
    """Nothing is sent."""
    with pytest.raises(ValueError, match="apply_compensation writes; it needs an effect"):
        await site.door.call("apply_compensation", PAY, lang="zh", at="t", effect=None)
    assert site.keys() == []


@pytest.mark.parametrize("mode", ["down", "reset", "nonsense", "wrong_types"])
async def test_a_read_that_fails_is_tried_again(site: Site, mode: str) -> None:
    """Twice more, then it has worked."""
    site.service.faults.add(Fault.model_validate({"mode": mode, "times": 2}))
    assert (await site.order()).type == "record"
    assert len(site.keys()) == 3


@pytest.mark.parametrize(
    ("mode", "code"),
    [("down", "down"), ("reset", "down"), ("slow", "slow"), ("nonsense", "nonsense"), ("wrong_types", "nonsense")],
)
async def test_what_fails_for_good_says_how(site: Site, mode: str, code: str) -> None:
    """Down, slow or nonsense, after three tries."""
    site.service.faults.add(Fault.model_validate({"mode": mode, "times": None}))
    with pytest.raises(ToolUnavailable) as error:
        await site.order()
    assert (error.value.code, len(site.keys())) == (code, 3)


async def test_a_clients_own_time_limit_is_slow_too(site: Site, redis: Redis, keys: Keys) -> None:
    """Whichever of the two limits is the shorter."""
    site.service.faults.add(Fault(mode="slow", times=None))
    async with asking(site.service.url, 0.05) as client:
        door = dataclasses.replace(site.door, backoffice=BackOffice(client), retries=0)
        with pytest.raises(ToolUnavailable) as error:
            await door.call("get_order", {"order_id": word("KL-778")}, lang="zh", at="t", effect=None)
    assert error.value.code == "slow"


@pytest.mark.parametrize("mode", ["error_after_commit", "nonsense", "wrong_types", "slow", "reset", "down"])
async def test_a_write_whose_answer_is_lost_pays_once(site: Site, mode: str) -> None:
    """It is sent again with the same key, and the receiver answers what it did."""
    site.service.faults.add(Fault.model_validate({"mode": mode, "times": 2, "method": "POST"}))
    number = (await site.pay()).at_path("compensation_no")
    assert number is not None
    assert site.keys() == ["k1", "k1", "k1"]
    assert await site.paid() == 1


async def test_a_write_that_fails_for_good_pays_once_when_it_comes_back(site: Site) -> None:
    """Hours later, from another process, under the same key."""
    site.service.faults.add(Fault(mode="error_after_commit", times=3))
    with pytest.raises(ToolUnavailable):
        await site.pay()
    assert await site.paid() == 1
    later = dataclasses.replace(site.door)
    await later.call("apply_compensation", PAY, lang="zh", at="t", effect=EFFECT)
    await later.call("apply_compensation", PAY, lang="zh", at="t", effect=EFFECT)
    assert await site.paid() == 1
    assert site.keys().count("k1") == 4


async def test_a_refusal_is_not_tried_again(site: Site) -> None:
    """The answer is no, and its code is kept."""
    with pytest.raises(ToolRefused) as error:
        await site.order("KL-999999")
    assert (error.value.code, len(site.keys())) == ("not_found", 1)


async def test_a_refused_write_may_be_made_with_other_arguments(site: Site) -> None:
    """Nothing was begun, so the key is free."""
    wrong = PAY | {"order_id": word("KL-901")}
    with pytest.raises(ToolRefused) as error:
        await site.door.call("apply_compensation", wrong, lang="zh", at="t", effect=EFFECT)
    assert error.value.code == "not_paid"
    await site.pay(dataclasses.replace(EFFECT, digest="d2"))
    assert await site.paid() == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"order_id": money("80")},
        {"order_id": Fact(type="integer", value=778)},
        {"order_id": Fact(type="record", value={})},
        {"orderid": word("KL-778")},
        {},
    ],
)
async def test_an_argument_that_does_not_fit_is_refused_before_anything_is_sent(
    site: Site, arguments: dict[str, Fact]
) -> None:
    """Money is no order number."""
    with pytest.raises((ToolRefused, TypeError)):
        await site.door.call("get_order", arguments, lang="zh", at="t", effect=None)
    assert site.keys() == []


async def test_money_of_another_type_never_becomes_an_amount(site: Site) -> None:
    """A bare number has no currency."""
    with pytest.raises(ToolRefused) as error:
        await site.door.call(
            "apply_compensation", PAY | {"amount": Fact(type="integer", value=80)}, lang="zh", at="t", effect=EFFECT
        )
    assert error.value.code == "bad_argument"
    assert site.keys() == []


async def test_after_five_failures_the_back_office_is_left_alone(site: Site, redis: Redis, keys: Keys) -> None:
    """For ten seconds nothing is asked, and no write counts as begun; then one success closes the breaker."""
    now = 1000.0
    site.door = dataclasses.replace(site.door, clock=lambda: now)
    site.service.faults.add(Fault(mode="down", times=6))
    for _ in range(2):
        with pytest.raises(ToolUnavailable):
            await site.order()
    assert len(site.keys()) == 6
    with pytest.raises(ToolUnavailable, match="left alone"):
        await site.pay()
    assert (len(site.keys()), await begun_in(redis, keys, "T")) == (6, None)
    now += 10.1
    await site.order()
    await site.pay()
    assert len(site.keys()) == 8


async def test_refusals_do_not_open_the_breaker(site: Site) -> None:
    """A back office that says no is well."""
    for _ in range(6):
        with pytest.raises(ToolRefused):
            await site.order("KL-999999")
    await site.order()
    assert len(site.keys()) == 7


@pytest.mark.parametrize("mode", ["down", "slow"])
async def test_a_write_without_keys_is_sent_once_and_then_in_doubt(site: Site, mode: str) -> None:
    """Never repeated blindly: not by the door, not by whoever comes later."""
    site.service.faults.add(Fault.model_validate({"mode": mode, "times": 1, "seconds": 1}))
    effect = dataclasses.replace(EFFECT, resend=False)
    for _ in range(2):
        with pytest.raises(ToolUnavailable) as error:
            await site.door.call("pay_without_key", {"order_id": word("KL-778")}, lang="zh", at="t", effect=effect)
        assert error.value.code == "in_doubt"
    assert len(site.keys()) == 1


@pytest.mark.parametrize("name", ["odd", "nothing"])
async def test_a_tool_that_gives_what_no_fact_can_hold_is_a_mistake_of_ours(site: Site, name: str) -> None:
    """A float has no place in the state."""
    with pytest.raises(TypeError):
        await site.door.call(name, {"order_id": word("KL-778")}, lang="zh", at="t", effect=None)


async def test_a_refusal_without_a_readable_reason_is_no_answer(site: Site) -> None:
    """A proxy's 404 page says nothing about the order."""
    async with asking(f"{site.service.url}/nowhere") as client:
        found = BackOffice(client)
        with pytest.raises((ToolUnavailable, ToolRefused)):
            await found.get("/x", Receipt)
    transport = httpx.MockTransport(lambda request: httpx.Response(404, text="<html>not here</html>"))
    async with httpx.AsyncClient(base_url="http://x", transport=transport) as client:
        with pytest.raises(ToolUnavailable) as error:
            await BackOffice(client).get("/x", Receipt)
    assert error.value.code == "nonsense"


async def test_a_request_has_what_its_client_was_given_and_nothing_of_earlier_answers() -> None:
    """The base URL with its path, the headers, the time limits and the key; a cookie is not sent back."""
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"error": "no receipt"}, headers={"Set-Cookie": "session=1"})

    given = {"Authorization": "Bearer t", "Accept": "application/json"}
    transport = httpx.MockTransport(answer)
    async with httpx.AsyncClient(base_url="http://x/api/", headers=given, timeout=3.5, transport=transport) as client:
        office = BackOffice(client)
        for key in ("one", "two"):
            with pytest.raises(ToolUnavailable):
                await office.post("/compensations", {"amount": "80"}, Receipt, key=key)
    first, second = asked
    assert (str(first.url), first.content) == ("http://x/api/compensations", b'{"amount":"80"}')
    assert (first.headers["Authorization"], first.headers["Content-Type"]) == ("Bearer t", "application/json")
    assert [each.headers["Idempotency-Key"] for each in asked] == ["one", "two"]
    assert (first.extensions["timeout"]["read"], second.headers.get("Cookie")) == (3.5, None)


@pytest.mark.parametrize("status", [408, 425, 429, 500, 503])
async def test_a_busy_back_office_is_asked_again_later(status: int) -> None:
    """Too many requests is no refusal."""
    transport = httpx.MockTransport(lambda request: httpx.Response(status, json={"error": {"code": "x"}}))
    async with httpx.AsyncClient(base_url="http://x", transport=transport) as client:
        with pytest.raises(ToolUnavailable) as error:
            await BackOffice(client).get("/x", Receipt)
    assert error.value.code == "down"


async def test_an_order_number_cannot_leave_its_place_in_the_path(site: Site) -> None:
    """Slashes and question marks in it are data."""
    with pytest.raises(ToolRefused):
        await site.order("KL-778/gateway-balance?x=1")
    assert [call.path for call in site.service.calls] == ["/orders/KL-778/gateway-balance?x=1"]
