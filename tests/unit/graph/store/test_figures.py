"""Figures by week: each case is counted once, when it ends."""

from __future__ import annotations

from datetime import UTC, datetime

from redis.asyncio import Redis

from graph.model import CaseRow, Headline, Status, Text
from graph.store.cases import Cases
from graph.store.figures import Figure, Figures, week_of
from graph.store.keys import Keys

NOW = datetime(2027, 1, 2, tzinfo=UTC)


def row(case: str, at: str, status: Status = "done", *, sop: str = "compensation", person: bool = False) -> CaseRow:
    """The record of a case."""
    return CaseRow(
        case=case,
        thread=case,
        status=status,
        headline=Headline(amount=None, way=None, title=Text(zh="补偿", en="compensation")),
        updated_at=at,
        sop=sop,
        needed_person=person,
    )


async def test_each_case_counts_once_in_the_week_it_ended(redis: Redis, keys: Keys) -> None:
    """An open one not at all; one saved again after a crash not again; by procedure, the newest week first."""
    cases = Cases(redis, keys)
    for case, at, person in (("C-1", "2026-12-31", True), ("C-2", "2027-01-01", False), ("C-3", "2026-12-23", False)):
        for status in ("waiting", "done", "done"):
            made = row(case, f"{at}T10:00:00+00:00", status, person=person)
            await cases.save(made, "U1", "U1", None if status == "waiting" else {}, fence=0)
    await cases.save(row("C-4", "2027-01-01T10:00:00+00:00", "stopped", sop="refund"), "U1", "U1", {}, fence=0)
    await cases.save(row("C-5", "2027-01-01T10:00:00+00:00", "waiting", sop="refund"), "U1", "U1", None, fence=0)
    found = await Figures(redis, keys).of(NOW, 3)
    assert found == [
        Figure(week="2026-W53", sop="compensation", ended=2, needed_person=1),
        Figure(week="2026-W53", sop="refund", ended=1, needed_person=0),
        Figure(week="2026-W52", sop="compensation", ended=1, needed_person=0),
    ]
    assert [each.share for each in found] == [0.5, 0.0, 0.0]
    assert week_of(NOW) == "2026-W53"
    assert await Figures(redis, keys).of(NOW) == found[:2]
