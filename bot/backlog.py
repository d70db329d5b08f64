"""How much waits, looked up in Redis when somebody asks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict
from redis.asyncio import Redis

from graph.store.breakers import SharedBreakers
from graph.store.keys import Keys

_AT_ONCE: Final = 500


class Backlog(BaseModel):
    """What waits in the whole desk. The age is that of the oldest event, in seconds since it was said; `left_alone` are the
    channels whose breaker is open."""

    model_config = ConfigDict(frozen=True)

    events: int
    threads: int
    oldest_seconds: float
    notices: int
    set_aside: int
    unsent: int
    cases_open: int
    left_alone: tuple[str, ...] = ()


async def backlog(redis: Redis, keys: Keys) -> Backlog:
    """Count what waits. It looks at the queues that hold something, never at all keys."""
    threads = await redis.hkeys(keys.marks("ready"))
    events, oldest = await _mail(redis, [keys.mailbox(str(thread)) for thread in threads])
    destinations = await redis.hkeys(keys.marks("sendable"))
    notices = await _lengths(redis, [keys.outbox(str(each)) for each in destinations])
    async with redis.pipeline(transaction=False) as pipe:
        pipe.hlen(keys.dead())
        pipe.llen(keys.unsent())
        pipe.scard(keys.open())
        set_aside, unsent, cases_open = await pipe.execute()
    return Backlog(
        events=events,
        threads=len(threads),
        oldest_seconds=max(0.0, time.time() - oldest / 1e6) if oldest else 0.0,
        notices=notices,
        set_aside=set_aside,
        unsent=unsent,
        cases_open=cases_open,
        left_alone=tuple(await SharedBreakers(redis, keys).left_alone()),
    )


async def _mail(redis: Redis, mailboxes: Sequence[str]) -> tuple[int, float]:
    """How many events, and when the oldest was said, in µs; 0 when there is none."""
    count, oldest = 0, 0.0
    for part in _parts(mailboxes):
        async with redis.pipeline(transaction=False) as pipe:
            for mailbox in part:
                pipe.zcard(mailbox)
                pipe.zrange(mailbox, 0, 0, withscores=True)
            answers = await pipe.execute()
        count += sum(answers[::2])
        said = [first[0][1] for first in answers[1::2] if first]
        oldest = min(said + ([oldest] if oldest else []), default=0.0)
    return count, oldest


async def _lengths(redis: Redis, queues: Sequence[str]) -> int:
    count = 0
    for part in _parts(queues):
        async with redis.pipeline(transaction=False) as pipe:
            for queue in part:
                pipe.llen(queue)
            count += sum(await pipe.execute())
    return count


def _parts(names: Sequence[str]) -> list[Sequence[str]]:
    return [names[start : start + _AT_ONCE] for start in range(0, len(names), _AT_ONCE)]
