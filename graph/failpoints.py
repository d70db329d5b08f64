"""Places where a crash test ends or stops the process: before and after each write, call and post.

In normal running nothing is armed, and all that happens at a place is one look at a context variable.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

T = TypeVar("T")
Reached = Callable[[str], Awaitable[None]]
"""What is called with `place:before` or `place:after`."""

PLACES: Final = {
    "lease.take": "the lease of a thread, and its new fence",
    "lease.renew": "the heartbeat of a lease",
    "lease.release": "the end of a lease",
    "journal.begin": "an effect is begun",
    "journal.end": "an effect is done, or refused",
    "journal.settle": "a turn that began an effect and broke off has been finished",
    "checkpoint.write": "a checkpoint, and the pointer to it",
    "checkpoint.pending": "what a task has pending",
    "checkpoint.forget": "the checkpoint of a run that broke off before it was understood",
    "case.claim": "a short id is taken",
    "case.release": "a short id is given back",
    "case.save": "the record of a case, and its audit log; its turn's effects are settled, an ended run's checkpoint goes",
    "case.give_up": "what only an event that is set aside had put at stake or claimed is free",
    "case.archive": "a case that ended long ago is packed away",
    "case.bring_back": "an archived case is wanted again",
    "case.shelve": "the record of a case that waits behind another",
    "audit.note": "a line of the audit log that belongs to no turn",
    "stake.reserve": "an approved amount is put at stake",
    "claim.take": "a case claims the value that it alone may have",
    "backoffice.read": "a question to the back office",
    "backoffice.write": "a payout, a note",
    "ready.take": "a consumer takes what is ready",
    "script.put": "an event comes into its mailbox",
    "script.next_event": "an event is begun",
    "script.failed": "a failure of an event is counted",
    "script.finish": "an event is done: its notices, its timers and its removal",
    "script.settle": "a thread leaves the ready stream",
    "script.revive": "an event that was set aside comes back",
    "script.park": "a waiting event is set aside by hand",
    "script.next_notice": "a notice is taken to be sent",
    "script.settle_notice": "a notice was sent",
    "script.retry_notice": "a notice is to be tried again",
    "script.pace": "the next free moment of a channel",
    "script.put_off": "an item is put off",
    "script.beat": "the heartbeat of a consumer",
    "script.leave": "a consumer hands back what it holds",
    "script.fire": "clocks that are due",
    "message.post": "a message is posted",
    "message.stream": "a streamed message gets its end",
    "message.edit": "a message is edited",
    "message.private": "a private message",
    "message.delete": "a second post is taken back",
}
"""Every place, and what is done there."""

_REACHED: Final[ContextVar[Reached | None]] = ContextVar("reached", default=None)


async def around(place: str, deed: Awaitable[T]) -> T:
    """The result of `deed`, which is the one thing done at this place of the table."""
    reached = _REACHED.get()
    if reached is None:
        return await deed
    if place not in PLACES:
        raise KeyError(f"{place} is no place that graph/failpoints.py knows")
    await reached(f"{place}:before")
    result = await deed
    await reached(f"{place}:after")
    return result


@contextmanager
def armed(reached: Reached) -> Iterator[None]:
    """Call `reached` at each place, in this context and in every task started within it."""
    token = _REACHED.set(reached)
    try:
        yield
    finally:
        _REACHED.reset(token)
