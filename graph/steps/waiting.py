"""Being spoken to while a clock runs."""

from __future__ import annotations

from graph.model import Event, Reply, Request


def still_waiting(request: Request, event: Event) -> Reply:
    """Words do not make the clock run faster; who speaks is told until when the case waits."""
    due = request.timers[0].due if request.timers else ""
    return Reply(kind="note", code="waits_until", to=event.actor.id, values={"at": due})
