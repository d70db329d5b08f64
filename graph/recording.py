"""A call of the back office, and what the audit log says of it."""

from __future__ import annotations

import time
from collections.abc import Mapping

from graph.errors import ToolRefused, ToolUnavailable
from graph.logbook import note_call
from graph.model import Fact
from graph.state import RunState
from graph.tools.calling import Effect, ToolDoor, Tries


async def recorded_call(
    door: ToolDoor, run: RunState, step: str, tool: str, arguments: Mapping[str, Fact], effect: Effect | None, *, at: str
) -> Fact:
    """Call a tool; how it ended, how often it was tried and how long that took is a line of the run's log. Of a write that
    was sent there is a line that it began as well. Raises what the door raises."""
    tries, begun = Tries(), time.monotonic()
    key, digest = (effect.key, effect.digest) if effect else ("", "")
    outcome, code, result = "unavailable", "", None
    try:
        result = await door.call(tool, arguments, lang=run.lang, at=at, effect=effect, tries=tries)
        outcome = "done"
    except ToolRefused as refused:
        outcome, code = "refused", refused.code
        raise
    except ToolUnavailable as unavailable:
        code = unavailable.code
        # Of a write that was not sent it is known that nothing happened.
        outcome = "unknown" if effect and (tries.count or code == "in_doubt") else "unavailable"
        raise
    finally:
        if effect is not None and outcome != "unavailable":
            note_call(run, at, step, tool, "begun", effect=key, digest=digest, arguments=arguments)
        note_call(
            run,
            at,
            step,
            tool,
            outcome,
            effect=key,
            digest=digest,
            code=code,
            attempts=tries.count,
            milliseconds=round((time.monotonic() - begun) * 1000),
            arguments=None if effect else arguments,
            result=result,
        )
    return result
