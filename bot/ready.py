"""What is ready to be worked on: a stream of names, shared by all workers, taken over from those that die.

A name is in the stream at most once, so one worker has it. Inbox and outbox each have such a stream, of threads and
of destinations.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator
from typing import Final, Literal, NamedTuple, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from bot.scripts import Script
from graph.failpoints import around
from graph.store.connect import BLOCK_SECONDS, Patience, end, is_away
from graph.store.keys import Keys

log = logging.getLogger(__name__)

_GROUP: Final = "workers"
_FORGET_SECONDS: Final = 3600.0
_LEAVE_SECONDS: Final = 5.0
Entries = list[tuple[str, dict[str, str] | None]]


class Held(NamedTuple):
    """An item in hand and its entry in the stream."""

    item: str
    entry: str


class ReadyStream:
    """One consumer of the stream `name`. What it holds for longer than `idle` seconds without a heartbeat is taken over."""

    def __init__(self, redis: Redis, keys: Keys, name: Literal["ready", "sendable"], *, idle: float = 15.0) -> None:
        self.consumer = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._redis = redis
        self._name = name
        self._key = keys.stream(name)
        self._idle = idle
        self._held: set[Held] = set()
        self._away = Patience()
        self._put_off = Script(redis, keys, "put_off")
        self._beat = Script(redis, keys, "beat")
        self._leave = Script(redis, keys, "leave")

    @contextlib.asynccontextmanager
    async def joined(self) -> AsyncIterator[None]:
        """Keep what is held alive; at the end, hand it back for others to take at once."""
        heart = asyncio.create_task(self._keep(), name=f"heartbeat of {self._name}")
        try:
            yield
        finally:
            await end(heart)
            if not heart.cancelled() and (error := heart.exception()) is not None:
                log.error("the heartbeat of %s ended early (%s)", self._name, type(error).__name__)
            self._held.clear()
            try:
                async with asyncio.timeout(_LEAVE_SECONDS):
                    await self._leave(self._name, self.consumer)
            except (RedisError, TimeoutError) as error:
                log.warning("%s not handed back, others will take it over (%s)", self._name, type(error).__name__)

    async def read(self, count: int) -> list[Held]:
        """Up to `count` items, those of dead consumers first; blocks for up to five seconds, then returns none.

        While Redis is away it waits a growing while and returns none.
        """
        try:
            fresh = await around("ready.take", self._read_or_found(count))
        except RedisError as error:
            if not is_away(error):
                raise
            await self._away.pause()
            return []
        self._away.reset()
        self._held.update(fresh)
        return fresh

    def let_go(self, held: Held) -> None:
        """It is done with, or no longer ours: no more heartbeats."""
        self._held.discard(held)

    async def put_off(self, held: Held, seconds: float) -> None:
        """Come back to it, whoever does, after so long."""
        await self._put_off(self._name, held.item, held.entry, self.consumer, round(seconds * 1000))
        self.let_go(held)

    async def _read_or_found(self, count: int) -> list[Held]:
        try:
            return await self._read(count)
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
            await self._found()
            return []

    async def _read(self, count: int) -> list[Held]:
        claimed = await self._redis.xautoclaim(self._key, _GROUP, self.consumer, round(self._idle * 1000), count=count)
        # One of our own, kept waiting by a slow loop, is being worked on already.
        taken = [held for held in _entries(claimed[1]) if held not in self._held]
        if taken:
            log.info("took over %d of %s from a consumer that went silent", len(taken), self._name)
            return taken
        block = min(BLOCK_SECONDS, self._idle / 3)
        answer = await self._redis.xreadgroup(
            _GROUP, self.consumer, {self._key: ">"}, count=count, block=max(1, round(block * 1000))
        )
        # The client's own types leave open which shape of answer its settings lead to.
        return [held for _, entries in cast("list[tuple[str, Entries]]", answer) for held in _entries(entries)]

    async def _found(self) -> None:
        """Make the stream and its group, once; forget consumers that died long ago."""
        try:
            await self._redis.xgroup_create(self._key, _GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise
        for consumer in await self._redis.xinfo_consumers(self._key, _GROUP):
            if not consumer["pending"] and consumer["idle"] > _FORGET_SECONDS * 1000:
                await self._redis.xgroup_delconsumer(self._key, _GROUP, consumer["name"])

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(self._idle / 3)
            held = {one.entry: one for one in self._held}
            if not held:
                continue
            try:
                lost = await self._beat(self._name, self.consumer, *held)
            except RedisError as error:
                if not is_away(error):
                    raise
                continue
            for entry in lost if isinstance(lost, list) else []:
                if isinstance(entry, str):
                    self.let_go(held[entry])


def _entries(entries: Entries) -> list[Held]:
    return [Held(fields["item"], entry) for entry, fields in entries if fields]
