"""The breakers of channels, in Redis: what one worker saw fail, all leave alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from redis.asyncio import Redis

from graph.errors import SUSPENDED, ToolUnavailable
from graph.store.keys import Keys

_LONGEST_SECONDS: Final = 120
"""The longest time for which a thing is left alone before it is tried again."""
_PROBE_SECONDS: Final = 10
"""For how long a caller that tries keeps all others waiting, should it die."""
_KEPT_SECONDS: Final = 86400

# KEYS[1] breaker:{name}   ARGV now in ms or empty, ms that a trial may take
# Returns ms to wait; 0: ask
_ADMIT: Final = """
local until_ = tonumber(redis.call('HGET', KEYS[1], 'until') or '0')
if until_ == 0 then return 0 end
local time = redis.call('TIME')
local now = tonumber(ARGV[1]) or (time[1] * 1000 + math.floor(time[2] / 1000))
if now < until_ then return until_ - now end
redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + ARGV[2]))
return 0
"""

# KEYS[1] breaker:{name}  KEYS[2] breakers
# ARGV    now in ms or empty, 1 when it failed, failures to open at, ms to stay open, ms at most, life in s, name
# Returns ms for which it is left alone; 0: it may be asked
_NOTE: Final = """
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
  redis.call('SREM', KEYS[2], ARGV[7])
  return 0
end
redis.call('SADD', KEYS[2], ARGV[7])
local failures = redis.call('HINCRBY', KEYS[1], 'failures', 1)
redis.call('EXPIRE', KEYS[1], ARGV[6])
if failures < tonumber(ARGV[3]) then return 0 end
local time = redis.call('TIME')
local now = tonumber(ARGV[1]) or (time[1] * 1000 + math.floor(time[2] / 1000))
local trip = failures - tonumber(ARGV[3])
local pause = math.min(ARGV[4] * 2 ^ math.min(trip, 20), tonumber(ARGV[5]))
redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + pause))
return math.floor(pause)
"""


class SharedBreakers:
    """Breakers by name. `clock` gives seconds since the epoch; without it, Redis's own time counts."""

    def __init__(self, redis: Redis, keys: Keys, clock: Callable[[], float] | None = None) -> None:
        self._redis = redis
        self._keys = keys
        self._clock = clock
        self._admit = redis.register_script(_ADMIT)
        self._note = redis.register_script(_NOTE)

    async def admit(self, name: str) -> None:
        """See `graph.tools.breaker.Breakers`."""
        left = int(await self._admit(keys=[self._keys.breaker(name)], args=[self._now(), _PROBE_SECONDS * 1000]))
        if left > 0:
            raise suspended(name, left / 1000)

    async def note(self, name: str, *, failed: bool, after: int, pause: float) -> float:
        """See `graph.tools.breaker.Breakers`."""
        spans = (round(pause * 1000), _LONGEST_SECONDS * 1000, _KEPT_SECONDS)
        args: list[str | int] = [self._now(), int(failed), after, *spans, name]
        named = [self._keys.breaker(name), self._keys.breakers()]
        return int(await self._note(keys=named, args=args)) / 1000

    async def left_alone(self) -> dict[str, float]:
        """The channels that are left alone now, with how many seconds more (0: the next caller tries)."""
        names = sorted(str(each) for each in await self._redis.smembers(self._keys.breakers()))
        seconds, micros = await self._redis.time()
        now = self._clock() if self._clock is not None else seconds + micros / 1e6
        async with self._redis.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.hget(self._keys.breaker(name), "until")
            ends = await pipe.execute()
        return {name: max(0.0, int(end) / 1000 - now) for name, end in zip(names, ends, strict=True) if end}

    def _now(self) -> str:
        return "" if self._clock is None else str(round(self._clock() * 1000))


def suspended(name: str, seconds: float) -> ToolUnavailable:
    """The error of a call that is not made."""
    return ToolUnavailable(SUSPENDED, f"{name} failed several times in a row and is left alone", pause=seconds)
