"""A desk that has been at work for long: thousands of cases, made by copying a real one."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Final

from langgraph.checkpoint.base import Checkpoint
from langgraph.checkpoint.base.id import uuid6

from graph.model import JsonValue
from graph.projection import row_of
from graph.records import config_of
from graph.state import Channels, RunState
from tests.bench.variants import EngineVariant, Parts, new_order, opening, said

_OPEN_EVERY: Final = 10
"""One case in so many is open and has a checkpoint; the others have ended and have a record."""
_AGENTS: Final = 50
_AT_ONCE: Final = 16
_EXAMPLE: Final = "T0LOCAL:C0DESK:1700000000.000000"
_THEN: Final = datetime(2026, 1, 1, tzinfo=UTC)


async def fill(parts: Parts, cases: int) -> None:
    """Write so many cases through the stores."""
    engine = EngineVariant(parts.runner, parts.leases)
    await engine.advance(said(_EXAMPLE, 0, opening("t1", new_order())))
    found = await parts.saver.aget_tuple(config_of(_EXAMPLE))
    if found is None:
        raise RuntimeError("the example left no checkpoint")
    example, numbers = found.checkpoint, iter(range(cases))

    async def write() -> None:
        for number in numbers:
            await _copy(parts, example, number)

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(write())


async def _copy(parts: Parts, example: Checkpoint, number: int) -> None:
    """One more case of one of the agents, told as if it had been opened long ago."""
    run = RunState.load(Channels(run=example["channel_values"]["run"]))
    agent = run.owner.model_copy(update={"id": f"U{number % _AGENTS:04d}"})
    run = run.model_copy(
        update={
            "run": f"{number:032x}",
            "case": f"C-OLD{number}",
            "thread": f"T0LOCAL:C0DESK:{1700000001 + number}.000000",
            "opener": agent,
            "owner": agent,
            "updated_at": (_THEN + timedelta(minutes=number)).isoformat(),
        }
    )
    is_open = number % _OPEN_EVERY == 0
    state: dict[str, JsonValue] | None = None
    if is_open:
        checkpoint = example.copy()
        checkpoint |= {"id": str(uuid6()), "channel_values": dict(run.dump())}
        config = config_of(run.thread, 0)
        config["configurable"]["checkpoint_ns"] = ""
        await parts.saver.aput(config, checkpoint, {"source": "loop", "step": 1, "parents": {}}, {})
    else:
        run.status, run.request = "done", None
        state = run.dump()["run"]
    await parts.cases.claim(run.case, run.run)
    row = row_of(run, parts.runner.engine)
    await parts.cases.save(row, agent.id, agent.id, state, fence=0)
