"""A request that has a thread of its own: once the head of the thread is posted, the request is put into it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.inbox import Inbox
from bot.intake import stub, thread_id
from bot.notice import Notice, Place
from bot.notices import Shown
from graph.model import Event


class Apart:
    """What the sender tells of every message that it has posted. The same head twice puts the request once."""

    def __init__(self, inbox: Inbox, now: Callable[[], datetime]) -> None:
        self._inbox = inbox
        self._now = now

    async def posted(self, notice: Notice, place: Place) -> None:
        """Put the request of a thread's head into its mailbox; nothing for any other notice."""
        reply = Shown.model_validate(notice.payload).reply if notice.kind == "root" else None
        if reply is None:
            return
        team = notice.thread.partition(":")[0]
        event = Event(
            id=notice.id,
            thread=thread_id(team, place.channel, place.ts),
            kind="message",
            actor=stub(reply.to, team),
            at=self._now(),
            text=reply.values["request"],
        )
        await self._inbox.put(event)
