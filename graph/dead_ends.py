"""How a run stops that cannot go on: it goes in circles, or a condition of its own cannot be told."""

from __future__ import annotations

from graph.errors import IncomparableFacts, MissingFact
from graph.model import Stop, TrailEntry
from graph.phrases import text


def endless(step: str, at: str) -> Stop:
    """Going back without anybody being asked would go on for ever."""
    return Stop(
        step=step,
        why=text("engine.endless", step=step),
        next=text("engine.missing_fact_next"),
        trail=[TrailEntry(step=step, what="stop", at=at, reason="endless")],
    )


def undecided(step: str, condition: str, error: MissingFact | IncomparableFacts, at: str) -> Stop:
    """A condition looks at a fact that is missing, or compares what cannot be compared: that is no `false` (law 8)."""
    if isinstance(error, MissingFact):
        why = text("engine.when_missing", condition=condition, name=error.name)
    else:
        why = text("engine.when_incomparable", condition=condition)
    return Stop(
        step=step,
        why=why,
        next=text("engine.missing_fact_next"),
        trail=[TrailEntry(step=step, what="stop", at=at, reason=str(error))],
    )
