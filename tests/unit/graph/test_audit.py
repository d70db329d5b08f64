"""The audit stream."""

from __future__ import annotations

from redis.asyncio import Redis

from graph.store.audit import Audit
from graph.store.keys import Keys


async def test_lines_of_one_case_come_in_order_without_what_is_empty(redis: Redis, keys: Keys) -> None:
    """Other cases are left out."""
    audit = Audit(redis, keys)
    await audit.note("C-1", {"event": "e1", "refused": "not_listed", "verdict": ""})
    await audit.note("C-2", {"event": "e2"})
    await audit.note("C-1", {"event": "e3", "verdict": "approve"})
    assert await audit.of("C-1") == [
        {"case": "C-1", "event": "e1", "refused": "not_listed"},
        {"case": "C-1", "event": "e3", "verdict": "approve"},
    ]
    assert await audit.of("C-3") == []


async def test_what_a_crash_made_stand_twice_is_given_once(redis: Redis, keys: Keys) -> None:
    """The same event is noted again when it is delivered again."""
    audit = Audit(redis, keys)
    for _ in range(2):
        await audit.note("C-1", {"event": "e1", "verdict": "approve"})
    assert await audit.of("C-1") == [{"case": "C-1", "event": "e1", "verdict": "approve"}]
