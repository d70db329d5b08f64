"""The one door to the back office: arguments checked, writes journaled, time limited, retried, broken off."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from graph.errors import ToolRefused, ToolUnavailable
from graph.model import Fact, JsonValue, Lang
from graph.tools.backoffice import BackOffice
from graph.tools.spec import Call, ToolSpec
from graph.tools.values import to_argument, to_fact

_FIRST_PAUSE = 0.2
_OPEN_AFTER = 5
_OPEN_FOR = 10.0


@dataclass(frozen=True)
class Effect:
    """One write of one run: the key it is sent under, the digest of its arguments, who holds the thread, and the event
    in whose turn it is made. `resend`: the receiver honours the key, so what was begun may be sent again."""

    key: str
    digest: str
    thread: str
    fence: int
    event: JsonValue = None
    resend: bool = True


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

    async def begun(self, thread: str) -> JsonValue:
        """The event of this thread whose turn began a write and is not known to have been stored; None without one."""
        ...

    async def settled(self, thread: str, fence: int) -> None:
        """The turn that wrote is stored, or has ended without a write."""
        ...


@dataclass
class _Breaker:
    """After five failures in a row nothing is asked for ten seconds."""

    clock: Callable[[], float]
    failures: int = 0
    until: float = 0.0

    def check(self) -> None:
        """ToolUnavailable while nothing is asked."""
        if self.failures >= _OPEN_AFTER and self.clock() < self.until:
            raise ToolUnavailable("down", "the back office failed several times in a row; it is left alone for a moment")

    def note(self, *, failed: bool) -> None:
        self.failures = self.failures + 1 if failed else 0
        self.until = self.clock() + _OPEN_FOR


@dataclass
class ToolDoor:
    """Calls tools. `timeout` and `retries` override the tools' own where set."""

    tools: Mapping[str, ToolSpec]
    backoffice: BackOffice
    journal: Journal
    timeout: float | None = None
    retries: int | None = None
    pause: float = _FIRST_PAUSE
    clock: Callable[[], float] = time.monotonic
    _breaker: _Breaker = field(init=False)

    def __post_init__(self) -> None:
        self._breaker = _Breaker(self.clock)

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

        async def send() -> JsonValue:
            result = await self._tried(spec, values, lang, effect.key if effect else None, tries or Tries())
            return to_fact(result, f"tool:{name}", at).model_dump(mode="json", exclude_defaults=True)

        self._breaker.check()
        if effect is None or not spec.write:
            return Fact.model_validate(await send())
        try:
            return Fact.model_validate(await self.journal.once(effect, send))
        except ToolUnavailable as error:
            if effect.resend:
                raise
            raise ToolUnavailable("in_doubt", f"{name} may have happened; its receiver keeps no keys") from error

    async def _tried(
        self, spec: ToolSpec, values: Mapping[str, object], lang: Lang, key: str | None, counted: Tries
    ) -> object:
        tries = 1 + (spec.retries if self.retries is None else self.retries)
        if spec.write and spec.key != "honoured":
            tries = 1
        pause = self.pause
        for left in reversed(range(tries)):
            counted.count += 1
            try:
                async with asyncio.timeout(spec.timeout if self.timeout is None else self.timeout):
                    result = await spec.run(Call(self.backoffice, lang, key), **values)
            except ToolRefused:
                self._breaker.note(failed=False)
                raise
            except (ToolUnavailable, TimeoutError) as error:
                self._breaker.note(failed=True)
                if not left:
                    raise error if isinstance(error, ToolUnavailable) else ToolUnavailable("slow") from error
                await asyncio.sleep(pause * random.uniform(0.5, 1.5))
                pause *= 2
            else:
                self._breaker.note(failed=False)
                return result
        raise AssertionError("unreachable: the last try returns or raises")


def _annotation(spec: ToolSpec, name: str) -> object:
    parameter = spec.parameter(name)
    if parameter is None:
        raise ToolRefused("bad_argument", f"{spec.name} has no argument {name!r}")
    return parameter.annotation
