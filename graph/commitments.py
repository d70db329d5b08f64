"""What an approval lets happen, kept with the run: the facts it was given for, and the amount that it puts at stake."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.engine import Engine
from graph.errors import StateLost
from graph.json_text import canonical
from graph.model import Fact, Grant, Reserved, Stake, StakeEnd, Stakes
from graph.sop import Sop
from graph.state import RunState
from graph.steps import CallSpec


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
        before = self.state.reserved.get(stake.step)
        moved = [] if before is None or _same_subject(before, reserved) else [before]
        self.state.left = [each for each in (*self.state.left, *moved) if not _same_subject(each, reserved)]
        self.state.reserved = {**self.state.reserved, stake.step: reserved}
        return True

    def bind(self, step: str, facts: Mapping[str, Fact]) -> None:
        """See `graph.context.Commits`."""
        names = [name for name in self.sop.beyond(step) if name in facts]
        self.state.bound = {**self.state.bound, step: self.digests(names, facts)}

    def digests(self, names: Sequence[str], facts: Mapping[str, Fact]) -> dict[str, str]:
        """See `graph.context.Commits`."""
        return {name: self._digest(name, facts[name]) for name in names if name in facts}

    def broken(self, step: str) -> tuple[str, list[str]] | None:
        """The approval that what `step` would write no longer keeps to, and the facts that changed; it is forgotten with
        this. None when all approvals before it hold (law 7)."""
        # Where an action of a step writes, its place begins with the step.
        for each in self.sop.before(step.partition(".")[0]):
            bound = self.state.bound.get(each.id, {})
            changed = [name for name, digest in bound.items() if self._now(name) != digest]
            if changed:
                self.state.bound = {name: kept for name, kept in self.state.bound.items() if name != each.id}
                return each.id, changed
        return None

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


def stake_ends(run: RunState, engine: Engine) -> list[StakeEnd]:
    """What becomes of stakes once a turn is stored: one that was paid is kept as paid, one whose approval has fallen is
    given back."""
    if engine.stakes is None or run.sop is None:
        return []
    sop = engine.sop_of(run)
    ends = [StakeEnd(left) for left in run.left]
    for step, reserved in run.reserved.items():
        write = _payment(sop, step, engine)
        if write is not None and write.id in run.written:
            result, receipt = run.facts.get(write.save_as), engine.library.words.tools[write.tool].receipt
            number = receipt(result) if receipt is not None and result is not None else ""
            paid = reserved.stake.model_copy(update={"paid": True, "receipt": number, "at": run.updated_at})
            ends.append(StakeEnd(reserved, paid))
        elif run.over or not _stands(run, sop, step):
            ends.append(StakeEnd(reserved))
    return ends


def _same_subject(one: Reserved, other: Reserved) -> bool:
    return (one.stake.step, one.by, one.value) == (other.stake.step, other.by, other.value)


def _stands(run: RunState, sop: Sop, step: str) -> bool:
    """Whether the approval has not fallen: its stake waits to be paid."""
    return step in run.grants or run.cursor is None or run.cursor in {each.id for each in sop.from_(step)[1:]}


def _payment(sop: Sop, step: str, engine: Engine) -> CallSpec | None:
    """The call that pays what `step` approves: the next one that moves money, else the next that writes."""
    tools = engine.library.words.tools
    writes = [each for each in sop.from_(step) if isinstance(each, CallSpec) and tools[each.tool].write]
    return next((each for each in writes if tools[each.tool].routes is not None), writes[0] if writes else None)
