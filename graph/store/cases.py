"""Cases: which there are, whose, in which thread; and the whole state of those that have ended."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, SkipValidation
from redis.asyncio import Redis

from graph.errors import ThreadBusy
from graph.failpoints import around
from graph.json_text import dumps
from graph.model import NOTHING, CaseRow, Closing, JsonValue, LogLine
from graph.store.archive import Archive
from graph.store.audit import TRIES, Audit
from graph.store.case_scripts import CLAIM, GIVE_UP, RELEASE, SAVE, SHELVE
from graph.store.crypt import CannotOpen, Codec
from graph.store.figures import week_of
from graph.store.keys import Keys
from graph.store.stakes import held_as, settling

_LOOKED_AT: Final = 500


class StoredCase(BaseModel):
    """A case as kept. `state` is the whole run once it has ended, and checked when it becomes one again; an open run is
    read from its checkpoint."""

    model_config = ConfigDict(extra="forbid")

    row: CaseRow
    state: SkipValidation[dict[str, JsonValue]] | None = None

    @property
    def people(self) -> set[str]:
        """Those in whose lists it stands, as far as an ended case tells."""
        told = [(self.state or {}).get(name) for name in ("owner", "opener")]
        return {str(each["id"]) for each in told if isinstance(each, dict) and "id" in each}


class Cases:
    """Records of cases in Redis; see the table of keys."""

    def __init__(self, redis: Redis, keys: Keys, codec: Codec | None = None, audit: Audit | None = None) -> None:
        self._redis = redis
        self._keys = keys
        self._codec = codec or Codec()
        self._archive = Archive(redis, keys, self._codec)
        self._audit = audit or Audit(redis, keys, self._codec)
        self._claim = redis.register_script(CLAIM)
        self._release = redis.register_script(RELEASE)
        self._save = redis.register_script(SAVE)
        self._shelve = redis.register_script(SHELVE)
        self._give_up = redis.register_script(GIVE_UP)

    async def claim(self, case: str, run: str) -> Literal["", "new", "known"]:
        """Take a case id for a run: `known` where a case has come of it. Empty when another run has it; the same run may
        claim again."""
        claiming = self._claim(keys=[self._keys.case(case), self._keys.archived(case)], args=[run])
        answers: tuple[Literal["", "new", "known"], ...] = ("", "new", "known")
        return answers[int(await around("case.claim", claiming))]

    async def release(self, case: str, run: str) -> None:
        """Give back an id of which no case came."""
        await around("case.release", self._release(keys=[self._keys.case(case)], args=[run]))

    async def save(
        self,
        row: CaseRow,
        owner: str,
        opener: str,
        state: dict[str, JsonValue] | None,
        *,
        fence: int,
        lines: Sequence[LogLine] = (),
        closing: Closing = NOTHING,
    ) -> None:
        """Keep what is known of a case once its turn is stored: a write that the turn began is settled by this, what
        has come to its end is recorded, and the turn's lines are in the audit log. With `state` it is kept for good, and
        the thread's checkpoint goes. ThreadBusy when `fence` is not the newest."""
        kept = {"row": row.model_dump(mode="json", exclude_defaults=True)} | ({} if state is None else {"state": state})
        stored = self._codec.seal(dumps(kept))
        moment = str(datetime.fromisoformat(row.updated_at).timestamp())
        since = str(datetime.fromisoformat(row.since).timestamp()) if row.since else moment
        for _ in range(TRIES):
            batch = await self._audit.ready(row.case, lines)
            args = [str(fence), row.case, stored, moment, "open" if state is None else "over"]
            args += [self._keys.waiting(""), row.place, since, row.sop, str(int(row.needed_person))]
            args += [self._ended(row.thread, closing), *batch.args]
            saved = await around("case.save", self._save(keys=self._written(row, owner, opener), args=args))
            if saved == 1:
                return self._audit.appended(row.case, batch)
            if saved == 0:
                raise ThreadBusy(f"thread {row.thread} has been taken over; fence {fence} is not the newest")
        raise ThreadBusy(f"the audit log of case {row.case} is written by others all the time")

    def _ended(self, thread: str, closing: Closing) -> str:
        effects = [[self._keys.journal(each.key), each.key, thread, "done", each.result] for each in closing.effects]
        stakes = [settling(self._keys, each) for each in closing.stakes]
        held = [held_as(self._keys, each) for each in closing.held]
        claim = self._keys.claim(closing.claim) if closing.claim else ""
        return dumps([effects, stakes, held, list(closing.used), thread, claim])

    async def shelve(self, row: CaseRow, owner: str, opener: str, state: dict[str, JsonValue], *, fence: int) -> None:
        """Keep a case that waits behind another of its thread: it is not yet the thread's, and has no checkpoint.
        ThreadBusy when `fence` is not the newest."""
        stored = self._codec.seal(dumps({"row": row.model_dump(mode="json", exclude_defaults=True), "state": state}))
        keys = self._keys
        people = [keys.owner(person) for person in sorted({owner, opener})]
        moment = str(datetime.fromisoformat(row.updated_at).timestamp())
        shelving = self._shelve(
            keys=[keys.case(row.case), keys.open(), keys.fence(row.thread), keys.ended(), *people],
            args=[str(fence), row.case, stored, moment, "over" if row.status == "cancelled" else "open"],
        )
        if not await around("case.shelve", shelving):
            raise ThreadBusy(f"thread {row.thread} has been taken over; fence {fence} is not the newest")

    async def give_up(self, thread: str, fence: int) -> None:
        """Free what a turn put at stake or claimed, which was not stored and is not tried again. ThreadBusy when `fence` is
        not the newest."""
        keys = self._keys
        named = [keys.staked(thread), keys.claimed(thread), keys.fence(thread), keys.begun(thread)]
        named += [keys.kept(thread), keys.thread(thread)]
        if not await around("case.give_up", self._give_up(keys=named, args=[str(fence), thread, keys.case("")])):
            raise ThreadBusy(f"thread {thread} has been taken over; fence {fence} is not the newest")

    def _written(self, row: CaseRow, owner: str, opener: str) -> list[str]:
        keys = self._keys
        lists = [keys.owner(person) for person in sorted({owner, opener})]
        return [
            keys.case(row.case),
            keys.thread(row.thread),
            keys.open(),
            keys.fence(row.thread),
            keys.begun(row.thread),
            keys.kept(row.thread),
            keys.audit(row.case),
            keys.audited(row.case),
            keys.figures(week_of(datetime.fromisoformat(row.updated_at).astimezone(UTC))),
            keys.effects(),
            keys.ended(),
            keys.staked(row.thread),
            keys.used(row.thread),
            keys.claimed(row.thread),
            *lists,
            *([keys.order(row.order)] if row.order else []),
            *([keys.drills()] if row.drill else []),
        ]

    async def load(self, case: str) -> StoredCase | None:
        """A case by its id, archived or not, or None."""
        record = await self._redis.hget(self._keys.case(case), "record")
        if record is not None:
            return self._opened(str(record))
        archived = await self._archive.read(case)
        return None if archived is None else StoredCase.model_validate_json(archived.record)

    async def archive(self, before: datetime, now: datetime, limit: int = 100) -> list[str]:
        """Archive as many of the cases that ended before then, and drop what the stream of effects tells of that time.
        Those that could not be, because they were written to meanwhile or cannot be read, are put off as if they had
        ended now. Returns all that were looked at."""
        await self._redis.xtrim(self._keys.effects(), minid=str(round(before.timestamp() * 1000)), approximate=True)
        due = await self._archive.due(before, limit)
        for case in due:
            moved = False
            with contextlib.suppress(CannotOpen, ValueError):
                stored = await self.load(case)
                if stored is not None:
                    moved = await self._archive.move(case, stored.row.thread, stored.people)
            if not moved:
                await self._archive.put_off(case, now)
        return due

    async def latest(self, thread: str) -> StoredCase | None:
        """The latest case of a thread, or None."""
        case = await self._redis.get(self._keys.thread(thread))
        return None if case is None else await self.load(str(case))

    async def of(self, actor: str, limit: int) -> list[CaseRow]:
        """A person's cases, open ones first, then those that changed last; of more than 500, the newest."""
        names = await self._redis.zrevrange(self._keys.owner(actor), 0, _LOOKED_AT - 1)
        rows = await self._rows([str(name) for name in names])
        return sorted(rows, key=lambda row: row.status not in ("waiting", "working"))[:limit]

    async def drills(self, limit: int) -> list[CaseRow]:
        """The drills that have ended, the newest first."""
        names = await self._redis.zrevrange(self._keys.drills(), 0, limit - 1)
        return await self._rows([str(name) for name in names])

    async def waiting(self, places: Sequence[str], limit: int) -> list[CaseRow]:
        """The cases that wait at these places, and of each place no more than the `limit` oldest."""
        async with self._redis.pipeline(transaction=False) as pipe:
            for place in places:
                pipe.zrange(self._keys.waiting(place), 0, limit - 1)
            found = await pipe.execute()
        return await self._rows([str(name) for names in found for name in names])

    async def _rows(self, names: Sequence[str]) -> list[CaseRow]:
        async with self._redis.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.hget(self._keys.case(name), "record")
            records = await pipe.execute()
        return [self._opened(record).row for record in records if record is not None]

    def _opened(self, record: str) -> StoredCase:
        return StoredCase.model_validate_json(self._codec.open(record))
