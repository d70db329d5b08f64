"""Cases that ended long ago: record and audit log packed into one key, out of the way of those that are looked for daily.

Nothing is lost by that: a case that is named is read from there, and whoever writes to one brings it back first. What
goes are the lists in which it was found among many: a person's cases, and the latest case of its thread.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError
from redis.asyncio import Redis

from graph.failpoints import around
from graph.store.crypt import Codec
from graph.store.keys import Keys

_MOVE: Final = """
-- KEYS[1] case:{id}  KEYS[2] audit:{case}  KEYS[3] audited:{case}  KEYS[4] archived:{case}  KEYS[5] ended  KEYS[6] open
--         KEYS[7] thread:{thread}  KEYS[8…] owner:{actor}
-- ARGV    case, the record and the head as they were read, how many rows were, what is to be kept
-- Returns 0, having done nothing, when the case was written to meanwhile.
local now = redis.call('HMGET', KEYS[1], 'record', 'head')
if now[1] ~= ARGV[2] or (now[2] or '') ~= ARGV[3] then return 0 end
if redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[4]) or redis.call('SISMEMBER', KEYS[6], ARGV[1]) == 1 then return 0 end
redis.call('SET', KEYS[4], ARGV[5])
-- Its id stays taken.
local run = redis.call('HGET', KEYS[1], 'run')
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'run', run or '')
redis.call('ZREM', KEYS[5], ARGV[1])
if redis.call('GET', KEYS[7]) == ARGV[1] then redis.call('DEL', KEYS[7]) end
for index = 8, #KEYS do redis.call('ZREM', KEYS[index], ARGV[1]) end
return 1
"""

_BRING_BACK: Final = """
-- KEYS[1] case:{id}  KEYS[2] audit:{case}  KEYS[3] archived:{case}  KEYS[4] ended
-- ARGV    case, what was kept, now in s, record, head, then the rows
if redis.call('GET', KEYS[3]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'record', ARGV[4], 'head', ARGV[5], 'counted', 1)
for index = 6, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[index]) end
redis.call('DEL', KEYS[3])
redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
return 1
"""


class Archived(BaseModel):
    """A case as it is kept there: opened, since it is sealed as a whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    record: str
    head: str
    rows: list[str]


class Archive:
    """The archived cases in Redis; see the table of keys."""

    def __init__(self, redis: Redis, keys: Keys, codec: Codec | None = None) -> None:
        self._redis = redis
        self._keys = keys
        self._codec = codec or Codec()
        self._move = redis.register_script(_MOVE)
        self._bring_back = redis.register_script(_BRING_BACK)

    async def due(self, before: datetime, limit: int) -> list[str]:
        """So many of the cases that ended before then, the earliest first."""
        found = await self._redis.zrange(
            self._keys.ended(), "-inf", f"({before.timestamp()}", byscore=True, offset=0, num=limit
        )
        return [str(case) for case in found]

    async def move(self, case: str, thread: str, people: set[str]) -> bool:
        """Archive a case of this thread and of these people. False where it was written to meanwhile, or is not there."""
        keys = self._keys
        async with self._redis.pipeline(transaction=True) as pipe:
            pipe.hmget(keys.case(case), ["record", "head"])
            pipe.lrange(keys.audit(case), 0, -1)
            (record, head), rows = await pipe.execute()
        if record is None:
            await self._redis.zrem(keys.ended(), case)
            return False
        opened = self._codec.open
        kept = Archived(record=opened(record), head=head or "", rows=[opened(str(row)) for row in rows])
        named = [keys.case(case), keys.audit(case), keys.audited(case), keys.archived(case), keys.ended(), keys.open()]
        named += [keys.thread(thread), *(keys.owner(person) for person in sorted(people))]
        args = [case, record, head or "", len(rows), self._codec.seal(kept.model_dump_json())]
        return bool(await around("case.archive", self._move(keys=named, args=args)))

    async def put_off(self, case: str, now: datetime) -> None:
        """Look at it again when it would be due if it had ended now."""
        await self._redis.zadd(self._keys.ended(), {case: now.timestamp()}, xx=True)

    async def read(self, case: str) -> Archived | None:
        """An archived case; None where it is not there, or not archived."""
        stored = await self._redis.get(self._keys.archived(case))
        return None if stored is None else self._opened(str(stored))

    async def bring_back(self, case: str, now: datetime) -> None:
        """Have it where it was, as if it had ended now. Harmless where it is not archived."""
        keys = self._keys
        stored = await self._redis.get(keys.archived(case))
        if stored is None:
            return
        kept, seal = self._opened(str(stored)), self._codec.seal
        args = [case, str(stored), str(now.timestamp()), seal(kept.record), kept.head, *map(seal, kept.rows)]
        named = [keys.case(case), keys.audit(case), keys.archived(case), keys.ended()]
        await around("case.bring_back", self._bring_back(keys=named, args=args))

    def _opened(self, stored: str) -> Archived:
        try:
            return Archived.model_validate_json(self._codec.open(stored))
        except ValidationError as error:
            raise ValueError("an archived case cannot be read") from error
