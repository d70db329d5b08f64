"""Letters that no key opens: set aside, listed, given up, and put back once the key is there again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from cryptography.fernet import Fernet
from redis.asyncio import Redis

from bot.__main__ import main
from bot.aside import DeadEvent
from bot.cli.words import Words
from bot.health import Pulse
from bot.inbox import Inbox, UnreadableEvent, WriteBegun
from bot.outbox import Outbox
from bot.serving import Line
from bot.settings import Role
from bot.timers import Clock
from bot.watch import Watch
from bot.wiring.probes import health_of
from deploy.local.redis_server import RedisServer
from graph.model import Event
from graph.store.crypt import CannotOpen, Codec, KeyMissing, require_key
from graph.store.keys import Keys
from graph.store.lease import Leases
from tests.unit.bot.queues import THREAD, Handler, event, make_worker, running, soon
from tests.unit.graph.builders import shipped

LOST, KEY = Fernet.generate_key().decode(), Fernet.generate_key().decode()


@pytest.fixture
def operator(redis_server: RedisServer, keys: Keys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment of an operator whose desk has the new key alone."""
    for name in ("BACKOFFICE_URL", "SLACK_BOT_TOKEN", "SOPDESK_STATE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setenv("SOPDESK_NAMESPACE", keys.prefix)
    monkeypatch.setenv("SOPDESK_ENCRYPTION_KEY", KEY)


async def set_aside(redis: Redis, keys: Keys, *, at_rest: Codec | None = None) -> Handler:
    """A letter under the lost key, then one under the new, worked on by who has only the new; `at_rest`: with what the
    record of the first is sealed whole, as earlier versions did it."""
    await Inbox(redis, keys, codec=Codec([LOST])).put(event("msg:lost", text="补 20"))
    inbox, handler = Inbox(redis, keys, codec=Codec([KEY])), Handler()
    await inbox.put(event("msg:next"))
    async with running(make_worker(redis, keys, handler, codec=Codec([KEY])).run):
        await handler.until_done(1)
    if at_rest is not None:
        await redis.hset(keys.dead(), "msg:lost", at_rest.seal(str(await redis.hget(keys.dead(), "msg:lost"))))
    return handler


async def run(*arguments: str) -> int:
    """Run a command as the shell does."""
    return await asyncio.to_thread(main, ["inbox", *arguments])


async def test_what_no_key_opens_is_set_aside(redis: Redis, keys: Keys) -> None:
    """It is kept as it is, its thread is told in both languages, and the events behind it go on."""
    handler = await set_aside(redis, keys)
    assert [each.id for each in handler.events] == ["msg:next"]
    [dead] = await Inbox(redis, keys, codec=Codec([KEY])).dead()
    assert (dead.event, dead.thread, dead.why, dead.letter()) == ("msg:lost", THREAD, "cannot_open", None)
    assert Event.model_validate_json(Codec([LOST]).open_object(dead.raw)).text == "补 20"
    outbox = Outbox(redis, keys)
    async with outbox.joined():
        told = (await soon(outbox)).notice
    assert (told.id, told.kind, told.to) == ("failed:msg:lost", "failed", THREAD)
    words = await Words(shipped().words.authority).of(told)
    assert "读不出来" in words
    assert "could not be read" in words


async def test_it_comes_back_with_its_key(redis: Redis, keys: Keys) -> None:
    """Tried again without the key it is refused by a word; with the key behind the new one it is handled, whole."""
    handler = await set_aside(redis, keys)
    with pytest.raises(CannotOpen, match=r"msg:lost .* SOPDESK_ENCRYPTION_KEY"):
        await Inbox(redis, keys, codec=Codec([KEY])).revive("msg:lost")
    both = Codec([KEY, LOST])
    assert await Inbox(redis, keys, codec=both).revive("msg:lost")
    async with running(make_worker(redis, keys, handler, codec=Codec([KEY])).run):
        await handler.until_done(2)
    assert (handler.events[1].id, handler.events[1].text) == ("msg:lost", "补 20")
    assert await Inbox(redis, keys, codec=both).dead() == []


@pytest.mark.usefixtures("operator")
async def test_the_list_shows_what_is_known(redis: Redis, keys: Keys, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a letter that cannot be opened: its thread, its time, the reason and the remedy; it hides no other."""
    await set_aside(redis, keys)
    plain = DeadEvent(event="msg:1", thread=THREAD, why="ValueError", failures=5, raw=event("msg:1").model_dump_json())
    await redis.hset(keys.dead(), "msg:1", plain.stored(Codec([KEY])))
    await redis.hset(keys.dead(), "msg:broken", "{")
    assert await run("list", "--json") == 0
    rows = {row["event"]: row for row in json.loads(capsys.readouterr().out)}
    lost = rows["msg:lost"]
    assert (lost["thread"], lost["kind"], lost["why"]) == (THREAD, "cannot_open", "cannot_open (0 failures)")
    assert lost["when"].startswith("20")
    assert "SOPDESK_ENCRYPTION_KEY" in lost["remedy"]
    assert (rows["msg:1"]["kind"], rows["msg:1"]["remedy"]) == ("message", "")
    assert (rows["msg:broken"]["kind"], rows["msg:broken"]["thread"]) == ("unreadable", "")
    assert await run("list") == 0
    assert f"msg:lost  {THREAD}  cannot_open  20" in capsys.readouterr().out


@pytest.mark.usefixtures("operator")
async def test_retry_says_why_not(redis: Redis, keys: Keys, capsys: pytest.CaptureFixture[str]) -> None:
    """The command names the setting and the remedy, and the letter stays where it was."""
    await set_aside(redis, keys)
    assert await run("retry", "msg:lost") == 1
    assert "add it behind the others" in capsys.readouterr().err
    assert await redis.hexists(keys.dead(), "msg:lost")


@pytest.mark.usefixtures("operator")
@pytest.mark.parametrize("whole", [False, True], ids=["known thread", "unknown thread"])
async def test_it_can_be_parked(redis: Redis, keys: Keys, capsys: pytest.CaptureFixture[str], *, whole: bool) -> None:
    """It is kept among the parked; its thread is told, where that is known."""
    await set_aside(redis, keys, at_rest=Codec([LOST]) if whole else None)
    assert await run("park", "msg:lost") == 0
    assert ("not known" in capsys.readouterr().out) is whole
    assert (await redis.hlen(keys.dead()), await redis.llen(keys.parked())) == (0, 1)
    assert (await redis.exists(keys.notice("parked:msg:lost")) == 1) is not whole


async def test_a_begun_write_that_cannot_be_opened_keeps_its_thread_from_being_parked(redis: Redis, keys: Keys) -> None:
    """It may be the event's own payment: nobody is told that it will not be carried out."""
    await set_aside(redis, keys)
    await redis.set(keys.begun(THREAD), Codec([LOST]).seal('{"event": {"id": "msg:lost"}}'))
    with pytest.raises(WriteBegun, match="may have begun"):
        await Inbox(redis, keys, codec=Codec([KEY])).park("msg:lost")
    assert await redis.hexists(keys.dead(), "msg:lost")


@pytest.mark.parametrize("codec", [Codec(), Codec([KEY])], ids=["no key", "wrong key"])
async def test_a_worker_without_the_key_sets_nothing_aside(
    redis: Redis, keys: Keys, codec: Codec, caplog: pytest.LogCaptureFixture
) -> None:
    """Where others have sealed with a key that it lacks, the letter waits, the log says what to set, and whoever has the
    key handles it, however often it was begun in vain."""
    right = Codec([LOST])
    await require_key(redis, keys, right)
    inbox, handler = Inbox(redis, keys, codec=right), Handler()
    await inbox.put(event("msg:1", text="补 20"))
    async with running(make_worker(redis, keys, handler, max_tries=1, codec=codec).run, Clock(redis, keys).run):
        async with asyncio.timeout(15):
            while caplog.text.count("could not be worked on (KeyMissing") < 5:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.05)
    assert "SOPDESK_ENCRYPTION_KEY" in caplog.text
    assert (handler.begun, await inbox.dead(), await inbox.waiting(THREAD)) == ([], [], 1)
    async with running(make_worker(redis, keys, handler, max_tries=1, codec=right).run, Clock(redis, keys).run):
        assert await handler.until_done(1) == ["msg:1"]
    assert await inbox.dead() == []


@pytest.mark.parametrize("role", ["work", "listen"])
async def test_whoever_works_without_the_key_is_not_ready(redis: Redis, keys: Keys, role: Role) -> None:
    """The probe of a process that works says which key is missing; what only listens stores letters all the same."""
    await require_key(redis, keys, Codec([LOST]))
    for codec, missing in ((Codec([KEY]), "fingerprint"), (Codec([KEY, LOST]), "")):
        async with httpx.AsyncClient(base_url="http://127.0.0.1:9") as nobody:
            health = health_of(role, redis, keys, codec, nobody, Line(), Pulse(), Watch())
            wrong = (await health.ready()).get("encryption", "")
        assert (missing in wrong) if role == "work" and missing else wrong == ""


async def test_what_a_turn_cannot_open_is_logged_with_its_remedy(
    redis: Redis, keys: Keys, caplog: pytest.LogCaptureFixture
) -> None:
    """Something else of the thread is sealed with a lost key: the event fails as any other, and the log says what to do."""

    async def cannot(given: Event) -> None:
        if given.id == "msg:1":
            Codec([KEY]).open(Codec([LOST]).seal("x"))

    inbox, handler = Inbox(redis, keys), Handler(cannot)
    async with running(make_worker(redis, keys, handler, max_tries=2).run, Clock(redis, keys).run):
        await inbox.put(event("msg:1"))
        await inbox.put(event("msg:2"))
        assert await handler.until_done(1) == ["msg:2"]
    assert [dead.why for dead in await inbox.dead()] == ["CannotOpen"]
    assert "add it behind the others" in caplog.text


async def test_what_a_turn_cannot_open_for_want_of_a_key_is_no_fault_of_its_event(redis: Redis, keys: Keys) -> None:
    """The case of a letter that can be read is sealed with a key that this worker lacks: the event waits, uncounted."""

    async def cannot(_: Event) -> None:
        if len(handler.begun) < 4:
            Codec([KEY]).open(Codec([LOST]).seal("x"))

    inbox, handler = Inbox(redis, keys), Handler(cannot)
    await require_key(redis, keys, Codec([LOST]))
    async with running(make_worker(redis, keys, handler, max_tries=1, codec=Codec([KEY])).run, Clock(redis, keys).run):
        await inbox.put(event("msg:1"))
        assert await handler.until_done(1) == ["msg:1"]
    assert await inbox.dead() == []


async def test_a_start_in_vain_for_want_of_a_key_does_not_count(redis: Redis, keys: Keys) -> None:
    """Neither as a start nor as a failure of the event."""
    await require_key(redis, keys, Codec([LOST]))
    right, wrong = (Inbox(redis, keys, codec=codec) for codec in (Codec([LOST]), Codec([KEY])))
    await right.put(event("msg:1"))
    async with Leases(redis, keys).hold(THREAD) as lease:
        for _ in range(3):
            with pytest.raises(KeyMissing, match="fingerprint"):
                await wrong.next(THREAD, lease.fence)
        begun = await right.next(THREAD, lease.fence)
    assert begun is not None
    assert (begun.starts, begun.failures) == (1, 0)


@pytest.mark.parametrize("damage", [lambda sealed: sealed[:-9] + '="}', lambda sealed: sealed.replace("gAAA", "补")])
async def test_a_damaged_letter_is_named(redis: Redis, keys: Keys, damage: Callable[[str], str]) -> None:
    """Though the key is there, what was damaged cannot be opened, and says so by the event's id."""
    inbox = Inbox(redis, keys, codec=Codec([KEY]))
    await inbox.put(event("msg:1"))
    [(member, stored)] = (await redis.hgetall(keys.letters(THREAD))).items()
    await redis.hset(keys.letters(THREAD), member, damage(str(stored)))
    async with Leases(redis, keys).hold(THREAD) as lease:
        with pytest.raises(UnreadableEvent) as told:
            await inbox.next(THREAD, lease.fence)
    assert (told.value.event_id, told.value.why, told.value.raw) == ("msg:1", "cannot_open", damage(str(stored)))


def test_what_is_kept_is_sealed_and_comes_back() -> None:
    """Thread and reason stand in the clear, what was said does not; records of earlier versions are read as well."""
    codec = Codec([KEY])
    dead = DeadEvent(event="e", thread=THREAD, why="x", failures=1, raw=event("e", text="account 6222").model_dump_json())
    stored = dead.stored(codec)
    assert json.loads(stored)["thread"] == THREAD
    assert "6222" not in stored
    for kept in (stored, codec.seal(dead.model_dump_json())):
        opened = DeadEvent.opened("e", kept, codec)
        assert (opened.letter(), opened.obstacle) == (dead.letter(), "")
    garbage = dead.model_copy(update={"raw": "account 6222"})
    assert "6222" not in garbage.stored(codec)
    assert DeadEvent.opened("e", garbage.stored(codec), codec) == garbage
