"""`sopdesk inbox`: what was set aside is listed, put back or given up, by the operator alone."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from redis.asyncio import Redis

from bot.__main__ import main
from bot.aside import DeadEvent
from bot.inbox import Inbox
from bot.outbox import Outbox
from deploy.local.redis_server import RedisServer
from graph.model import Event
from graph.store.crypt import Codec
from graph.store.keys import Keys
from graph.store.lease import Leases
from tests.unit.bot.queues import THREAD, event, soon
from tests.unit.graph.builders import T1, T6, Desk, open_desk, view
from tests.unit.graph.tripwire import Crash, Tripwire

KEY = Fernet.generate_key().decode()


@pytest.fixture(autouse=True, params=["", KEY], ids=["plain", "sealed"])
def settings(
    request: pytest.FixtureRequest,
    redis_server: RedisServer,
    keys: Keys,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Codec:
    """The environment of an operator who has nothing but the Redis; with and without encryption."""
    for name in ("BACKOFFICE_URL", "SLACK_BOT_TOKEN", "SOPDESK_STATE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setenv("SOPDESK_NAMESPACE", keys.prefix)
    monkeypatch.setenv("SOPDESK_ENCRYPTION_KEY", request.param)
    return Codec.of(request.param)


@pytest.fixture
async def aside(redis: Redis, keys: Keys, settings: Codec) -> Inbox:
    """An inbox from which one event was set aside, and one that nobody can read."""
    inbox, outbox = Inbox(redis, keys, codec=settings), Outbox(redis, keys, codec=settings)
    for name, raw in (("msg:1", event("msg:1", text="补 20").model_dump_json()), ("msg:2", "{")):
        await inbox.put(event(name, text="补 20"))
        async with Leases(redis, keys).hold(THREAD) as lease:
            begun = await inbox.next(THREAD, lease.fence)
            assert begun is not None
            dead = DeadEvent(event=name, thread=THREAD, why="ValueError", failures=5, raw=raw)
            await outbox.put_and_finish(THREAD, name, lease.fence, [], [], set_aside=dead)
    return inbox


async def run(*arguments: str) -> int:
    """Run a command as the shell does."""
    return await asyncio.to_thread(main, ["inbox", *arguments])


async def test_what_was_set_aside_is_listed(aside: Inbox, capsys: pytest.CaptureFixture[str]) -> None:
    """Event, thread, kind, time and reason are shown, as lines or as JSON, and no word of what was said."""
    assert await run("list", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["event"], row["kind"], row["why"]) for row in rows] == [
        ("msg:2", "unreadable", "ValueError (5 failures)"),
        ("msg:1", "message", "ValueError (5 failures)"),
    ]
    assert rows[1]["when"].startswith("2026-01-05T12:00")
    assert await run("list") == 0
    shown = capsys.readouterr().out
    assert f"msg:1  {THREAD}  message" in shown
    assert "补" not in shown


async def test_one_is_put_back(aside: Inbox, redis: Redis, keys: Keys) -> None:
    """It is in its mailbox again, whole, and no longer set aside."""
    assert await run("retry", "msg:1") == 0
    assert await aside.waiting(THREAD) == 1
    async with Leases(redis, keys).hold(THREAD) as lease:
        begun = await aside.next(THREAD, lease.fence)
    assert begun is not None
    assert begun.event.text == "补 20"
    assert [dead.event for dead in await aside.dead()] == ["msg:2"]


async def test_one_is_given_up_and_its_thread_told(aside: Inbox, redis: Redis, keys: Keys) -> None:
    """It is kept apart, and the thread gets a notice."""
    assert await run("park", "msg:1") == 0
    assert [dead.event for dead in await aside.dead()] == ["msg:2"]
    assert await redis.llen(keys.parked()) == 1
    outbox = Outbox(redis, keys)
    async with outbox.joined():
        delivery = await soon(outbox)
    assert (delivery.id, delivery.notice.kind, delivery.notice.to) == ("parked:msg:1", "parked", THREAD)
    assert await run("park", "msg:2") == 0
    assert await aside.dead() == []


async def test_what_cannot_be_done_is_said(aside: Inbox, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown event, and an unreadable one that is to be tried again, are refused in one line."""
    assert await run("retry", "msg:9") == 1
    assert "msg:9 is not set aside" in capsys.readouterr().err
    assert await run("park", "msg:9") == 1
    assert await run("retry", "msg:2") == 1
    assert "park it" in capsys.readouterr().err
    assert len(await aside.dead()) == 2


async def test_what_has_begun_a_payment_is_not_given_up(
    aside: Inbox, redis: Redis, keys: Keys, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would be paid all the same, with the next event of the thread; another event of the thread may go."""
    await redis.set(keys.begun(THREAD), Codec().seal('{"event": {"id": "msg:1"}, "effect": "k"}'))
    assert await run("park", "msg:1") == 1
    assert "retry it" in capsys.readouterr().err
    assert await run("park", "msg:2") == 0
    assert [dead.event for dead in await aside.dead()] == ["msg:1"]


async def set_aside(desk: Desk, given: Event) -> None:
    """As a worker does after the last try."""
    dead = DeadEvent(event=given.id, thread=given.thread, why="Crash", failures=5, raw=given.model_dump_json())
    await desk.redis.hset(desk.keys.dead(), given.id, dead.stored(Codec()))


async def test_what_another_event_has_finished_is_not_given_up(
    redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It broke off after it had paid, and the next words of the thread finished it: the case is named, and a retry of it
    pays nothing more."""
    async with open_desk(redis, redis_server.url, keys, tmp_path) as desk:
        wire, opening = Tripwire(desk), desk.event("message", text=T6)
        wire.arm("once", "after", "kill")
        with pytest.raises(Crash):
            await desk.advance(opening)
        wire.revive()
        await set_aside(desk, opening)
        assert await run("park", opening.id) == 1
        assert "retry it" in capsys.readouterr().err
        finished = (await desk.say("你好，在吗")).first
        assert finished is not None
        assert await run("park", opening.id) == 1
        assert f"carried out, in case {view(finished).case}; retry it" in capsys.readouterr().err
        assert await run("retry", opening.id) == 0
        assert view(await desk.advance(opening)).case == view(finished).case
        assert len(await desk.payouts()) == 1


async def test_what_the_open_case_has_used_is_not_given_up(
    redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its turn is stored, though it was set aside before it was told; what the case does not know may go."""
    async with open_desk(redis, redis_server.url, keys, tmp_path) as desk:
        opening, unused = desk.event("message", text=T1), desk.event("message", text="你好")
        waiting = await desk.advance(opening)
        for each in (opening, unused):
            await set_aside(desk, each)
        assert await run("park", opening.id) == 1
        assert f"carried out, in case {view(waiting).case}" in capsys.readouterr().err
        assert await run("park", unused.id) == 0
        assert await desk.runner.find(desk.thread) == view(waiting)


async def test_a_case_that_cannot_be_opened_keeps_nothing_here(
    redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path
) -> None:
    """Its key is lost, so that nobody knows what it has used; what failed for that may be given up."""
    async with open_desk(redis, redis_server.url, keys, tmp_path) as desk:
        desk.saver._codec = Codec([Fernet.generate_key().decode()])
        lost = desk.event("message", text=T1)
        await desk.advance(lost)
        await set_aside(desk, lost)
        assert await run("park", lost.id) == 0
