"""One running desk for each file of tests; each test takes an order of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import cycle

import pytest
import pytest_asyncio

from deploy.local.backoffice.seed import seed_orders
from deploy.local.redis_server import RedisServer
from tests.parts.desk import LiveDesk, live_desk


@pytest_asyncio.fixture(scope="module")
async def desk(redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveDesk]:
    """A desk without a model, on the session's Redis."""
    async with live_desk(redis_server.url, tmp_path_factory.mktemp("desk"), tool_timeout=1.0) as running:
        yield running


@pytest.fixture(autouse=True)
def well_behaved(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test has broken in the file's desk is mended for the next."""
    yield
    if "desk" in request.fixturenames:
        running = request.getfixturevalue("desk")
        assert isinstance(running, LiveDesk)
        running.workspace.faults.clear()
        running.backoffice.faults.clear()
        for user in running.workspace.world.users:
            running.workspace.forms.clear(user)


@pytest.fixture(scope="session")
def paid_orders() -> Iterator[str]:
    """Orders that may be compensated and whose whole amount can go back through the gateway."""
    fit = [
        each.order_id
        for each in seed_orders()
        if each.payment_status == "paid"
        and each.fraud_status == "pass"
        and each.gateway_minor == each.amount_minor
        and each.order_id.startswith("KL-1")
    ]
    return cycle(fit)


@pytest.fixture
def order(paid_orders: Iterator[str]) -> str:
    """An order that no other test of the file uses; a payout of up to its price needs no account."""
    return next(paid_orders)
