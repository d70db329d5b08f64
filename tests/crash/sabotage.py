"""Takes a protection away, to show that its absence is seen."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Mapping, Sequence

from bot.wiring.engine import DeskParts
from graph.model import Fact, Lang
from graph.store.cases import Cases
from graph.store.checkpoint import Checkpoints
from graph.store.journal import Journal
from graph.store.keys import Keys
from graph.tools.calling import Effect, ToolDoor, Tries
from tests.crash.traps import Missing


class RandomKeys(ToolDoor):
    """A key made anew for each call: what is sent again is a new payout to its receiver."""

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
        """As in `ToolDoor`, under a key that nobody sees again."""
        if effect is not None:
            effect = dataclasses.replace(effect, key=secrets.token_hex(16))
        return await super().call(name, arguments, lang=lang, at=at, effect=effect, tries=tries)


class NoFence(Keys):
    """Every fence is looked for where none is."""

    def fence(self, thread: str) -> str:
        """A key that holds nothing."""
        return self._of("nofence", thread)


def sabotage(parts: DeskParts, without: Sequence[Missing]) -> None:
    """Take these protections from the parts."""
    engine = parts.runner.engine
    if "stable_key" in without:
        door = engine.door
        engine.door = RandomKeys(
            tools=door.tools, backoffice=door.backoffice, journal=door.journal, timeout=door.timeout, retries=door.retries
        )
    if "fence" in without:
        loose = NoFence(parts.keys.prefix)
        for store in (engine.door.journal, parts.cases, parts.runner._records._saver):
            assert isinstance(store, Journal | Cases | Checkpoints)
            store._keys = loose
