"""The calls of one turn: what the audit log says of each, and that a replay is told what the turn was told."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from graph.errors import StateLost, ToolRefused, ToolUnavailable
from graph.json_text import canonical
from graph.logbook import note_call
from graph.model import Begun, CallEnd, CallOutcome, Event, Fact, JsonValue
from graph.state import RunState
from graph.tools.calling import Effect, ToolDoor, Tries


class Asked(NamedTuple):
    """One call: for which step, of which tool, with which arguments."""

    step: str
    tool: str
    arguments: Mapping[str, Fact]

    @property
    def digest(self) -> str:
        """The digest of the tool and its arguments."""
        return digest_of(self.tool, self.arguments)


@dataclass
class Calls:
    """How the calls of one turn ended. `begun`: the turn is a replay of one that began a write, and is told the same."""

    begun: Begun | None = None
    _made: list[tuple[Asked, CallEnd]] = field(default_factory=list)
    _told: set[int] = field(default_factory=set)
    _came: set[str] = field(default_factory=set)

    def known(self, asked: Asked) -> CallEnd | None:
        """How this call ended before the turn broke off; None where it was not made by then."""
        for index, end in enumerate(self.begun.calls if self.begun is not None else ()):
            if index not in self._told and (end.step, end.tool, end.given) == (asked.step, asked.tool, asked.digest):
                self._told.add(index)
                return end
        return None

    def ended(self, asked: Asked, end: CallEnd) -> None:
        """A call has ended so. What a write that is done came to is the journal's to know."""
        self._made.append((asked, end))

    @property
    def owed(self) -> str:
        """The effect that a replay has still to come to; '' where there is none."""
        return self.begun.effect if self.begun is not None and self.begun.effect not in self._came else ""

    def begin(self, event: Event, effect: str, planned: JsonValue) -> JsonValue:
        """The turn so far, as it is kept with a write that it begins."""
        self._came.add(effect)
        ends = [end if end.given else end.model_copy(update={"given": asked.digest}) for asked, end in self._made]
        begun = Begun(event=event, effect=effect, calls=ends).model_dump(mode="json", exclude_defaults=True)
        return begun if planned is None else {**begun, "planned": planned}

    def kept_to(self) -> None:
        """StateLost when a replay has come to its end, and not to the write that it was to finish: to store it would be to
        say that the write never began."""
        if self.begun is not None and self.owed:
            raise StateLost(
                f"event {self.begun.event.id} began the effect {self.owed}, to which its replay does not come; "
                "restore the procedure, the tools and the levels of that time"
            )


async def recorded_call(
    door: ToolDoor, run: RunState, asked: Asked, effect: Effect | None, calls: Calls, *, at: str
) -> Fact:
    """Call a tool; how it ended, how often it was tried and how long that took is a line of the run's log. Of a write that
    was sent there is a line that it began as well. ToolRefused and ToolUnavailable as the door raises them."""
    end = calls.known(asked) or await _made(door, run, asked, effect, at)
    if effect is None or end.outcome == "refused":
        calls.ended(asked, end)
    _note(run, asked, effect, end, at)
    if end.result is not None:
        return end.result
    if end.outcome == "refused":
        raise ToolRefused(end.code, argument=end.argument)
    raise ToolUnavailable(end.code, pause=end.pause)


async def _made(door: ToolDoor, run: RunState, asked: Asked, effect: Effect | None, at: str) -> CallEnd:
    tries, begun = Tries(), time.monotonic()
    result: Fact | None = None
    outcome: CallOutcome = "done"
    code, argument, pause = "", None, None
    try:
        result = await door.call(asked.tool, asked.arguments, lang=run.lang, at=at, effect=effect, tries=tries)
    except ToolRefused as refused:
        outcome, code, argument = "refused", refused.code, refused.argument
    except ToolUnavailable as away:
        outcome, code, pause = "unavailable", away.code, away.pause
    return CallEnd(
        step=asked.step,
        tool=asked.tool,
        outcome=outcome,
        result=result,
        code=code,
        argument=argument,
        pause=pause,
        attempts=tries.count,
        milliseconds=round((time.monotonic() - begun) * 1000),
    )


def _note(run: RunState, asked: Asked, effect: Effect | None, end: CallEnd, at: str) -> None:
    key, digest = (effect.key, effect.digest) if effect else ("", "")
    outcome: str = end.outcome
    if effect is not None and outcome == "unavailable" and (end.attempts or end.code == "in_doubt" or effect.again):
        # Of a write that was not sent it is known that nothing happened.
        outcome = "unknown"
    if effect is not None and outcome != "unavailable":
        note_call(run, at, asked.step, asked.tool, "begun", effect=key, digest=digest, arguments=asked.arguments)
    note_call(
        run,
        at,
        asked.step,
        asked.tool,
        outcome,
        effect=key,
        digest=digest,
        code=end.code,
        attempts=end.attempts,
        milliseconds=end.milliseconds,
        arguments=None if effect else asked.arguments,
        result=end.result,
    )


def digest_of(tool: str, arguments: Mapping[str, Fact]) -> str:
    """The digest of a call's arguments."""
    given = {name: fact.essence() for name, fact in arguments.items()}
    return hashlib.sha256(f"{tool}\x1f{canonical(given)}".encode()).hexdigest()
