"""The one door to the back office: arguments checked, writes journaled, time limited, retried, broken off."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from graph.errors import SUSPENDED, ToolRefused, ToolUnavailable
from graph.model import DoneEffect, Fact, JsonValue, Lang
from graph.tools.backoffice import BackOffice
from graph.tools.breaker import OPEN_AFTER, Breaker, Breakers, NoBreakers
from graph.tools.limits import Limits, first
from graph.tools.spec import Call, ToolSpec
from graph.tools.values import to_argument, to_fact

_OPEN_FOR = 30.0  # seconds for which a channel is left alone at first


@dataclass(frozen=True)
class Effect:
    """One write of one run: the key it is sent under, the digest of its arguments, who holds the thread, and the turn
    that makes it, as far as it has come (`graph.model.Begun`). `resend`: the receiver honours the key, so what was begun
    may be sent again. `again`: the turn is a replay that has not come farther than before; `known`: nor to the effect that
    it began last, so the journal has this one."""

    key: str
    digest: str
    thread: str
    fence: int
    turn: JsonValue = None
    resend: bool = True
    again: bool = False
    known: bool = False


@dataclass
class Tries:
    """How often a call was sent; the door counts, for whoever keeps a record of it."""

    count: int = 0


class Journal(Protocol):
    """Begun means committed (law 4)."""

    async def once(self, effect: Effect, send: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """The recorded result, or `send` carried out and recorded. ToolRefused is recorded as never begun."""
        ...

    async def discard(self, key: str, thread: str, fence: int) -> None:
        """Forget an effect that a person found not to have happened, so that it may be sent once more."""
        ...

    async def settled(self, thread: str, fence: int) -> None:
        """The turn that wrote is stored, or has ended without a write."""
        ...

    def was_done(self, thread: str, key: str) -> None:
        """The effect of a turn that is stored is known to be done, though its result is known to the turn alone."""
        ...

    def done(self, thread: str) -> tuple[DoneEffect, ...]:
        """What this thread has done and is not stored as done yet: whoever stores its case stores it."""
        ...

    async def finish(self, thread: str) -> None:
        """Store what this thread has done, though its turn has failed."""
        ...

    def stored(self, thread: str, done: tuple[DoneEffect, ...]) -> None:
        """So much of it is stored as done."""
        ...


@dataclass
class ToolDoor:
    """Calls tools. `timeout`, `retries` and `pause` override every tool's own where set, `limits` those of one tool."""

    tools: Mapping[str, ToolSpec]
    backoffice: BackOffice
    journal: Journal
    timeout: float | None = None
    retries: int | None = None
    pause: float | None = None
    limits: Mapping[str, Limits] = field(default_factory=dict)
    breakers: Breakers = field(default_factory=NoBreakers)
    clock: Callable[[], float] = time.monotonic
    _breaker: Breaker = field(init=False)

    def __post_init__(self) -> None:
        self._breaker = Breaker(self.clock)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Fact],
        *,
        lang: Lang,
        at: str,
        effect: Effect | None,
        tries: Tries | None = None,
    ) -> Fact:
        """Call a tool with facts and give its result as one.

        A write must come with its effect and is carried out once per key. ToolRefused when the back office says no,
        ToolUnavailable when it gives no usable answer after all tries; `in_doubt` when a write must not be repeated.
        """
        spec = self.tools[name]
        if spec.write and effect is None:
            raise ValueError(f"{name} writes; it needs an effect")
        values = {key: to_argument(fact, _annotation(spec, key)) for key, fact in arguments.items()}
        found: list[Fact] = []

        async def ask() -> Fact:
            result = await self._tried(spec, values, lang, effect.key if effect else None, tries or Tries())
            return to_fact(result, f"tool:{name}", at)

        async def send() -> JsonValue:
            self._breaker.check()
            found.append(await ask())
            return found[0].model_dump(mode="json", exclude_defaults=True)

        # A replay is given what the journal knows, however the back office is.
        if effect is None or not effect.again:
            self._breaker.check()
        if effect is None or not spec.write:
            return await ask()
        try:
            recorded = await self.journal.once(effect, send)
            return found[0] if found else Fact.model_validate(recorded)
        except ToolUnavailable as error:
            if effect.resend:
                raise
            raise ToolUnavailable("in_doubt", f"{name} may have happened; its receiver keeps no keys") from error

    async def _tried(
        self, spec: ToolSpec, values: Mapping[str, object], lang: Lang, key: str | None, counted: Tries
    ) -> object:
        """Try, and where the call may be repeated try again. What is left alone is not tried."""
        limits = self.limits.get(spec.name, Limits())
        tries = 1 + first(self.retries, limits.retries, spec.retries)
        if spec.write and spec.key != "honoured":
            tries = 1
        pause = first(self.pause, limits.pause, spec.pause)
        call = Call(self.backoffice, lang, key)
        while True:
            tries -= 1
            try:
                return await self._once(spec, limits, values, call, counted)
            except ToolUnavailable as error:
                if tries == 0 or error.code == SUSPENDED:
                    raise
            await asyncio.sleep(random.uniform(pause * 0.5, pause * 1.5))

    async def _once(
        self, spec: ToolSpec, limits: Limits, values: Mapping[str, object], call: Call, counted: Tries
    ) -> object:
        name = f"{spec.breaker}:{values[spec.breaker]}" if spec.breaker else ""
        if name:
            await self.breakers.admit(name)
        counted.count += 1
        try:
            async with asyncio.timeout(first(self.timeout, limits.timeout, spec.timeout)):
                result = await spec.run(call, **values)
        except (ToolUnavailable, TimeoutError) as error:
            left_alone = await self._note(name, limits, failed=True)
            if left_alone:
                raise ToolUnavailable(SUSPENDED, f"{name} is left alone now", pause=left_alone) from error
            raise error if isinstance(error, ToolUnavailable) else ToolUnavailable("slow") from error
        except ToolRefused:
            await self._note(name, limits, failed=False)
            raise
        await self._note(name, limits, failed=False)
        return result

    async def _note(self, name: str, limits: Limits, *, failed: bool) -> float:
        """A channel that fails says nothing of the back office that asks it."""
        if not name:
            self._breaker.note(failed=failed)
            return 0.0
        after, pause = first(limits.open_after, OPEN_AFTER), first(limits.open_for, _OPEN_FOR)
        return await self.breakers.note(name, failed=failed, after=after, pause=pause)


def _annotation(spec: ToolSpec, name: str) -> object:
    parameter = spec.parameter(name)
    if parameter is None:
        raise ToolRefused("bad_argument", f"{spec.name} has no argument {name!r}")
    return parameter.annotation
