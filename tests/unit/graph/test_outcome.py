"""What an outcome takes over from a turn that was finished before it."""

from __future__ import annotations

from datetime import UTC, datetime

from graph.model import Actor, Event, Outcome, RunView, Timer
from tests.unit.bot.scripted_desk import approval, case

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def outcome(view: RunView | None, timer: str = "", follow: str = "") -> Outcome:
    """An outcome with a timer, and with a queued case that begins."""
    start = Event(id=f"start:{follow}", thread="t", kind="start", actor=Actor(id="U1", name="u"), at=NOON, case=follow)
    return Outcome(
        thread="t",
        event="e",
        view=view,
        timers=[Timer(id=timer, due=NOON.isoformat())] if timer else [],
        follow=[start] if follow else [],
    )


def test_clocks_of_a_case_that_is_not_spoken_of_are_set() -> None:
    """The case of the turn before waits with its deadlines; where both speak of it, only those count that it has now."""
    waits, done = case(approval()), case(status="done")
    elsewhere = outcome(None).after(outcome(waits, "remind"))
    assert [each.id for each in elsewhere.timers] == ["remind"]
    assert outcome(done).after(outcome(waits, "remind")).timers == []


def test_the_case_behind_begins_once() -> None:
    """What was to follow the turn before follows; a case that has begun since is not begun again."""
    first = outcome(case(status="done"), follow="C-2")
    begun = case().model_copy(update={"case": "C-2"})
    assert [each.case for each in outcome(None).after(first).follow] == ["C-2"]
    assert [each.case for each in outcome(None, follow="C-2").after(first).follow] == ["C-2"]
    assert outcome(begun).after(first).follow == []
