"""The one clock: timers of requests, signs of receipt, and what was put off, fired once by whichever process is first."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from bot.scripts import Script
from graph.model import Actor, Event, Timer
from graph.store.connect import BLOCK_SECONDS, Patience, is_away, stopped_first
from graph.store.keys import Keys

log = logging.getLogger(__name__)

FIRED_SECONDS: Final = 90 * 86400
"""How long a fired timer is remembered, so that the same outcome told again does not set it again."""
_AT_ONCE: Final = 100
_CLOCK: Final = Actor(id="timer", name="timer")
_STORED_LATER: Final = datetime.fromtimestamp(0, tz=UTC)


class Clock:
    """Fires what is due. Any number may run; each thing fires once. `beat` is called each time the loop comes round."""

    def __init__(self, redis: Redis, keys: Keys, beat: Callable[[], None] = lambda: None) -> None:
        self._redis = redis
        self._beat = beat
        self._alarm = keys.alarm()
        self._fire = Script(redis, keys, "fire")

    async def run(self, stopping: asyncio.Event) -> None:
        """Sleep until the earliest is due, or something earlier is set; until `stopping`. Outlives Redis being away."""
        patience = Patience(stopping)
        while not stopping.is_set():
            self._beat()
            try:
                left = await self.fire()
                if left is None or left > 0:
                    # In bites: the alarm may have been read by a clock that died.
                    seconds = BLOCK_SECONDS if left is None else min(left, BLOCK_SECONDS)
                    await stopped_first(stopping, self._redis.blpop([self._alarm], timeout=max(seconds, 0.001)))
            except RedisError as error:
                if not is_away(error):
                    raise
                await patience.pause()
            else:
                patience.reset()

    async def fire(self) -> float | None:
        """Fire what is due now; the seconds until the next, None if there is none."""
        answer = await self._fire(_AT_ONCE, FIRED_SECONDS)
        if not isinstance(answer, list):
            raise TypeError("the script `fire` returned no list")
        _, left, broken = answer
        for member in broken if isinstance(broken, list) else []:
            log.error("clock %s held nothing readable and was dropped", member)
        return None if left == -1 else int(str(left)) / 1000


def timer_args(thread: str, timers: list[Timer]) -> str:
    """The timers as the script `finish` takes them: id, due in ms, and the event each will be."""
    return json.dumps([_timer_arg(thread, timer) for timer in timers], ensure_ascii=False)


def timer_event(event: str, thread: str) -> str:
    """The event that a clock puts into a thread's mailbox, as JSON without its time. One that fits nothing shows the
    state as it is."""
    made = Event(
        id=event, thread=thread, kind="timer", actor=_CLOCK, at=_STORED_LATER, timer=event.removeprefix("timer:")
    )
    return made.model_dump_json(exclude={"at"})


def _timer_arg(thread: str, timer: Timer) -> dict[str, str | int]:
    due = datetime.fromisoformat(timer.due)
    if due.tzinfo is None:
        raise ValueError(f"timer {timer.id} is due at {timer.due}: a time zone is needed, such as +00:00")
    return {
        "id": timer.id,
        "due": round(due.timestamp() * 1000),
        "event": timer_event(f"timer:{timer.id}", thread),
    }
