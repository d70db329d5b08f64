"""What is said to words that ask for no procedure clearly: those that come near, each with a button that begins it."""

from __future__ import annotations

from typing import Final

from graph.library import Library
from graph.model import Event, Reply
from graph.opening import startable
from graph.phrases import both
from graph.state import RunState

_MOST: Final = 5
"""So many procedures are offered where none comes near; of more, none by itself is worth a button."""


def unclear(run: RunState, event: Event, library: Library) -> Reply:
    """The answer to words that were not understood. `values` hold what each button needs: the words, their id, who said
    them where, and the titles of each procedure as `zh.NAME` and `en.NAME`."""
    sops = startable(library)
    near = [sop for name in run.near for sop in sops if sop.name == name]
    listed = both("、".join(each.noun.zh for each in near or sops), ", ".join(each.noun.en for each in near or sops))
    offered = near or (sops if len(sops) <= _MOST else [])
    values = {"words": run.text, "of": event.id, "by": event.actor.id, "thread": event.thread}
    values |= {f"zh.{sop.name}": sop.noun.zh for sop in offered} | {f"en.{sop.name}": sop.noun.en for sop in offered}
    return Reply(kind="help", code="not_understood", to=event.actor.id, text=listed, values=values if offered else {})
