"""Three working processes, many threads at once, two of the three killed during the run."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from bot.settings import Role
from graph.store.connect import connect
from tests.crash.fleet import Nursery
from tests.crash.people import Story, stories
from tests.crash.scene import scene
from tests.crash.traps import Orders
from tests.crash.verdict import problems


@pytest.mark.timeout(600)
async def test_two_of_three_killed(many: int, young: Nursery, own_redis: str, tmp_path: Path) -> None:
    """All cases finish with exactly one payout each, though only one worker is left."""
    cases = list(stories(random.Random(many), many))
    async with scene(own_redis, tmp_path) as world:
        roles: tuple[Role, ...] = ("listen", "work", "work", "work", "send")
        started = [await young.start(Orders(name=role, where=world.where, role=role)) for role in roles]
        playing = [asyncio.create_task(each.play(world)) for each in cases]
        for doomed, after in zip(started[1:3], (many // 2, many * 2), strict=True):
            await world.board.filled(after)
            doomed.kill()
            await doomed.until("ended")
        wrong = await finished(playing, cases)
        async with connect(own_redis) as redis:
            wrong += await problems(world, redis, cases)
        for process in started:
            process.kill()
        assert wrong == []


async def finished(playing: list[asyncio.Task[None]], cases: list[Story]) -> list[str]:
    """Wait for the people; who did not come to an end."""
    ended = await asyncio.gather(*playing, return_exceptions=True)
    return [
        f"{case.kind} {case.case}: {type(error).__name__}: {error}"
        for case, error in zip(cases, ended, strict=True)
        if error is not None
    ]
