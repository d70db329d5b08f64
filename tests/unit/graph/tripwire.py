"""Crashes on purpose: at any call that the engine makes to a store or to the back office."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from graph.tools.breaker import Breaker
from tests.unit.graph.builders import Desk

When = Literal["before", "after"]
Mode = Literal["error", "kill"]


class Crash(Exception):
    """What a test makes go wrong."""


class Tripwire:
    """Counts the engine's calls to what is outside it, and makes the one that is armed fail.

    `before`: the call is not made. `after`: it is made, and its answer is lost. `error`: whatever follows works. `kill`:
    nothing works any more until `revive`, as if the process were gone.
    """

    def __init__(self, desk: Desk) -> None:
        self.names: list[str] = []
        self.dead = False
        self._armed: tuple[int | str, When, Mode] | None = None
        self._journal, self._audit, self._door = desk.journal, desk.audit, desk.engine.door
        journal, client = desk.engine.door.journal, desk.engine.door.backoffice
        for owner, names in (
            (journal, ("once", "finish", "settled")),
            (desk.cases, ("claim", "release", "save", "shelve", "latest")),
            (desk.audit, ("note",)),
            (desk.saver, ("aget_tuple", "look", "aput", "aput_writes", "forget")),
            (client, ("_ask",)),
            (desk.engine.claims, ("take",)),
            (desk.engine.stakes, ("look", "reserve")),
        ):
            for name in names:
                self._wrap(owner, name)

    def arm(self, at: int | str, when: When, mode: Mode) -> None:
        """Fail at the `at`-th call from now on, counted from 1, or at the first of that name."""
        self.names.clear()
        self._armed = (at, when, mode)

    def revive(self) -> None:
        """The process runs again, and nothing fails any more. What one that is gone remembered is gone with it."""
        if self.dead:
            self._journal._done.clear()
            self._audit._tails.clear()
            self._door._breaker = Breaker(self._door.clock)
        self.names.clear()
        self.dead, self._armed = False, None

    def _wrap(self, owner: object, name: str) -> None:
        original: Callable[..., Awaitable[object]] = getattr(owner, name)

        async def wired(*given: object, **named: object) -> object:
            if self.dead:
                raise Crash(f"{name} after the crash")
            self.names.append(name)
            here = (len(self.names), name)
            self._trip(here, "before")
            result = await original(*given, **named)
            self._trip(here, "after")
            return result

        setattr(owner, name, wired)

    def _trip(self, here: tuple[int, str], when: When) -> None:
        if self._armed is not None and self._armed[0] in here and self._armed[1] == when:
            self.dead = self._armed[2] == "kill"
            self._armed = None
            raise Crash(f"{when} call {here}")
