"""Waiting for the back office: a hold is tried again by itself or by a button, a parked write waits for a person."""

from __future__ import annotations

from datetime import datetime, timedelta

from graph.context import Context
from graph.errors import SUSPENDED, ToolUnavailable
from graph.model import Request, Stay, Timer, TrailEntry
from graph.steps.durations import after

_WAITS = (30, 60, 120, 300)  # seconds until a held step is tried again by itself


def hold(step: str, tool: str, error: str, ctx: Context, *, pause: float | None = None) -> Stay:
    """Wait until the back office can be reached. `pause`: seconds until it may be asked again, where that is known."""
    request = ctx.services.next_request(step)
    return Stay(
        request=Request(
            id=request,
            kind="hold",
            step=step,
            made_at=ctx.now,
            tool=tool,
            error=error,
            timers=[_clock(request, 1, ctx, pause)],
        ),
        trail=[TrailEntry(step=step, what="hold", at=ctx.now, tool=tool, reason=error)],
    )


def still_held(request: Request, again: Request, ctx: Context) -> Stay:
    """A clock tried in vain: the same hold stays with a later clock, so that nobody is told every five minutes."""
    tries = 1 + int(request.timers[0].id.rpartition("/")[2])
    pause = None
    if again.error == SUSPENDED:
        due = datetime.fromisoformat(again.timers[0].due)
        pause = (due - datetime.fromisoformat(ctx.now)).total_seconds()
    return Stay(request=request.model_copy(update={"timers": [_clock(request.id, tries, ctx, pause)]}))


def park(step: str, tool: str, ctx: Context) -> Stay:
    """The write may have happened and must not be repeated: a person finds out. No clock tries it again."""
    request = Request(
        id=ctx.services.next_request(step),
        kind="park",
        step=step,
        made_at=ctx.now,
        tool=tool,
        error="in_doubt",
    )
    entry = TrailEntry(step=step, what="hold", at=ctx.now, tool=tool, reason="in_doubt")
    return Stay(request=request, trail=[entry])


def pause_of(error: ToolUnavailable) -> float | None:
    """How long a call that was not made should wait; None for one that was made in vain."""
    return error.pause if error.code == SUSPENDED else None


def _clock(request: str, tries: int, ctx: Context, pause: float | None) -> Timer:
    """When the hold is tried again by itself: later each time, five minutes at most, unless the time is known."""
    seconds = _WAITS[min(tries, len(_WAITS)) - 1]
    if pause is None:
        return Timer(id=f"{request}/retry/{tries}", due=after(ctx.now, seconds))
    due = datetime.fromisoformat(ctx.now) + timedelta(seconds=pause)
    return Timer(id=f"{request}/retry/{tries}", due=due.isoformat())
