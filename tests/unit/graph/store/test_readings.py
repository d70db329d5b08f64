"""What a model read is read once for each event."""

from __future__ import annotations

from redis.asyncio import Redis

from graph.store.keys import Keys
from graph.store.readings import Readings


async def test_a_reading_is_kept_for_its_event_and_place(redis: Redis, keys: Keys) -> None:
    """The same event at the same place gives what was read; another event or place gives nothing."""
    readings = Readings(redis, keys)
    assert await readings.recall("e1", "plan") is None
    await readings.keep("e1", "plan", {"mode": "sop", "fields": ["订单"]})
    assert await readings.recall("e1", "plan") == {"mode": "sop", "fields": ["订单"]}
    assert await readings.recall("e1", "amount") is None
    assert await readings.recall("e2", "plan") is None
    assert 0 < await redis.ttl(keys.reading("e1", "plan")) <= 7 * 86400
