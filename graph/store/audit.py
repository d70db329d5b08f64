"""The audit log of each case: lines are appended, never changed, and chained so that it shows if somebody does.

The lines of a turn are appended by the script that saves the case; see `graph.store.cases`. What changes no case, such as
a refused click, is appended here. Both look at the newest fence and at the head of the log, which must be the one that
was read; an id that is in the log already is left out, so that a replay appends nothing twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from redis.asyncio import Redis

from graph.errors import ThreadBusy
from graph.failpoints import around
from graph.model import Broken, Logged, LogLine
from graph.store.chain import check, extend, head_of, logged
from graph.store.crypt import CannotOpen, Codec
from graph.store.keys import Keys

TRIES: Final = 20
"""How often a head that was moved by another is read again; another is a click on the same case from another thread."""
_IDS_SECONDS: Final = 90 * 86400

APPEND: Final = """
-- The record of the case, its log, the ids in it; ARGV from `at`: the head that was read, the head to be, how long ids are
-- known in s, then the id and the row of each line. False when the head has moved.
local function append(case, log, ids, at)
  if (redis.call('HGET', case, 'head') or '') ~= ARGV[at] then return false end
  if #ARGV < at + 3 then return true end
  for index = at + 3, #ARGV, 2 do
    redis.call('SADD', ids, ARGV[index])
    redis.call('RPUSH', log, ARGV[index + 1])
  end
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


class Batch(NamedTuple):
    """Lines made ready to be appended: the script's arguments for them. `new` is how many."""

    args: list[str]
    new: int


class Audit:
    """The logs in Redis; see the table of keys."""

    def __init__(self, redis: Redis, keys: Keys, codec: Codec | None = None) -> None:
        self._redis = redis
        self._keys = keys
        self._codec = codec or Codec()
        self._note = redis.register_script(_NOTE)

    async def ready(self, case: str, lines: Sequence[LogLine]) -> Batch:
        """Those of the lines that the log does not hold, chained to its head as it is now."""
        async with self._redis.pipeline(transaction=False) as pipe:
            pipe.hget(self._keys.case(case), "head")
            pipe.smismember(self._keys.audited(case), [line.id for line in lines] or [""])
            stored, known = await pipe.execute()
        head = str(stored or "")
        fresh = [line for line, there in zip(lines, known, strict=False) if not there]
        rows, after = extend(case, head_of(case, head), fresh)
        args = [head, str(after), str(_IDS_SECONDS)]
        for line, row in zip(fresh, rows, strict=True):
            args += [line.id, self._codec.seal(row)]
        return Batch(args, len(fresh))

    async def note(self, case: str, thread: str, lines: Sequence[LogLine], *, fence: int | None) -> None:
        """Append what is not in the log yet, for whoever holds `thread`. ThreadBusy when `fence` is not the newest.
        Without one it is noted by somebody who changes nothing."""
        keys = [self._keys.case(case), self._keys.audit(case), self._keys.audited(case), self._keys.fence(thread)]
        for _ in range(TRIES if lines else 0):
            batch = await self.ready(case, lines)
            if not batch.new:
                return
            args = ["" if fence is None else str(fence), *batch.args]
            noted = await around("audit.note", self._note(keys=keys, args=args))
            if noted == 0:
                raise ThreadBusy(f"thread {thread} has been taken over; fence {fence} is not the newest")
            if noted == 1:
                return
        if lines:
            raise ThreadBusy(f"the audit log of case {case} is written by others all the time")

    async def of(self, case: str) -> list[Logged]:
        """The log of a case, oldest line first, without those that cannot be read: `verify` names the first of them."""
        found: list[Logged] = []
        for row in await self._redis.lrange(self._keys.audit(case), 0, -1):
            with contextlib.suppress(CannotOpen, ValueError):
                found.append(logged(self._codec.open(str(row))))
        return found

    async def verify(self, case: str) -> tuple[int, Broken | None]:
        """How many lines the log of a case has, and the first at which it does not hold."""
        async with self._redis.pipeline(transaction=True) as pipe:
            pipe.lrange(self._keys.audit(case), 0, -1)
            pipe.hget(self._keys.case(case), "head")
            pipe.exists(self._keys.case(case), self._keys.audit(case))
            stored, head, there = await pipe.execute()
        if not there:
            return 0, Broken(case=case, line=1, why="gone")
        rows: list[str] = []
        for sealed in stored:
            try:
                rows.append(self._codec.open(str(sealed)))
            except CannotOpen:
                # Lines before it may be wrong, too; they come first.
                earlier = check(case, rows, str(head or ""))
                found = earlier if earlier is not None and earlier.line <= len(rows) else None
                return len(stored), found or Broken(case=case, line=len(rows) + 1, why="unreadable")
        return len(rows), check(case, rows, str(head or ""))

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
