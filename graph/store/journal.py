"""The journal of effects: begun means committed (law 4)."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from graph.errors import EffectMismatch, StateLost, ThreadBusy, ToolRefused, ToolUnavailable
from graph.failpoints import around
from graph.json_text import dumps
from graph.model import DoneEffect, JsonValue
from graph.store.crypt import Codec
from graph.store.keys import Keys
from graph.tools.calling import Effect

log = logging.getLogger(__name__)

FINISH: Final = """
-- The stream of effects, journal:{effect}, the effect, its thread, 'done' or 'refused', the result.
local function finish(effects, entry, effect, thread, state, result)
  if redis.call('HGET', entry, 'state') ~= 'begun' then return 0 end
  if state == 'refused' then redis.call('DEL', entry) else redis.call('HSET', entry, 'state', state, 'result', result) end
  redis.call('XADD', effects, '*', 'effect', effect, 'thread', thread, 'state', state)
  return 1
end
"""

_BEGIN: Final = f"""
-- KEYS[1] journal:{{effect}}  KEYS[2] fence:{{thread}}  KEYS[3] effects  KEYS[4] begun:{{thread}}
--         KEYS[5…] journal:{{effect}} of those that are done
-- ARGV    fence, digest, thread, effect, the turn, 1 where it must be known, then effect and result of each that is done
{FINISH}
for index = 5, #KEYS do
  finish(KEYS[3], KEYS[index], ARGV[2 * index - 3], ARGV[3], 'done', ARGV[2 * index - 2])
end
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return {{'stale'}} end
local state, digest, result = unpack(redis.call('HMGET', KEYS[1], 'state', 'digest', 'result'))
if state then
  if digest ~= ARGV[2] then return {{'mismatch'}} end
  if state == 'begun' and ARGV[6] ~= '1' then redis.call('SET', KEYS[4], ARGV[5]) end
  return {{state, result or ''}}
end
if ARGV[6] == '1' then return {{'unknown'}} end
redis.call('SET', KEYS[4], ARGV[5])
redis.call('HSET', KEYS[1], 'state', 'begun', 'digest', ARGV[2], 'thread', ARGV[3])
redis.call('XADD', KEYS[3], '*', 'effect', ARGV[4], 'thread', ARGV[3], 'state', 'begun')
return {{'new'}}
"""

_END: Final = f"""
-- KEYS[1] effects  KEYS[2] journal:{{effect}}
-- ARGV    effect, thread, state, result
{FINISH}
return finish(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
"""

_DISCARD: Final = """
-- KEYS[1] journal:{effect}  KEYS[2] fence:{thread}  KEYS[3] effects
-- ARGV    fence, effect, thread
local newest = redis.call('GET', KEYS[2])
if newest and newest ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[1], 'state') == 'done' then return 0 end
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
_THREADS: Final = 1024
"""Threads of which it is remembered what they have done: more than are at work at once."""


class Journal:
    """One record for each write, under a key that is the same on every retry and replay. With `replicas`, an effect is
    sent only once so many replicas have its beginning, within `confirmed_ms`: a failover then cannot forget it.

    That an effect is done is stored with what its thread stores next: the next beginning, or the case. Until then a replay
    sends it again, under the same key; so where a receiver keeps no keys it is stored at once."""

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
        self._done: dict[str, tuple[DoneEffect, ...]] = {}

    async def once(self, effect: Effect, send: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """The recorded result of this effect, or `send` carried out and recorded.

        An effect that was begun and never ended is sent again with the same key: the receiver knows whether it paid.
        Where it does not (`resend` is false), ToolUnavailable `in_doubt`: a person must look.
        ThreadBusy when another worker holds the thread now, EffectMismatch when the key comes with other arguments,
        StateLost when the journal should know the effect and does not.
        A refusal ends the effect as never begun, since the receiver has said that nothing happened. A ResponseError
        NOREPLICAS, to be waited for, when too few replicas have the beginning.
        """
        state, *rest = await around("journal.begin", self._begun(effect))
        match state:
            case "stale":
                raise ThreadBusy(f"thread {effect.thread} has been taken over; fence {effect.fence} is not the newest")
            case "unknown":
                raise StateLost(
                    f"a replay would begin the effect {effect.key} before it has finished the one that it is there for"
                )
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
            await self._ended(effect.thread, effect.key, "refused", "")
            raise
        sealed = self._codec.seal(dumps(result))
        if effect.resend:
            self._remember(effect.thread, DoneEffect(effect.key, sealed))
        else:
            await self._ended(effect.thread, effect.key, "done", sealed)
        return result

    def was_done(self, thread: str, key: str) -> None:
        """The effect of a turn that is stored has ended, though who ended it is gone: where it was done, its result is in
        the turn alone, and where it was refused the journal has forgotten it."""
        self._remember(thread, DoneEffect(key, self._codec.seal("null")))

    def done(self, thread: str) -> tuple[DoneEffect, ...]:
        """What this thread has done and is not stored as done yet."""
        return self._done.get(thread, ())

    async def finish(self, thread: str) -> None:
        """Store what this thread has done, whoever holds it now: its turn has failed, but the effects are there. Where
        Redis is away, too, it stays for the thread's next turn."""
        for each in (done := self.done(thread)):
            try:
                await self._ended(thread, each.key, "done", each.result)
            except RedisError as error:
                log.warning("effect %s is done, which is not stored yet: %s", each.key, error)
                return
        self.stored(thread, done)

    def stored(self, thread: str, done: tuple[DoneEffect, ...]) -> None:
        """So much of it is stored as done."""
        rest = tuple(each for each in self.done(thread) if each not in done)
        if rest:
            self._done[thread] = rest
        else:
            self._done.pop(thread, None)

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
        keys, turn = self._keys, self._codec.seal(dumps(effect.turn), passing=True)
        named = [keys.journal(effect.key), keys.fence(effect.thread), keys.effects(), keys.begun(effect.thread)]
        args = [str(effect.fence), effect.digest, effect.thread, effect.key, turn, str(int(effect.known))]
        done = self.done(effect.thread)
        named += [keys.journal(each.key) for each in done]
        args += [part for each in done for part in each]
        begun = await self._confirmed(effect, named, args)
        self.stored(effect.thread, done)
        return begun

    async def _confirmed(self, effect: Effect, named: list[str], args: list[str]) -> list[str]:
        if not self._replicas:
            begun: list[str] = await self._begin(keys=named, args=args)
            return begun
        # WAIT speaks of what was written on its own connection, so both go down the same one.
        async with self._redis.pipeline(transaction=False) as pipe:
            await self._begin(keys=named, args=args, client=pipe)
            pipe.wait(self._replicas, self._confirmed_ms)
            begun, reached = await pipe.execute()
        if reached < self._replicas:
            raise ResponseError(f"NOREPLICAS {reached} of {self._replicas} have the effect {effect.key}")
        return begun

    async def _ended(self, thread: str, key: str, state: str, result: str) -> None:
        ending = self._end(keys=[self._keys.effects(), self._keys.journal(key)], args=[key, thread, state, result])
        await around("journal.end", ending)

    def _remember(self, thread: str, done: DoneEffect) -> None:
        known = self._done.pop(thread, ())
        if len(self._done) >= _THREADS:
            self._done.pop(next(iter(self._done)))
        self._done[thread] = (*known, done)
