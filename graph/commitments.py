"""What an approval lets happen, kept with the run: the facts it was given for, and the amount that it puts at stake."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.corrections import forget
from graph.engine import Engine
from graph.errors import StateLost
from graph.json_text import canonical
from graph.model import Fact, Grant, Mine, Reserved, Stake, Stakes
from graph.sop import Sop
from graph.staking import hold, let_go, next_payment
from graph.state import RunState


@dataclass
class Commitments:
    """The commitments of `graph.context`, for one run in one turn."""

    engine: Engine
    state: RunState
    sop: Sop
    fence: int

    @property
    def run(self) -> str:
        """See `graph.context.Commits`."""
        return self.state.run

    def mine(self, step: str) -> Mine:
        """See `graph.context.Commits`."""
        return Mine(self.run, step, next_payment(self.state, self.sop, step))

    async def look(self, by: str, value: str) -> Stakes:
        """See `graph.context.Commits`."""
        if self.engine.stakes is None:
            raise StateLost(f"{self.sop.name} adds up amounts by {by!r}, but there is no record of stakes")
        return await self.engine.stakes.look(by, value)

    async def reserve(self, by: str, value: str, stake: Stake, version: int, keep: int) -> bool:
        """See `graph.context.Commits`."""
        if self.engine.stakes is None:
            return False
        reserved = Reserved(by=by, value=value, keep=keep, stake=stake)
        if not await self.engine.stakes.reserve(reserved, version, self.state.thread, self.fence):
            return False
        mine = self.mine(stake.step)
        let_go(self.state, [each for each in self.state.reserved.values() if each.by == by and mine.owns(each.stake)])
        hold(self.state, reserved)
        return True

    def bind(self, step: str, facts: Mapping[str, Fact], to: str | None = None) -> None:
        """See `graph.context.Commits`."""
        if self._changed(step):
            self.revoke(step)
        start = to or self.sop.after(step)
        names = self.sop.beyond(step, *([start] if start else ()))
        self.state.bound = {**self.state.bound, step: self.digests(names, facts)}

    def revoke(self, step: str) -> None:
        """See `graph.context.Commits`."""
        self.state.bound = {name: kept for name, kept in self.state.bound.items() if name != step}
        told = self.sop.told
        forget(self.state, [name for name, maker in self.state.made.items() if maker == step and name not in told])

    def digests(self, names: Sequence[str], facts: Mapping[str, Fact]) -> dict[str, str]:
        """See `graph.context.Commits`."""
        return {name: self._digest(name, facts[name]) for name in names if name in facts}

    def broken(self, step: str) -> tuple[str, list[str]] | None:
        """The approval that what `step` would write no longer keeps to, and the facts that changed; it is forgotten with
        this. None when all approvals hold that let it happen (law 7)."""
        # Where an action of a step writes, its place begins with the step.
        writes = step.partition(".")[0]
        for each in self.sop.steps:
            changed = self._changed(each.id)
            if changed and self.sop.reaches(each.id, writes):
                self.revoke(each.id)
                return each.id, changed
        return None

    def _changed(self, step: str) -> list[str]:
        """The facts that are not what they were when `step` was approved, if it was."""
        bound = self.state.bound.get(step, {})
        # What an older version of the desk has bound beyond that is none of its matter.
        held = self.sop.beyond(step) if bound else ()
        return [name for name, digest in bound.items() if name in held and self._now(name) != digest]

    def granted(self, step: str) -> Grant | None:
        """See `graph.context.Commits`."""
        return self.state.grants.get(step)

    def grant(self, step: str, grant: Grant | None) -> None:
        """See `graph.context.Commits`."""
        others = {name: each for name, each in self.state.grants.items() if name != step}
        self.state.grants = others if grant is None else {**others, step: grant}

    def _now(self, name: str) -> str:
        fact = self.state.facts.get(name)
        return self._digest(name, fact) if fact is not None else ""

    def _digest(self, name: str, fact: Fact) -> str:
        # With the run in it, so that a digest tells nothing of a short secret by itself.
        words = canonical([self.run, self.sop.digest, name, fact.essence()])
        return hashlib.sha256(words.encode()).hexdigest()
