"""A worker is killed while a case rests between two queries of a channel: the next one is made once, at its time."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import httpx
from redis.asyncio import Redis

from graph.store.audit import Audit
from graph.store.connect import connect
from graph.store.keys import Keys
from tests.crash.fleet import Nursery
from tests.crash.scene import PATIENCE, Scene, scene
from tests.crash.traps import Orders, Trap
from tests.desk.procedures import shipped

SAID: Final = "@sopdesk KL-1001 客人 CU000005 的 62 美元退款没到账"
QUERY: Final = "/channels/alipay/refunds/RF202609010001"
LATE: Final = timedelta(seconds=20)
"""Each killed worker's case is taken over after half a second of silence, by a process that has to start."""


def hurried(directory: Path) -> Path:
    """The shipped files, with a channel that may be asked again after two seconds."""
    directory.mkdir()
    procedure = shipped(directory) / "refund_arrival.yaml"
    written = procedure.read_text(encoding="utf-8")
    assert written.count("cooldown: 2m") == 1
    procedure.write_text(written.replace("cooldown: 2m", "cooldown: 2s"), encoding="utf-8")
    return directory


async def due(redis: Redis, keys: Keys, step: str) -> datetime:
    """When the one clock of the case goes off, once it rests at `step`."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for member in map(str, await redis.zrange(keys.timers(), 0, -1)):
                at = await redis.zscore(keys.timers(), member)
                if at is not None and member.startswith("t:") and f"/{step}/" in member:
                    return datetime.fromtimestamp(float(str(at)) / 1000, tz=UTC)
            await asyncio.sleep(0.02)


def queries(world: Scene) -> list[datetime]:
    """When the channel was asked."""
    return [call.at for call in world.backoffice.calls if call.path == QUERY]


async def counted(redis: Redis, keys: Keys) -> int:
    """How many queries of the channel the audit log of the one case holds."""
    [case] = [str(each) for each in await redis.smembers(keys.open())]
    lines = [each.line for each in await Audit(redis, keys).of(case)]
    return sum(line.log == "execution" and line.tool == "query_channel_refund_status" for line in lines)


async def test_the_query_after_a_cooldown_is_made_once_at_its_time(
    young: Nursery, own_redis: str, tmp_path: Path
) -> None:
    """One worker is killed in the rest, the next when the clock has gone off, the next right before it asks; the fourth
    asks, once."""
    async with scene(own_redis, tmp_path) as world, connect(own_redis) as redis:
        keys = Keys(world.where.namespace)
        where = world.where.model_copy(update={"sops": hurried(tmp_path / "sops")})
        orders = Orders(name="worker", where=where, role="work", takeover=0.5)
        listener = await young.start(Orders(name="listener", where=world.where, role="listen"))
        first = await young.start(orders)
        await world.workspace.say("U0LI", "C0DESK", SAID)
        wanted = await due(redis, keys, "waiting_payment")
        first.kill()
        await first.until("ended")
        assert len(queries(world)) == 1
        async with httpx.AsyncClient(base_url=world.backoffice.url) as client:
            (await client.post("/switch/channels/alipay", json={"behaviour": "success"})).raise_for_status()
        for point in ("script.next_event:before", "backoffice.read:before"):
            doomed = await young.start(orders.model_copy(update={"traps": (Trap(point=point),)}))
            await doomed.until("ended")
            assert doomed.trapped == point
        assert len(queries(world)) == 1
        heir = await young.start(orders)
        await due(redis, keys, "expected")
        [_, asked] = queries(world)
        assert wanted <= asked < wanted + LATE
        assert await counted(redis, keys) == 2
        for process in (listener, heir):
            process.kill()
            await process.until("ended")
