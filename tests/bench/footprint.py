"""What one case asks of Redis: commands, and the bytes that stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from redis.asyncio import Redis

from tests.bench.measures import new_thread
from tests.bench.variants import Variant

_MARK: Final = "end of the measurement"
_OURS: Final = frozenset({"XLEN", "CLIENT", "HELLO", "PING", "SELECT", "SCRIPT", "MONITOR"})
"""What this benchmark, or a new connection, asks."""


@dataclass(frozen=True)
class Footprint:
    """For one case: commands sent by clients, commands called by scripts beside those, bytes kept once all is sent."""

    sent: float
    inside: float
    kept: float
    by_command: dict[str, float]


@dataclass
class _Seen:
    sent: Counter[str] = field(default_factory=Counter)
    inside: Counter[str] = field(default_factory=Counter)


async def footprint(redis: Redis, variant: Variant, cases: int) -> Footprint:
    """Averages over so many t6 cases, one after another."""
    await variant.carry("t6", new_thread())
    await variant.tidy()
    before = await kept(redis)
    async with _watching(redis) as seen:
        for _ in range(cases):
            await variant.carry("t6", new_thread())
            await variant.settled()
    await variant.tidy()
    return Footprint(
        sent=seen.sent.total() / cases,
        inside=seen.inside.total() / cases,
        kept=(await kept(redis) - before) / cases,
        by_command={name: count / cases for name, count in seen.sent.most_common()},
    )


async def kept(redis: Redis) -> int:
    """The bytes of all keys of the server."""
    names = [name async for name in redis.scan_iter(count=1000)]
    async with redis.pipeline(transaction=False) as pipe:
        for name in names:
            pipe.memory_usage(name, samples=0)
        return sum(size or 0 for size in await pipe.execute())


@asynccontextmanager
async def _watching(redis: Redis) -> AsyncIterator[_Seen]:
    """Count, by MONITOR, what is asked of the server while inside."""
    seen = _Seen()
    async with redis.monitor() as monitor:
        yield seen
        await redis.echo(_MARK)
        while _MARK not in (line := await monitor.next_command())["command"]:
            name = str(line["command"]).partition(" ")[0].upper()
            if line["client_type"] == "lua":
                seen.inside[name] += 1
            elif name not in _OURS:
                seen.sent[name] += 1
