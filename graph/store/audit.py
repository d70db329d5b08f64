"""The audit log of each case: lines are appended, never changed, and chained so that it shows if somebody does.

The lines of a turn are appended by the script that saves the case; see `graph.store.cases`. What changes no case, such as
a refused click, is appended here. Both look at the newest fence and at the head of the log, which must be the one that
was read; an id that is in the log already is left out, so that a replay appends nothing twice.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from redis.asyncio import Redis

from graph.errors import ThreadBusy
from graph.failpoints import around
from graph.model import Broken, Logged, LogLine
from graph.store.archive import Archive
from graph.store.chain import check, extend, head_of, logged
from graph.store.crypt import CannotOpen, Codec
from graph.store.keys import Keys

TRIES: Final = 20
"""How often a head that was moved by another is read again; another is a click on the same case from another thread."""
_IDS_SECONDS: Final = 90 * 86400
_TAILS: Final = 2048

APPEND: Final = """
-- The record of the case, its log, the ids in it; ARGV from `at`: the head that was read, the head to be, how long ids are
-- known in s, the row, then the id of each line in it. False when the head has moved, or one of the ids is in the log.
local function append(case, log, ids, at)
  if #ARGV < at + 4 then return true end
  if (redis.call('HGET', case, 'head') or '') ~= ARGV[at] then return false end
  for _, known in ipairs(redis.call('SMISMEMBER', ids, unpack(ARGV, at + 4))) do
    if known == 1 then return false end
  end
  redis.call('SADD', ids, unpack(ARGV, at + 4))
  redis.call('RPUSH', log, ARGV[at + 3])
  redis.call('EXPIRE', ids, ARGV[at + 2])
  redis.call('HSET', case, 'head', ARGV[at + 1])
  return true
end
"""

_NOTE: Final = f"""
-- KEYS[1] case:{{id}}  KEYS[2] audit:{{case}}  KEYS[3] audited:{{case}}  KEYS[4] fence:{{thread}}
-- ARGV    fence or '', then as for `append`
{APPEND}
local newest = redis.call('GET', KEYS[4])
if ARGV[1] ~= '' and newest and newest ~= ARGV[1] then return 0 end
return append(KEYS[1], KEYS[2], KEYS[3], 2) and 1 or -1
"""


@dataclass(frozen=True)
class Tail:
    """The end of a log as it was last seen: the head, and the ids of the lines that were appended last. Only a guess:
    another process may have appended since, which the script finds by the head."""

    head: str = ""
    ids: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Batch:
    """Lines made ready to be appended: the script's arguments for them, none where the log holds them all. `tail` is the
    end of the log once they are, where it is known."""

    args: list[str]
    tail: Tail | None


class Audit:
    """The logs in Redis; see the table of keys."""

    def __init__(self, redis: Redis, keys: Keys, codec: Codec | None = None) -> None:
        self._redis = redis
        self._keys = keys
        self._codec = codec or Codec()
        self._archive = Archive(redis, keys, self._codec)
        self._note = redis.register_script(_NOTE)
        self._tails: dict[str, Tail] = {}

    def begins(self, case: str) -> None:
        """A case id was taken; its log is thought to be empty."""
        if case not in self._tails:
            self._remember(case, Tail())

    async def ready(self, case: str, lines: Sequence[LogLine]) -> Batch:
        """Those of the lines that the log does not hold, chained to its end as it was last seen, or as it is now."""
        ids = [_short(line.id) for line in lines]
        tail = self._tails.pop(case, None)
        if not lines or (tail is not None and tail.ids.issuperset(ids)):
            return Batch([], tail)
        if tail is None or not tail.ids.isdisjoint(ids):
            async with self._redis.pipeline(transaction=False) as pipe:
                pipe.hget(self._keys.case(case), "head")
                pipe.smismember(self._keys.audited(case), ids)
                pipe.exists(self._keys.archived(case))
                head, there, archived = await pipe.execute()
            if archived:
                await self._archive.bring_back(case, datetime.now(UTC))
                return await self.ready(case, lines)
            tail = Tail(str(head or ""), frozenset(name for name, known in zip(ids, there, strict=False) if known))
        fresh = {name: line for name, line in zip(ids, lines, strict=True) if name not in tail.ids}
        if not fresh:
            return Batch([], tail)
        row, after = extend(case, head_of(case, tail.head), list(fresh.values()))
        args = [tail.head, str(after), str(_IDS_SECONDS), self._codec.seal(row), *fresh]
        return Batch(args, Tail(str(after), frozenset(ids)))

    def appended(self, case: str, batch: Batch) -> None:
        """What was made ready is in the log."""
        self._remember(case, batch.tail)

    async def note(self, case: str, thread: str, lines: Sequence[LogLine], *, fence: int | None) -> None:
        """Append what is not in the log yet, for whoever holds `thread`. ThreadBusy when `fence` is not the newest.
        Without one it is noted by somebody who changes nothing."""
        keys = [self._keys.case(case), self._keys.audit(case), self._keys.audited(case), self._keys.fence(thread)]
        for _ in range(TRIES if lines else 0):
            batch, noted = await self.ready(case, lines), 1
            args = ["" if fence is None else str(fence), *batch.args]
            if batch.args:
                noted = await around("audit.note", self._note(keys=keys, args=args))
            if noted == 0:
                raise ThreadBusy(f"thread {thread} has been taken over; fence {fence} is not the newest")
            if noted == 1:
                self.appended(case, batch)
                return
        if lines:
            raise ThreadBusy(f"the audit log of case {case} is written by others all the time")

    def _remember(self, case: str, tail: Tail | None) -> None:
        if tail is None:
            return
        if len(self._tails) >= _TAILS:
            self._tails.pop(next(iter(self._tails)))
        self._tails[case] = tail

    async def of(self, case: str) -> list[Logged]:
        """The log of a case, oldest line first, without those that cannot be read: `verify` names the first of them."""
        found: list[Logged] = []
        rows: Sequence[bytes | str] = await self._redis.lrange(self._keys.audit(case), 0, -1)
        if not rows and (archived := await self._archive.read(case)) is not None:
            rows = archived.rows
        for row in rows:
            with contextlib.suppress(CannotOpen, ValueError):
                found += logged(self._codec.open(str(row)))
        return found

    async def verify(self, case: str) -> tuple[int, Broken | None]:
        """How many lines the log of a case has, and the first at which it does not hold."""
        async with self._redis.pipeline(transaction=True) as pipe:
            pipe.lrange(self._keys.audit(case), 0, -1)
            pipe.hget(self._keys.case(case), "head")
            pipe.exists(self._keys.case(case), self._keys.audit(case))
            stored, head, there = await pipe.execute()
        if head is None and not stored and (archived := await self._archive.read(case)) is not None:
            stored, head, there = archived.rows, archived.head, True
        if not there:
            return 0, Broken(case=case, line=1, why="gone")
        rows: list[str] = []
        for sealed in stored:
            try:
                rows.append(self._codec.open(str(sealed)))
            except (CannotOpen, ValueError):
                # Lines before it may be wrong, too; they come first.
                earlier, before = check(case, rows, str(head or "")), _lines(rows)
                found = earlier if earlier is not None and earlier.line <= before else None
                return before + 1, found or Broken(case=case, line=before + 1, why="unreadable")
        return _lines(rows), check(case, rows, str(head or ""))

    async def knows(self, case: str) -> bool:
        """Whether there is a log or a record of this case."""
        return bool(await self._redis.exists(self._keys.audit(case), self._keys.case(case)))

    async def cases(self) -> list[str]:
        """Every case that has a log or a record. Looks at all keys: for an operator, never for a click."""
        found: set[str] = set()
        for pattern in (self._keys.audit(""), self._keys.case("")):
            async for key in self._redis.scan_iter(match=f"{pattern}*", count=1000):
                found.add(str(key).removeprefix(pattern))
        return sorted(found)

    async def about(self, order: str) -> list[str]:
        """The cases that ever were about an order, the earliest first."""
        return [str(case) for case in await self._redis.zrange(self._keys.order(order), 0, -1)]


def _short(line: str) -> str:
    """The id of a line as the log's ids keep it."""
    return hashlib.blake2b(line.encode(), digest_size=9).hexdigest()


def _lines(rows: Sequence[str]) -> int:
    """How many lines there are in rows, those left out that cannot be read."""
    count = 0
    for row in rows:
        with contextlib.suppress(ValueError):
            count += len(logged(row))
    return count
