"""Workers killed and stopped at every boundary in turn, and at random instants, while cases are under way."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from bot.settings import Role
from deploy.local.backoffice.faults import Fault
from graph.store.connect import connect
from tests.crash.fleet import Fleet, Nursery
from tests.crash.people import stories
from tests.crash.scene import Scene, scene
from tests.crash.traps import POINTS, Orders, Trap
from tests.crash.verdict import problems

CASES, TRAPS, BLIND = 6, 7, 3
CREWS: Final[tuple[tuple[Role, ...], ...]] = (
    ("all", "all"),
    ("all", "all", "all"),
    ("listen", "work", "work", "send", "send"),
)
RARE: Final = (
    *("script.revive", "script.park", "script.failed", "checkpoint.forget", "message.delete", "message.stream"),
    "case.give_up",  # no story has an event that is set aside
    "claim.take",  # no story is exclusive; tests/unit/graph/test_exclusive.py breaks off there
    *("case.archive", "case.bring_back"),
    "case.shelve",  # no story makes two requests; tests/unit/graph/test_queueing.py breaks off there
)
"""What only a person at the command line, a model, a defect, or a state that few crashes leave sets off."""


def traps(seed: int, dice: random.Random) -> list[Trap]:
    """Of each run its share: the runs go through all points in turn; how often a point is passed before varies."""
    points = [each for each in POINTS if not each.startswith(RARE)]
    chosen = [points[(seed * TRAPS + index) % len(points)] for index in range(TRAPS)]
    return [
        Trap(point=point, hit=dice.choice((1, 1, 2, 3)), deed=dice.choice(("kill", "kill", "kill", "stop")))
        for point in chosen
    ]


def mischief(world: Scene, dice: random.Random) -> None:
    """Answers that get lost after the work was done."""
    for _ in range(dice.randrange(3)):
        path = dice.choice(("/compensations", "/orders"))
        mode = dice.choice(("error_after_commit", "nonsense", "reset", "down"))
        world.backoffice.faults.add(Fault(mode=mode, path_prefix=path, method="POST"))
    if dice.random() < 0.3:
        # So long that cases wait for the back office, and their agents try again.
        world.backoffice.faults.add(Fault(mode="down", times=dice.randrange(6, 20)))
    for _ in range(dice.randrange(3)):
        world.workspace.faults.fail_after(dice.choice(("chat.postMessage", "chat.update")), status=dice.choice((500, None)))
    if dice.random() < 0.5:
        world.workspace.faults.rate_limit("chat.postMessage")


async def blindly(fleet: Fleet, dice: random.Random) -> None:
    """Kill somebody at random instants, or ask somebody to end."""
    for _ in range(BLIND):
        await asyncio.sleep(dice.uniform(0.2, 1.5))
        if fleet.processes:
            doomed = dice.choice(fleet.processes)
            dice.choice((doomed.kill, doomed.terminate))()


@pytest.mark.timeout(300)
async def test_killed(
    together: tuple[int, ...],
    young: Nursery,
    own_redis: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """Whoever is killed or stopped when: each case is paid once and over, each card posted once, nothing is left."""
    runs = await asyncio.gather(*(one_run(seed, young, own_redis, tmp_path) for seed in together))
    for fleet, _ in runs:
        record_property("failpoints", fleet.closed)
        record_property("deaths", fleet.deaths)
        record_property("stops", fleet.stops)
    assert not [told for _, told in runs if told]


async def one_run(seed: int, young: Nursery, redis_url: str, directory: Path) -> tuple[Fleet, str]:
    """What one seed makes of a world of its own; what is wrong in the end, or nothing."""
    dice = random.Random(seed)
    cases = list(stories(dice, CASES))
    async with scene(redis_url, directory, random.Random(seed + 1)) as world, connect(redis_url) as redis:
        fleet = Fleet(young, Orders(name=f"s{seed}", where=world.where), traps(seed, dice))
        crews = dice.choice(CREWS)
        mischief(world, dice)
        try:
            await fleet.launch(*crews)
            killing = asyncio.create_task(blindly(fleet, dice))
            played = await asyncio.gather(*(each.play(world) for each in cases), return_exceptions=True)
            await killing
            await fleet.rest()
            wrong = [f"{type(each).__name__}: {each}" for each in played if each is not None]
            wrong += await problems(world, redis, cases)
        finally:
            await fleet.close()
    wrong += fleet.failures
    told = f"seed {seed} (repeat it with --crash-seed={seed}): {'; '.join(wrong)}; closed: {fleet.closed}"
    return fleet, told if wrong else ""
