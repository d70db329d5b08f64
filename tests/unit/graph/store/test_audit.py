"""The audit log in Redis: appended under the fence, once, and checked."""

from __future__ import annotations

import asyncio

import pytest
from cryptography.fernet import Fernet
from redis.asyncio import Redis

from graph.errors import ThreadBusy
from graph.model import Broken, CaseRow, Headline, LogLine, Text
from graph.store.audit import Audit
from graph.store.cases import Cases
from graph.store.crypt import Codec
from graph.store.keys import Keys
from graph.store.lease import Leases


def line(number: str, **given: object) -> LogLine:
    """A line of this id."""
    base = {"id": number, "log": "decision", "what": "refused", "at": "t", "request_id": "e", "trace_id": "r"}
    return LogLine.model_validate(base | given)


def row(case: str = "C-1", order: str = "KL-1") -> CaseRow:
    """The record of a case."""
    title = Headline(amount=None, way=None, title=Text(zh="补偿", en="compensation"))
    at = "2026-09-04T06:00:00+00:00"
    return CaseRow(case=case, thread="T", status="waiting", headline=title, order=order, updated_at=at)


async def test_lines_are_appended_once_and_hold(redis: Redis, keys: Keys) -> None:
    """By themselves and with their case; an id that is there already is left out, alone or among new ones."""
    audit = Audit(redis, keys)
    cases = Cases(redis, keys, audit=audit)
    await audit.note("C-1", "T", [line("a/refused")], fence=0)
    await audit.note("C-1", "T", [line("a/refused")], fence=0)
    for _ in range(2):
        await cases.save(row(), "U1", "U1", None, fence=0, lines=[line("b/0"), line("b/1")])
    await audit.note("C-1", "T", [line("b/1"), line("c/0")], fence=0)
    assert [each.line.id for each in await audit.of("C-1")] == ["a/refused", "b/0", "b/1", "c/0"]
    assert await audit.verify("C-1") == (4, None)
    assert await audit.verify("C-2") == (0, Broken(case="C-2", line=1, why="gone"))
    assert await audit.cases() == ["C-1"]


async def test_who_was_overtaken_appends_nothing(redis: Redis, keys: Keys) -> None:
    """Neither by itself nor with the case."""
    audit, cases = Audit(redis, keys), Cases(redis, keys)
    lease = await Leases(redis, keys).take("T", "me", 5)
    assert lease is not None
    with pytest.raises(ThreadBusy):
        await audit.note("C-1", "T", [line("a/0")], fence=lease.fence - 1)
    with pytest.raises(ThreadBusy):
        await cases.save(row(), "U1", "U1", None, fence=lease.fence - 1, lines=[line("a/0")])
    assert await audit.of("C-1") == []


async def test_lines_from_two_threads_at_once(redis: Redis, keys: Keys) -> None:
    """A forged click may name a case of another thread: all lines get in, and the chain holds."""
    audit, cases = Audit(redis, keys), Cases(redis, keys)
    notes = [audit.note("C-1", f"T{number}", [line(f"f{number}/refused")], fence=0) for number in range(6)]
    await asyncio.gather(*notes, cases.save(row(), "U1", "U1", None, fence=0, lines=[line("b/0"), line("b/1")]))
    assert len(await audit.of("C-1")) == 8
    assert await audit.verify("C-1") == (8, None)


async def test_tampering_in_redis_is_found(redis: Redis, keys: Keys) -> None:
    """The log cut short, a line changed, the whole log deleted."""
    audit = Audit(redis, keys)
    for number in range(3):
        await audit.note("C-1", "T", [line(f"a/{number}")], fence=0)
    await audit.note("C-1", "T", [line("b/0"), line("b/1")], fence=0)
    good = await redis.lindex(keys.audit("C-1"), 1)
    await redis.lset(keys.audit("C-1"), 1, str(good).replace("refused", "approve"))
    _, broken = await audit.verify("C-1")
    assert broken is not None
    assert (broken.line, broken.why) == (2, "changed")
    await redis.lset(keys.audit("C-1"), 1, str(good))
    await redis.rpop(keys.audit("C-1"))
    _, broken = await audit.verify("C-1")
    assert broken is not None
    assert (broken.line, broken.why) == (4, "missing")
    await redis.delete(keys.audit("C-1"))
    _, broken = await audit.verify("C-1")
    assert broken is not None
    assert (broken.line, broken.why) == (1, "missing")


async def test_a_row_that_cannot_be_unpacked_is_named(redis: Redis, keys: Keys) -> None:
    """The lines of a turn take up less than half of what they say; of a row that was cut the first line is named."""
    audit = Audit(redis, keys)
    await audit.note("C-1", "T", [line("a/0")], fence=0)
    await audit.note("C-1", "T", [line(f"b/{number}", reason=f"guide {number} was late") for number in range(20)], fence=0)
    row = str(await redis.lindex(keys.audit("C-1"), 1))
    assert len(row) < len(Codec().open(row)) / 2
    assert [each.line.id for each in await audit.of("C-1")][-1] == "b/19"
    await redis.lset(keys.audit("C-1"), 1, row[:-8])
    assert (await audit.verify("C-1"))[1] == Broken(case="C-1", line=2, why="unreadable")
    assert [each.line.id for each in await audit.of("C-1")] == ["a/0"]


async def test_with_a_key_lines_are_sealed(redis: Redis, keys: Keys) -> None:
    """Nothing of them can be read in Redis; what no key opens is named."""
    codec = Codec.of(Fernet.generate_key().decode())
    audit = Audit(redis, keys, codec)
    await audit.note("C-1", "T", [line("a/0", reason="late guide")], fence=0)
    await audit.note("C-1", "T", [line("a/1")], fence=0)
    stored = await redis.lrange(keys.audit("C-1"), 0, -1)
    assert "late guide" not in str(stored)
    assert (await audit.of("C-1"))[0].line.reason == "late guide"
    assert await audit.verify("C-1") == (2, None)
    await redis.lset(keys.audit("C-1"), 1, Codec.of(Fernet.generate_key().decode()).seal("x"))
    _, broken = await audit.verify("C-1")
    assert broken is not None
    assert (broken.line, broken.why) == (2, "unreadable")


async def test_the_cases_of_an_order(redis: Redis, keys: Keys) -> None:
    """Every case that was about it, also those that no longer are."""
    audit, cases = Audit(redis, keys), Cases(redis, keys)
    await cases.save(row("C-1"), "U1", "U1", None, fence=0)
    await cases.save(row("C-2"), "U1", "U1", None, fence=0)
    await cases.save(row("C-1", "KL-2"), "U1", "U1", None, fence=0)
    assert await audit.about("KL-1") == ["C-1", "C-2"]
    assert await audit.about("KL-2") == ["C-1"]
    assert await audit.about("KL-3") == []
