"""The servers fail: Redis is killed and comes back, another Redis takes its place, answers get lost after the deed."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.settings import Role
from deploy.local.backoffice.faults import Fault, Mode
from deploy.local.redis_server import AppendFsync, RedisServer
from graph.store.connect import connect
from tests.crash.fleet import Fleet, Nursery
from tests.crash.people import Story, stories, story
from tests.crash.scene import Scene, scene
from tests.crash.traps import Orders
from tests.crash.verdict import problems
from tests.parts.sentinels import answers, follow, promoted, sentinel, until, watched_replicas

CASES = 6


async def played(world: Scene, url: str, cases: list[Story]) -> list[str]:
    """Let the people act; what is wrong in the end."""
    ended = await asyncio.gather(*(each.play(world) for each in cases), return_exceptions=True)
    wrong = [f"{type(each).__name__}: {each}" for each in ended if each is not None]
    async with connect(url) as redis:
        return wrong + await problems(world, redis, cases)


@pytest.mark.parametrize("fsync", ["everysec", "always"])
async def test_redis_killed(fsync: AppendFsync, young: Nursery, tmp_path: Path) -> None:
    """Redis is killed in the middle of cases and started again: nothing that was confirmed is missing, nothing is paid
    twice, and the processes go on by themselves."""
    cases = list(stories(random.Random(7), CASES))
    async with RedisServer(tmp_path / "redis", appendfsync=fsync) as server, scene(server.url, tmp_path) as world:
        fleet = Fleet(young, Orders(name="redis", where=world.where))
        await fleet.launch("all", "all")
        playing = asyncio.create_task(played(world, server.url, cases))
        for after in (4, 12):
            await world.board.filled(after)
            server.kill()
            await server.start()
        assert await playing == []
        await fleet.close()
        assert fleet.failures == []
        assert fleet.deaths == 0


async def test_failover(young: Nursery, tmp_path: Path) -> None:
    """The primary dies in the middle of cases; Sentinel makes the replica primary, and the desk follows."""
    cases = list(stories(random.Random(8), CASES))
    async with RedisServer(tmp_path / "one") as one, RedisServer(tmp_path / "two") as two:
        host, port = await follow(one, two)
        await careful(one, two)
        async with sentinel(tmp_path, host, port) as watching:
            await until(lambda: watched_replicas(watching))
            async with connect(one.url) as first:
                # It counts its replicas once a second.
                await until(lambda: answers(first.set("ready", "1")))
            at = watching.connection_pool.connection_kwargs["port"]
            url = f"redis+sentinel://127.0.0.1:{at}/desk/0"
            async with scene(url, tmp_path) as world:
                fleet = Fleet(young, Orders(name="failover", where=world.where))
                await fleet.launch("all", "all")
                playing = asyncio.create_task(played(world, url, cases))
                await world.board.filled(6)
                one.kill()
                await until(lambda: promoted(two))
                # It takes writes once the old primary has come back as its replica.
                await one.start()
                await careful(one)
                assert await playing == []
                await fleet.close()
                assert fleet.failures == []


async def careful(*servers: RedisServer) -> None:
    """Nothing is confirmed that only one server has; a replica is served at once."""
    for server in servers:
        async with Redis.from_url(server.url) as client:
            await client.config_set("min-replicas-to-write", "1")
            await client.config_set("repl-diskless-sync-delay", "0")


@pytest.mark.parametrize("mode", ["error_after_commit", "nonsense", "wrong_types", "reset", "slow"])
async def test_back_office_answers_wrongly(mode: Mode, young: Nursery, own_redis: str, tmp_path: Path) -> None:
    """The back office pays, and its answer is a 500, is nonsense, or never comes: asked again, it has paid once."""
    case = story("t6")
    async with scene(own_redis, tmp_path) as world:
        world.backoffice.faults.add(Fault(mode=mode, path_prefix="/compensations", method="POST", seconds=3.0))
        fleet = Fleet(young, Orders(name="office", where=world.where))
        await fleet.launch("all")
        assert await played(world, own_redis, [case]) == []
        await fleet.close()


@pytest.mark.parametrize("status", [500, None])
async def test_slack_answers_wrongly(status: int | None, young: Nursery, own_redis: str, tmp_path: Path) -> None:
    """Each post is made, and each first answer is an error or a cut line: every card stands once."""
    case = story("t1")
    async with scene(own_redis, tmp_path) as world:
        world.workspace.faults.fail_after("chat.postMessage", calls=4, status=status)
        fleet = Fleet(young, Orders(name="slack", where=world.where))
        await fleet.launch("all")
        assert await played(world, own_redis, [case]) == []
        await fleet.close()


async def test_eight_at_once(young: Nursery, own_redis: str, tmp_path: Path) -> None:
    """Eight processes start on an empty Redis at the same moment: each serves, none fails."""
    async with scene(own_redis, tmp_path) as world:
        fleet = Fleet(young, Orders(name="eight", where=world.where))
        working: list[Role] = ["work"] * 7
        await fleet.launch(*working, "all")
        assert await played(world, own_redis, [story("t6")]) == []
        assert fleet.failures == []
        assert len(fleet.processes) == 8
        await fleet.close()
