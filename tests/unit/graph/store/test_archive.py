"""Cases that ended long ago are packed away, and are there when they are named."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from redis.asyncio import Redis

from graph.model import JsonValue
from graph.store.archive import Archive
from graph.store.audit import Audit
from graph.store.cases import Cases
from graph.store.crypt import Codec
from graph.store.keys import Keys
from tests.unit.graph.store.test_audit import line, row

ENDED = datetime(2026, 9, 4, 6, 0, tzinfo=UTC)
STATE: dict[str, JsonValue] = {"owner": {"id": "U1"}, "opener": {"id": "U2"}, "text": "late guide " * 60}


class Shelf:
    """The stores of one desk, with cases that have ended."""

    def __init__(self, redis: Redis, keys: Keys, codec: Codec | None = None) -> None:
        self.redis, self.keys = redis, keys
        self.audit = Audit(redis, keys, codec)
        self.cases = Cases(redis, keys, codec, self.audit)

    async def end(self, case: str, order: str = "KL-1") -> None:
        """A case that ended."""
        assert await self.cases.claim(case, f"run of {case}")
        told = row(case, order).model_copy(update={"status": "done"})
        lines = [line(f"{case}/{number}", reason=f"guide {number} was late") for number in range(5)]
        await self.cases.save(told, "U1", "U2", STATE, fence=0, lines=lines)

    async def archive(self, days: int = 90) -> list[str]:
        """So long after the end, and a minute."""
        now = ENDED + timedelta(days=days, minutes=1)
        return await self.cases.archive(now - timedelta(days=90), now)


@pytest.fixture
async def shelf(redis: Redis, keys: Keys) -> Shelf:
    """With one case that ended, and one that is open."""
    made = Shelf(redis, keys)
    await made.end("C-1")
    assert await made.cases.claim("C-2", "another")
    await made.cases.save(row("C-2").model_copy(update={"thread": "T2"}), "U1", "U1", None, fence=0, lines=[line("x/0")])
    return made


async def test_a_case_is_archived_by_its_age(shelf: Shelf) -> None:
    """Not before its time; then it takes up one key and the name that stays taken, is in nobody's list any more, and can
    be read by its id and found by its order, its log with it. An open case stays."""
    before, log = await shelf.cases.load("C-1"), await shelf.audit.of("C-1")
    assert await shelf.archive(days=89) == []
    assert await shelf.archive() == ["C-1"]
    keys = shelf.keys
    assert await shelf.redis.exists(keys.audit("C-1"), keys.audited("C-1"), keys.ended(), keys.thread("T")) == 0
    assert list(await shelf.redis.hgetall(keys.case("C-1"))) == ["run"]
    assert [each.case for each in await shelf.cases.of("U1", 9)] == ["C-2"]
    assert await shelf.cases.of("U2", 9) == []
    assert await shelf.cases.load("C-1") == before
    assert await shelf.audit.of("C-1") == log
    assert await shelf.audit.verify("C-1") == (5, None)
    assert await shelf.audit.about("KL-1") == ["C-1", "C-2"]
    assert await shelf.audit.cases() == ["C-1", "C-2"]
    assert not await shelf.cases.claim("C-1", "a third")
    assert await shelf.archive() == []


async def test_who_writes_to_an_archived_case_brings_it_back(shelf: Shelf) -> None:
    """A late click is noted behind the lines that were there, under a chain that holds; later it is archived again."""
    await shelf.archive()
    await Audit(shelf.redis, shelf.keys).note("C-1", "T", [line("late/refused")], fence=None)
    assert await shelf.audit.verify("C-1") == (6, None)
    assert (await shelf.cases.load("C-1")) is not None
    assert not await shelf.redis.exists(shelf.keys.archived("C-1"))
    assert await shelf.archive() == []
    now = datetime.now(UTC) + timedelta(days=91)
    assert await shelf.cases.archive(now - timedelta(days=90), now) == ["C-1"]
    assert await shelf.audit.verify("C-1") == (6, None)


async def test_what_is_written_to_meanwhile_stays(shelf: Shelf) -> None:
    """Between the reading and the moving a line was noted: nothing is lost, and it is looked at again later."""
    archive = Archive(shelf.redis, shelf.keys)
    move = archive._move

    async def late(keys: list[str], args: list[str]) -> object:
        await shelf.audit.note("C-1", "T", [line("late/refused")], fence=None)
        return await move(keys=keys, args=args)

    archive._move = late  # type: ignore[assignment]
    assert not await archive.move("C-1", "T", {"U1"})
    assert await shelf.audit.verify("C-1") == (6, None)


async def test_old_entries_of_the_stream_of_effects_go(shelf: Shelf) -> None:
    """As long as a case is kept at hand, and no longer; what is newer stays. Redis drops them a hundred at a time."""
    stream = shelf.keys.effects()
    for number in range(300):
        await shelf.redis.xadd(stream, {"effect": str(number)}, id=f"{round(ENDED.timestamp() * 1000) - 300 + number}-0")
    await shelf.redis.xadd(stream, {"effect": "new"}, id=f"{round(ENDED.timestamp() * 1000) + 120_000}-0")
    await shelf.archive(days=89)
    assert await shelf.redis.xlen(stream) == 301
    await shelf.archive()
    left = await shelf.redis.xrange(stream)
    assert len(left or []) <= 101
    assert (left or [])[-1][1] == {"effect": "new"}


async def test_with_a_key_it_is_sealed_and_what_cannot_be_read_is_left(redis: Redis, keys: Keys) -> None:
    """Nothing of it can be read in Redis; a case under a key that is gone stays where it is and blocks nobody."""
    sealed = Shelf(redis, keys, Codec(["A" * 43 + "="]))
    await sealed.end("C-1")
    await Shelf(redis, keys, Codec(["B" * 43 + "="])).end("C-2", "KL-2")
    assert await sealed.archive() == ["C-1", "C-2"]
    assert "late" not in str(await redis.get(keys.archived("C-1")))
    assert await sealed.audit.verify("C-1") == (5, None)
    assert await redis.exists(keys.audit("C-2"))
    assert await sealed.archive() == []
