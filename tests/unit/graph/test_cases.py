"""The records of cases."""

from __future__ import annotations

from datetime import timedelta

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from graph.errors import ThreadBusy
from graph.model import CaseRow, Headline, Status, Text
from graph.store.cases import Cases
from graph.store.keys import Keys
from graph.store.lease import Leases
from tests.unit.graph.builders import START


def row(case: str, *, thread: str = "T", status: Status = "waiting", minute: int = 0) -> CaseRow:
    """A line of a case."""
    title = Headline(amount="80.00 USD", way=None, title=Text(zh="补偿", en="compensation"))
    at = (START + timedelta(minutes=minute)).isoformat()
    return CaseRow(case=case, thread=thread, status=status, headline=title, updated_at=at)


@pytest_asyncio.fixture
async def cases(redis: Redis, keys: Keys) -> Cases:
    """Records of its own."""
    return Cases(redis, keys)


async def test_an_id_belongs_to_one_run(cases: Cases) -> None:
    """Which may claim it again."""
    assert await cases.claim("C-1", "r1")
    assert await cases.claim("C-1", "r1")
    assert not await cases.claim("C-1", "r2")


async def test_an_id_of_which_no_case_came_is_given_back(cases: Cases) -> None:
    """By its own run, and not once there is a record."""
    await cases.claim("C-1", "r1")
    await cases.release("C-1", "r2")
    assert not await cases.claim("C-1", "r2")
    await cases.release("C-1", "r1")
    assert await cases.claim("C-1", "r2")
    await cases.save(row("C-1"), "U1", "U1", None, fence=0)
    await cases.release("C-1", "r2")
    assert await cases.load("C-1") is not None


async def test_an_open_case_is_a_row_and_an_ended_one_its_whole_state(cases: Cases, redis: Redis, keys: Keys) -> None:
    """Found by id and as the latest of its thread; open ones are in one set."""
    assert await cases.load("C-1") is None
    assert await cases.latest("T") is None
    await cases.save(row("C-1"), "U1", "U1", None, fence=0)
    found = await cases.load("C-1")
    assert found is not None
    assert (found.row, found.state) == (row("C-1"), None)
    assert await redis.smembers(keys.open()) == {"C-1"}
    await cases.save(row("C-1", status="done"), "U1", "U1", {"run": "r1", "text": "话"}, fence=0)
    latest = await cases.latest("T")
    assert latest is not None
    assert (latest.row.status, latest.state) == ("done", {"run": "r1", "text": "话"})
    assert await redis.smembers(keys.open()) == set()


async def test_a_claimed_id_without_a_record_is_no_case(cases: Cases) -> None:
    """Its run has not come to its first pause."""
    await cases.claim("C-1", "r1")
    assert await cases.load("C-1") is None


async def test_a_person_has_the_cases_opened_and_owned_open_ones_first(cases: Cases) -> None:
    """Then those that changed last; no more than asked for."""
    await cases.save(row("C-1", minute=1), "U1", "U1", None, fence=0)
    for number in range(2, 6):
        await cases.save(row(f"C-{number}", thread=f"T{number}", status="done", minute=number), "U1", "U2", {}, fence=0)
    assert [each.case for each in await cases.of("U1", 3)] == ["C-1", "C-5", "C-4"]
    assert [each.case for each in await cases.of("U2", 9)] == ["C-5", "C-4", "C-3", "C-2"]
    assert await cases.of("U3", 9) == []


async def test_a_late_worker_keeps_nothing(cases: Cases, redis: Redis, keys: Keys) -> None:
    """What the newer one recorded stays."""
    lease = await Leases(redis, keys).take("T", "quick", 15)
    assert lease is not None
    await cases.save(row("C-1"), "U1", "U1", None, fence=lease.fence)
    with pytest.raises(ThreadBusy):
        await cases.save(row("C-2", status="done"), "U1", "U1", {}, fence=lease.fence - 1)
    latest = await cases.latest("T")
    assert latest is not None
    assert latest.row.case == "C-1"
    assert await cases.load("C-2") is None
