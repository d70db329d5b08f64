"""Checkpoints in Redis: every state comes back as it was, and only whoever holds the thread writes one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, empty_checkpoint
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.errors import ThreadBusy
from graph.records import config_of
from graph.state import RunState
from graph.store.checkpoint import Checkpoints
from graph.store.keys import Keys
from graph.store.lease import Leases
from tests.unit.graph.runs import RUNS


@pytest_asyncio.fixture
async def saver(redis_server: RedisServer, keys: Keys) -> AsyncIterator[Checkpoints]:
    """A saver in a namespace of its own."""
    opened = Checkpoints(redis_server.url, keys.prefix)
    await opened.prepare()
    yield opened
    await opened.close()


def checkpoint(run: object) -> Checkpoint:
    """A checkpoint that holds this run."""
    return empty_checkpoint() | {"channel_values": {"run": run}}


async def put(saver: Checkpoints, thread: str, run: object, fence: int, after: str | None = None) -> str:
    """Write a checkpoint as LangGraph does; gives its id. `after` is the one that was loaded."""
    config = config_of(thread, fence)
    config["configurable"] |= {"checkpoint_ns": ""} | ({"checkpoint_id": after} if after else {})
    saved = await saver.aput(config, checkpoint(run), {"source": "loop", "step": 1, "parents": {}}, {})
    return str(saved["configurable"]["checkpoint_id"])


async def got(saver: Checkpoints, thread: str) -> object:
    """The run in the thread's latest checkpoint."""
    found = await saver.aget_tuple(config_of(thread))
    return None if found is None else found.checkpoint["channel_values"]["run"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(run=RUNS)
async def test_any_run_comes_back_as_it_was(saver: Checkpoints, run: RunState) -> None:
    """Odd characters, exact amounts, big numbers, nested records: nothing is bent on the way."""
    run.worded = False  # a run that is over is not written
    await saver.forget("T", 0)
    await put(saver, "T", run.dump()["run"], 0)
    assert RunState.load({"run": await got(saver, "T")}) == run  # type: ignore[typeddict-item]  # as the saver gives it


async def test_a_late_worker_writes_nothing(saver: Checkpoints, redis: Redis, keys: Keys) -> None:
    """Once somebody else has the thread, a checkpoint under the old fence is refused, and the new one stays."""
    leases = Leases(redis, keys)
    old = await leases.take("T", "slow", 15)
    assert old is not None
    first = await put(saver, "T", {"n": 1}, old.fence)
    await leases.release(old)
    new = await leases.take("T", "quick", 15)
    assert new is not None
    await put(saver, "T", {"n": 2}, new.fence, after=first)
    with pytest.raises(ThreadBusy):
        await put(saver, "T", {"n": 3}, old.fence, after=first)
    with pytest.raises(ThreadBusy):
        await saver.aput_writes(pending(first, old.fence), [("run", {"n": 3})], "task")
    with pytest.raises(ThreadBusy):
        await saver.forget("T", old.fence)
    assert await got(saver, "T") == {"n": 2}


def pending(checkpoint_id: str, fence: int) -> RunnableConfig:
    """A config by which pending writes are put."""
    return {"configurable": {"thread_id": "T", "checkpoint_ns": "", "checkpoint_id": checkpoint_id, "fence": fence}}


async def test_what_a_late_worker_tried_to_write_leaves_nothing_behind(
    saver: Checkpoints, redis: Redis, keys: Keys
) -> None:
    """Checkpoint, pointer and pending writes are one script each: refused, they are as if never sent."""
    leases = Leases(redis, keys)
    old = await leases.take("T", "slow", 15)
    assert old is not None
    first = await put(saver, "T", {"n": 1}, old.fence)
    await leases.release(old)
    assert await leases.take("T", "quick", 15) is not None
    before = {key async for key in redis.scan_iter(match=f"*{keys.prefix}*", count=1000)}
    with pytest.raises(ThreadBusy):
        await put(saver, "T", {"n": 3}, old.fence, after=first)
    with pytest.raises(ThreadBusy):
        await saver.aput_writes(pending(first, old.fence), [("run", {"n": 3})], "task")
    assert {key async for key in redis.scan_iter(match=f"*{keys.prefix}*", count=1000)} == before
    assert await got(saver, "T") == {"n": 1}


async def test_only_the_latest_checkpoint_is_kept(saver: Checkpoints, redis: Redis) -> None:
    """A run that pauses often takes up no more than one that pauses once; what is pending after the latest stays."""
    first = await put(saver, "T", {"n": 1}, 0)
    await saver.aput_writes(pending(first, 0), [("run", {"n": 2})], "task")
    second = await put(saver, "T", {"n": 2}, 0, after=first)
    await saver.aput_writes(pending(second, 0), [("run", {"n": 3})], "task")
    assert [key async for key in redis.scan_iter(match=f"*{first}*", count=1000)] == []
    found = await saver.aget_tuple(config_of("T"))
    assert found is not None
    assert found.pending_writes == [("task", "run", {"n": 3})]


async def test_what_was_looked_at_is_given_to_its_fence_alone(saver: Checkpoints) -> None:
    """Whoever looked is spared a second reading, once; another fence reads anew."""
    first = await put(saver, "T", {"n": 1}, 0)
    await saver.look("T", 0, "e1")
    await put(saver, "T", {"n": 2}, 0, after=first)
    found = await saver.aget_tuple(config_of("T", 7))
    assert found is not None
    assert found.checkpoint["channel_values"] == {"run": {"n": 2}}


async def test_a_run_that_is_over_is_not_written(saver: Checkpoints, redis: Redis, keys: Keys) -> None:
    """Its record is what is kept of it; the last pause stays until that is written."""
    first = await put(saver, "T", {"n": 1}, 0)
    await put(saver, "T", {"n": 2, "worded": True}, 0, after=first)
    assert await got(saver, "T") == {"n": 1}


async def test_the_pointer_moves_only_from_what_was_loaded(saver: Checkpoints) -> None:
    """Two that loaded the same checkpoint cannot both go on from it."""
    first = await put(saver, "T", {"n": 1}, 0)
    await put(saver, "T", {"n": 2}, 0, after=first)
    with pytest.raises(ThreadBusy):
        await put(saver, "T", {"n": 3}, 0, after=first)
    with pytest.raises(ThreadBusy):
        await put(saver, "T", {"n": 4}, 0)
    assert await got(saver, "T") == {"n": 2}


async def test_forgetting_leaves_nothing_of_a_thread_and_all_of_others(
    saver: Checkpoints, redis: Redis, keys: Keys
) -> None:
    """Checkpoints, pending writes and pointers go; a thread whose name differs in case stays."""
    first = await put(saver, "T", {"n": 1}, 0)
    await saver.aput_writes(pending(first, 0), [("run", {"n": 2})], "task")
    await put(saver, "t", {"n": 9}, 0)
    await saver.forget("T", 0)
    assert await got(saver, "T") is None
    assert await got(saver, "t") == {"n": 9}
    left = [key async for key in redis.scan_iter(match=f"*{first}*", count=1000)]
    assert left == []
    await saver.forget("T", 0)


async def test_several_may_prepare_at_once(redis_server: RedisServer, keys: Keys) -> None:
    """Processes that start together make the indexes together."""
    savers = [Checkpoints(redis_server.url, keys.prefix) for _ in range(6)]
    try:
        await asyncio.gather(*(each.prepare() for each in savers))
        await put(savers[0], "T", {"n": 1}, 0)
        assert await got(savers[5], "T") == {"n": 1}
    finally:
        for each in savers:
            await each.close()
