"""The journal of effects: begun means committed (law 4)."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Final

from redis import exceptions
from redis.asyncio import Redis

from graph.errors import EffectMismatch, ThreadBusy, ToolRefused, ToolUnavailable
from graph.failpoints import around
from graph.model import JsonValue
from graph.store.crypt import Codec
from graph.store.keys import Keys
from graph.tools.calling import Effect

_BEGIN: Final = """
-- KEYS[1] journal:{effect}  KEYS[2] fence:{thread}  KEYS[3] effects  KEYS[4] begun:{thread}
-- ARGV    fence, digest, thread, effect, event
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return {'stale'} end
local state, digest, result = unpack(redis.call('HMGET', KEYS[1], 'state', 'digest', 'result'))
if state then
  if digest ~= ARGV[2] then return {'mismatch'} end
  return {state, result or ''}
end
redis.call('SET', KEYS[4], ARGV[5])
redis.call('HSET', KEYS[1], 'state', 'begun', 'digest', ARGV[2], 'thread', ARGV[3])
redis.call('XADD', KEYS[3], '*', 'effect', ARGV[4], 'thread', ARGV[3], 'state', 'begun')
return {'new'}
"""

_END: Final = """
-- KEYS[1] journal:{effect}  KEYS[2] effects
-- ARGV    state ('done' or 'refused'), result, thread, effect
if redis.call('HGET', KEYS[1], 'state') == 'done' then return 0 end
if ARGV[1] == 'refused' then
  redis.call('DEL', KEYS[1])
else
  redis.call('HSET', KEYS[1], 'state', ARGV[1], 'result', ARGV[2])
end
redis.call('XADD', KEYS[2], '*', 'effect', ARGV[4], 'thread', ARGV[3], 'state', ARGV[1])
return 1
"""

_DISCARD: Final = """
-- KEYS[1] journal:{effect}  KEYS[2] fence:{thread}  KEYS[3] effects
-- ARGV    fence, effect, thread
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[1], 'state') ~= 'begun' then return 0 end
redis.call('DEL', KEYS[1])
redis.call('XADD', KEYS[3], '*', 'effect', ARGV[2], 'thread', ARGV[3], 'state', 'discarded')
return 1
"""

_SETTLE: Final = """
-- KEYS[1] begun:{thread}  KEYS[2] fence:{thread}
-- ARGV    fence
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
"""

_CONFIRMED_MS: Final = 2_000


class Journal:
    """One record for each write, under a key that is the same on every retry and replay. With `replicas`, an effect is
    sent only once so many replicas have its beginning, within `confirmed_ms`: a failover then cannot forget it."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        codec: Codec | None = None,
        *,
        replicas: int = 0,
        confirmed_ms: int = _CONFIRMED_MS,
    ) -> None:
        self._redis = redis
        self._replicas = replicas
        self._confirmed_ms = confirmed_ms
        self._keys = keys
        self._codec = codec or Codec()
        self._begin = redis.register_script(_BEGIN)
        self._settle = redis.register_script(_SETTLE)
        self._end = redis.register_script(_END)
        self._discard = redis.register_script(_DISCARD)

    async def once(self, effect: Effect, send: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """The recorded result of this effect, or `send` carried out and recorded.

        An effect that was begun and never ended is sent again with the same key: the receiver knows whether it paid.
        Where it does not (`resend` is false), ToolUnavailable `in_doubt`: a person must look.
        ThreadBusy when another worker holds the thread now, EffectMismatch when the key comes with other arguments.
        A refusal ends the effect as never begun, since the receiver has said that nothing happened. A ResponseError
        NOREPLICAS, to be waited for, when too few replicas have the beginning.
        """
        state, *rest = await around("journal.begin", self._begun(effect))
        match state:
            case "stale":
                raise ThreadBusy(f"thread {effect.thread} has been taken over; fence {effect.fence} is not the newest")
            case "mismatch":
                raise EffectMismatch(f"effect {effect.key} was begun with other arguments")
            case "done":
                recorded: JsonValue = json.loads(self._codec.open(rest[0]))
                return recorded
            case "begun" if not effect.resend:
                raise ToolUnavailable("in_doubt", f"effect {effect.key} was begun and must not be sent again")
        try:
            result = await send()
        except ToolRefused:
            await self._ended(effect, "refused", "")
            raise
        await self._ended(effect, "done", self._codec.seal(json.dumps(result, ensure_ascii=False)))
        return result

    async def begun(self, thread: str) -> JsonValue:
        """The event whose turn began a write and is not known to be stored: it comes before any other (law 4)."""
        event = await self._redis.get(self._keys.begun(thread))
        found: JsonValue = None if event is None else json.loads(self._codec.open(str(event)))
        return found

    async def discard(self, key: str, thread: str, fence: int) -> None:
        """Forget an effect that was begun and that a person found not to have happened. Nothing happens when `fence` is
        not the newest, or to an effect that has ended."""
        keys = self._keys
        await self._discard(
            keys=[keys.journal(key), keys.fence(thread), keys.effects()], args=[str(fence), key, thread]
        )

    async def settled(self, thread: str, fence: int) -> None:
        """What the turn came to is in the checkpoint. Nothing happens when `fence` is not the newest."""
        settling = self._settle(keys=[self._keys.begun(thread), self._keys.fence(thread)], args=[str(fence)])
        await around("journal.settle", settling)

    async def _begun(self, effect: Effect) -> list[str]:
        keys, event = self._keys, self._codec.seal(json.dumps(effect.event, ensure_ascii=False))
        named = [keys.journal(effect.key), keys.fence(effect.thread), keys.effects(), keys.begun(effect.thread)]
        args = [str(effect.fence), effect.digest, effect.thread, effect.key, event]
        if not self._replicas:
            begun: list[str] = await self._begin(keys=named, args=args)
            return begun
        # WAIT speaks of what was written on its own connection, so both go down the same one.
        async with self._redis.pipeline(transaction=False) as pipe:
            await self._begin(keys=named, args=args, client=pipe)
            pipe.wait(self._replicas, self._confirmed_ms)
            begun, reached = await pipe.execute()
        if reached < self._replicas:
            raise exceptions.ResponseError(f"NOREPLICAS {reached} of {self._replicas} have the effect {effect.key}")
        return begun

    async def _ended(self, effect: Effect, state: str, result: str) -> None:
        ending = self._end(
            keys=[self._keys.journal(effect.key), self._keys.effects()],
            args=[state, result, effect.thread, effect.key],
        )
        await around("journal.end", ending)
