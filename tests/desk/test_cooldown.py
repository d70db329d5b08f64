"""A worker that dies while a case rests: the next query is made once, at its time."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from deploy.local.redis_server import RedisServer
from graph.model import RequestView
from tests.parts.desk import PATIENCE, LiveDesk, live_desk

SAID = "@sopdesk KL-1001 客人 CU000005 的 62 美元退款没到账"
QUERY = "/channels/alipay/refunds/RF202609010001"


def queries(desk: LiveDesk) -> int:
    """How often the channel was asked."""
    return sum(call.path == QUERY for call in desk.backoffice.calls)


async def resting(desk: LiveDesk, thread: str, before: str = "") -> RequestView:
    """The request with which the case rests, once it is another than before."""
    async with asyncio.timeout(PATIENCE):
        while True:
            view = await desk.view(thread)
            request = view.open_request() if view else None
            if request is not None and request.kind == "wait" and request.id != before:
                return request
            await asyncio.sleep(0.05)


async def test_a_worker_that_dies_in_a_cooldown_neither_loses_nor_doubles_the_query(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    """The clock is Redis's: due two minutes after the query; whoever runs then asks, once."""
    async with live_desk(redis_server.url, tmp_path) as desk:
        thread = await desk.workspace.say("U0LI", "C0DESK", SAID)
        first = await resting(desk, thread)
        assert queries(desk) == 1 and desk.service is not None
        parts, task = desk.service.parts, desk._serving
        members = [str(each) for each in await parts.redis.zrange(parts.keys.timers(), 0, -1)]
        [member] = [each for each in members if each.startswith("t:")]
        due = float(str(await parts.redis.zscore(parts.keys.timers(), member)))
        wanted = datetime.fromisoformat(first.made_at) + timedelta(minutes=2)
        assert abs(datetime.fromtimestamp(due / 1000, tz=UTC) - wanted) < timedelta(seconds=2)
        assert task is not None
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        desk._serving = desk.service = None
        await desk.start()
        again = desk.service
        assert again is not None
        keys = again.parts.keys
        await again.parts.redis.zadd(keys.timers(), {member: 1})
        await again.parts.redis.rpush(keys.alarm(), "1")
        await resting(desk, thread, first.id)
        assert queries(desk) == 2
        await again.clock.fire()
        await asyncio.sleep(0.2)
        assert queries(desk) == 2
