"""A worker is stopped before an effect, another takes over and goes on, the first is woken: it changes nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest

from bot.settings import Role
from graph.store.connect import connect
from tests.crash.fleet import Nursery
from tests.crash.people import Kind, story
from tests.crash.scene import scene
from tests.crash.traps import Orders, Trap
from tests.crash.verdict import problems, records

POINTS: Final[tuple[tuple[str, Kind], ...]] = (
    ("journal.begin:before", "t6"),
    ("backoffice.write:before", "t6"),
    ("backoffice.write:after", "t6"),
    ("checkpoint.write:before", "t1"),
    ("case.release:before", "t5"),
    ("case.save:before", "t6"),
    ("script.finish:before", "t1"),
    ("message.post:before", "t6"),
    ("message.post:after", "t6"),
    ("message.edit:before", "t1"),
    ("message.edit:after", "t1"),
)


async def test_woken_too_late_and_killed_before_it_can_tell(young: Nursery, own_redis: str, tmp_path: Path) -> None:
    """The sleeper's late post goes out, and it dies before it has recorded it: what it posted is found and taken back."""
    case = story("t1")
    async with scene(own_redis, tmp_path) as world, connect(own_redis) as redis:
        orders = Orders(name="awake", where=world.where)
        roles: tuple[Role, ...] = ("listen", "work")
        awake = [await young.start(orders.model_copy(update={"role": role})) for role in roles]
        traps = (Trap(point="message.post:before", hit=2, deed="stop"), Trap(point="message.post:after", hit=2))
        sleeper = await young.start(Orders(name="sleeper", where=world.where, role="send", traps=traps))
        playing = asyncio.create_task(case.play(world))
        await sleeper.until("stopped")
        awake.append(await young.start(orders.model_copy(update={"role": "send"})))
        await world.board.filled(2)
        sleeper.wake()
        await sleeper.until("ended")
        assert sleeper.trapped == "message.post:after"
        assert any(len(posts) == 2 for posts in world.board.posts.values())
        await playing
        assert await problems(world, redis, [case]) == []
        for process in awake:
            process.kill()
            await process.until("ended")


@pytest.mark.parametrize("some", [POINTS[at::3] for at in range(3)], ids=("first", "second", "third"))
async def test_woken_too_late(
    some: tuple[tuple[str, Kind], ...], young: Nursery, own_redis: str, tmp_path: Path
) -> None:
    """Another finishes the case; what the sleeper does on waking is refused, is the same effect again, or is put right.
    Some worlds side by side, since most of it is waiting."""
    found = await asyncio.gather(*(woken_at(point, kind, young, own_redis, tmp_path) for point, kind in some))
    assert {point: wrong for (point, _), wrong in zip(some, found, strict=True) if wrong} == {}


async def woken_at(point: str, kind: Kind, young: Nursery, redis_url: str, directory: Path) -> list[str]:
    """What is wrong once whoever slept at this point has woken."""
    case = story(kind)
    busy: Role = "send" if point.startswith(("message", "script.settle_notice")) else "work"
    others: tuple[Role, ...] = ("listen", "work" if busy == "send" else "send")
    async with scene(redis_url, directory) as world, connect(redis_url) as redis:
        orders = Orders(name="awake", where=world.where)
        awake = [await young.start(orders.model_copy(update={"role": role})) for role in others]
        trap = Trap(point=point, deed="stop")
        sleeper = await young.start(Orders(name="sleeper", where=world.where, role=busy, traps=(trap,)))
        playing = asyncio.create_task(case.play(world))
        await sleeper.until("stopped")
        awake.append(await young.start(orders.model_copy(update={"role": busy})))
        await playing
        wrong = await problems(world, redis, [case])
        before = await records(world, redis)
        sleeper.wake()
        sleeper.terminate()
        await sleeper.until("ended")
        wrong += [] if sleeper.status == 0 else [f"the sleeper ended with {sleeper.status}"]
        wrong += await problems(world, redis, [case])
        after = await records(world, redis)
        wrong += [f"{key} has changed" for key in before | after if before.get(key) != after.get(key)]
        for process in awake:
            process.kill()
            await process.until("ended")
    return wrong
