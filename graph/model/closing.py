"""What a turn leaves to be stored in one step with its case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from graph.model.approvals import Reserved, Stake


class DoneEffect(NamedTuple):
    """An effect that is known to be done: its key, and its result as the journal stores it."""

    key: str
    result: str


class StakeEnd(NamedTuple):
    """A stake that was paid, as it is kept then; without one it is given back."""

    reserved: Reserved
    paid: Stake | None = None


class Closing(NamedTuple):
    """The effects and the stakes of a turn that have come to their end, all that its run holds at stake, of a run that is
    over the events that it has used, and the one value that it claims. Safe to store again."""

    effects: Sequence[DoneEffect] = ()
    stakes: Sequence[StakeEnd] = ()
    held: Sequence[Reserved] = ()
    used: Sequence[str] = ()
    claim: str = ""


NOTHING: Final = Closing()
"""Nothing has come to its end."""
