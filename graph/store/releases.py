"""Versions of procedures in Redis: what is proposed, what is in force, and all that ever was."""

from __future__ import annotations

from typing import Final

from redis.asyncio import Redis

from graph.model.releases import Proposal, Release
from graph.store.keys import Keys

_RELEASE: Final = """
-- KEYS[1] released  KEYS[2] versions:{procedure}  KEYS[3] release-count  KEYS[4] proposed
-- ARGV    procedure, digest that was in force or '', the release as JSON, the proposal that it takes up or ''
local known = redis.call('HGET', KEYS[1], ARGV[1])
local digest = known and cjson.decode(known).digest or ''
if digest ~= ARGV[2] then return 0 end
if ARGV[4] ~= '' then
  if redis.call('HGET', KEYS[4], ARGV[1]) ~= ARGV[4] then return 0 end
  redis.call('HDEL', KEYS[4], ARGV[1])
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('RPUSH', KEYS[2], ARGV[3])
redis.call('INCR', KEYS[3])
return 1
"""


class Releases:
    """The versions; see the table of keys."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._release = redis.register_script(_RELEASE)

    async def count(self) -> int:
        """How many releases there were: another number says that another version is in force."""
        return int(await self._redis.get(self._keys.release_count()) or 0)

    async def in_force(self) -> dict[str, Release]:
        """What is in force, by procedure; those that were never released are not in it."""
        found = [Release.model_validate_json(raw) for raw in await self._redis.hvals(self._keys.released())]
        return {each.sop: each for each in sorted(found, key=lambda each: each.sop)}

    async def versions(self, sop: str) -> list[Release]:
        """All releases of a procedure, oldest first."""
        return [Release.model_validate_json(raw) for raw in await self._redis.lrange(self._keys.versions(sop), 0, -1)]

    async def propose(self, proposal: Proposal) -> None:
        """Note a proposal in place of the one before."""
        await self._redis.hset(self._keys.proposed(), proposal.sop, proposal.model_dump_json())

    async def proposed(self) -> dict[str, Proposal]:
        """What is proposed and not released, by procedure."""
        found = [Proposal.model_validate_json(raw) for raw in await self._redis.hvals(self._keys.proposed())]
        return {each.sop: each for each in sorted(found, key=lambda each: each.sop)}

    async def release(self, release: Release, was: Release | None, proposal: Proposal | None) -> bool:
        """Put a version into force in place of `was`, and take up the proposal. False, with nothing changed, where another
        came first."""
        given = [
            release.sop,
            was.digest if was else "",
            release.model_dump_json(),
            proposal.model_dump_json() if proposal else "",
        ]
        names = [self._keys.released(), self._keys.versions(release.sop), self._keys.release_count(), self._keys.proposed()]
        return bool(await self._release(keys=names, args=given))
