"""Cases that wait behind another and have not begun: dropped, or begun after what was to begin them was given up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from graph.engine import Engine
from graph.model import Actor, Event, Reply, StoppedView, TrailEntry
from graph.phrases import both, text
from graph.projection import row_of
from graph.records import Records
from graph.state import RunState


class Dropped(NamedTuple):
    """What a cancel came to: the cases that it ended, what begins then; or why it does not count."""

    ended: list[RunState]
    follow: list[Event]
    reply: Reply | None = None


@dataclass(frozen=True)
class Unbegun:
    """What waits in a thread where no case is open: the beginning of the first was given up."""

    engine: Engine
    records: Records

    async def behind(self, ended: RunState | None, event: Event) -> list[RunState]:
        """The cases that wait behind the one that has ended, in turn; also what this very event has dropped before."""
        for each in ended.queue if ended is not None and ended.over else []:
            held = None if each.over else await self.records.case(each.case)
            if held is not None and held.behind and _waits(held, event):
                return [held, *(other for other in held.queue if _waits(other, event))]
        return []

    def begins(self, waiting: Sequence[RunState], event: Event) -> list[Event]:
        """The beginning of the first that waits, now that something has happened in its thread."""
        first = next((each for each in waiting if not each.over), None)
        return [] if first is None else [going_on(first, first.opener, f"start:{first.case}/{event.id}", event)]

    def meant(self, event: Event, ended: RunState | None, waiting: Sequence[RunState], *, fresh: bool) -> str:
        """Which of those that wait a cancel is for. One that names none is for the first, unless it was said to the case
        before. `fresh`: that case has ended only just now, by a turn that was finished first."""
        if event.kind != "cancel" or ended is None or not waiting:
            return ""
        if event.about:
            return event.about if any(each.case == event.about for each in waiting) else ""
        early = fresh or (event.said_at or event.at) <= datetime.fromisoformat(ended.updated_at)
        return "" if early else waiting[0].case

    async def drop(self, event: Event, case: str, waiting: Sequence[RunState], fence: int) -> Dropped:
        """Cancel one of those that wait. Safe to do again."""
        held = next(each for each in waiting if each.case == case)
        after = held if held.over else cancelled(event, held, self.engine)
        if isinstance(after, Reply):
            return Dropped([], self.begins(waiting, event), after)
        first, *rest = [after if each is held else each for each in waiting]
        following = next((each for each in rest if not each.over), None) if first.over else None
        if following is not None:
            behind = [each for each in rest if each is not following]
            await self._keep(following.model_copy(update={"queue": behind}), fence)
        # The first before those behind it: it brings them to their turn as it knows them.
        await self._keep(first.model_copy(update={"queue": rest}), fence)
        if after is not first:
            await self._keep(after, fence)
        return Dropped([after], self.begins([first, *rest], event))

    async def _keep(self, run: RunState, fence: int) -> None:
        await self.records.shelve(run, row_of(run, self.engine), fence)


def cancelled(event: Event, held: RunState, engine: Engine) -> RunState | Reply:
    """A case that has not begun, cancelled by its agent or a lead; else why not."""
    if event.actor.id != held.owner.id and not engine.library.words.authority.is_lead(event.actor):
        values = {"name": held.owner.name}
        return Reply(kind="refused", code="not_yours", to=event.actor.id, private=True, values=values)
    reason = event.reason or event.text
    at, step = event.at.isoformat(), held.cursor or ""
    why = text("engine.cancelled", name=event.actor.name, reason=both(reason))
    return held.model_copy(
        update={
            "status": "cancelled",
            "worded": True,
            "updated_at": at,
            "stopped": StoppedView(step=step, why=why, by=event.actor.id, at=at),
            "trail": [*held.trail, TrailEntry(step=step, what="cancel", at=at, by=event.actor.id, reason=reason)],
        }
    )


def going_on(run: RunState, actor: Actor, event_id: str, since: Event) -> Event:
    """The event in which a case goes on without anybody's word, once `since` has happened."""
    at, said_at = since.at, datetime.fromisoformat(run.opened_at)
    return Event(id=event_id, thread=run.thread, kind="start", actor=actor, at=at, said_at=said_at, case=run.case)


def _waits(held: RunState, event: Event) -> bool:
    """Whether a case waits, or did when this event came for the first time."""
    last = held.trail[-1] if held.trail else None
    mine = last is not None and (last.what, last.at, last.by) == ("cancel", event.at.isoformat(), event.actor.id)
    return mine or not held.over
