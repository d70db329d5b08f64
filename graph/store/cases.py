"""Cases: which there are, whose, in which thread; and the whole state of those that have ended."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import BaseModel, ConfigDict
from redis.asyncio import Redis

from graph.model import CaseRow, JsonValue
from graph.store.keys import Keys

_CLAIM: Final = """
-- KEYS[1] case:{id}
-- ARGV    run, record
local known = redis.call('HGET', KEYS[1], 'run')
if not known then
  redis.call('HSET', KEYS[1], 'run', ARGV[1])
  return 1
end
return known == ARGV[1] and 1 or 0
"""


class StoredCase(BaseModel):
    """A case as kept. `state` is the whole run once it has ended; an open one is read from its checkpoint."""

    model_config = ConfigDict(extra="forbid")

    row: CaseRow
    state: dict[str, JsonValue] | None = None


class Cases:
    """Records of cases in Redis; see the table of keys."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._claim = redis.register_script(_CLAIM)

    async def claim(self, case: str, run: str) -> bool:
        """Take a case id for a run. False when another run has it; the same run may claim again."""
        return bool(await self._claim(keys=[self._keys.case(case)], args=[run]))

    async def save(self, row: CaseRow, owner: str, opener: str, state: dict[str, JsonValue] | None) -> None:
        """Keep what is known of a case; with `state`, for good."""
        stored = StoredCase(row=row, state=state).model_dump_json(exclude_defaults=True)
        score = datetime.fromisoformat(row.updated_at).timestamp()
        async with self._redis.pipeline(transaction=True) as pipe:
            pipe.hset(self._keys.case(row.case), "record", stored)
            pipe.set(self._keys.thread(row.thread), row.case)
            for person in {owner, opener}:
                pipe.zadd(self._keys.owner(person), {row.case: score})
            if state is None:
                pipe.sadd(self._keys.open(), row.case)
            else:
                pipe.srem(self._keys.open(), row.case)
            await pipe.execute()

    async def load(self, case: str) -> StoredCase | None:
        """A case by its id, or None."""
        record = await self._redis.hget(self._keys.case(case), "record")
        return None if record is None else StoredCase.model_validate_json(record)

    async def latest(self, thread: str) -> StoredCase | None:
        """The latest case of a thread, or None."""
        case = await self._redis.get(self._keys.thread(thread))
        return None if case is None else await self.load(str(case))

    async def of(self, actor: str, limit: int) -> list[CaseRow]:
        """A person's cases, those that changed last first."""
        names = await self._redis.zrevrange(self._keys.owner(actor), 0, limit - 1)
        found = [stored.row for name in names if (stored := await self.load(str(name))) is not None]
        return sorted(found, key=lambda row: row.status not in ("waiting", "working"))
