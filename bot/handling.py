"""Between mailbox and engine: who it was, asked of Slack. Nobody decides while that cannot be asked (law 8)."""

from __future__ import annotations

from bot.desk import Desk
from bot.directory import Directory, DirectoryUnavailable
from graph.model import Actor, Event, Outcome, Reply
from graph.phrases import text


class Handling:
    """What the worker calls for each event."""

    def __init__(self, desk: Desk, directory: Directory) -> None:
        self._desk = desk
        self._directory = directory

    async def handle(self, event: Event, fence: int) -> Outcome:
        """Carry the thread on with a known actor; a decision of somebody who cannot be looked up is refused."""
        if event.kind == "timer":
            return await self._desk.advance(event, fence)
        try:
            actor = await self._directory.actor(event.actor.id, event.actor.team)
        except DirectoryUnavailable:
            if event.kind == "decision":
                await self._desk.refused((event.request or "").partition("/")[0], event, "no_rights")
                return _not_counted(event)
            # Without groups, so without the rights that groups give.
            actor = self._directory.last_known(event.actor)
        known = {"actor": actor, "mentioned": await self._mentioned(event)}
        return await self._desk.advance(event.model_copy(update=known), fence)

    async def _mentioned(self, event: Event) -> tuple[Actor, ...]:
        """The people that the words name, those who can act. None while Slack cannot be asked: they are then to be named
        again."""
        try:
            found = [
                await self._directory.actor(each.id, each.team)
                for each in event.mentioned
                if await self._directory.is_active(each.id)
            ]
        except DirectoryUnavailable:
            return ()
        return tuple(found)


async def as_it_is(actor: Actor) -> Actor:
    """For the worker's `actor`: Handling completes the actor itself."""
    return actor


def _not_counted(event: Event) -> Outcome:
    words = text("edge.not_counted", why=text("edge.no_rights"))
    reply = Reply(kind="refused", to=event.actor.id, private=True, text=words)
    return Outcome(thread=event.thread, event=event.id, replies=[reply])
