"""The engine's parts, put together by the wiring and handed to every turn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo
from typing import Protocol

from graph.answering import Sections
from graph.errors import StateLost
from graph.fields import FieldSpec
from graph.library import Library
from graph.llm import Llm
from graph.model import JsonValue, Reserved, Stakes
from graph.sop import Sop, reopen
from graph.state import RunState
from graph.tools.calling import ToolDoor


class Readings(Protocol):
    """Where readings of a model are kept, so that a replay reads the same; see `graph.store.readings`."""

    async def recall(self, event: str, place: str) -> JsonValue: ...
    async def keep(self, event: str, place: str, reading: JsonValue) -> None: ...


class StakeBook(Protocol):
    """Where amounts stand that were approved, by the subject they concern; see `graph.store.stakes`."""

    async def look(self, by: str, value: str) -> Stakes: ...
    async def reserve(self, reserved: Reserved, version: int, thread: str, fence: int) -> bool: ...


class ClaimBook(Protocol):
    """Which case has a value that only one may have; see `graph.store.claims`."""

    async def take(self, value: str, case: str, thread: str, fence: int) -> str: ...


@dataclass
class Engine:
    """What a run is carried out with. `llm` is None when no model is configured: the code then reads alone. `zone` is
    the desk's. Without `stakes` no procedure may add up amounts, without `claims` none may be exclusive."""

    library: Library
    door: ToolDoor
    llm: Llm | None = None
    readings: Readings | None = None
    zone: tzinfo = UTC
    stakes: StakeBook | None = None
    sections: Sections | None = None
    claims: ClaimBook | None = None
    _kept: dict[str, Sop] = field(default_factory=dict)

    def today(self, at: datetime) -> date:
        """The day at the desk when something was said: what 明天 is counted from."""
        return at.astimezone(self.zone).date()

    def fields_of(self, run: RunState) -> dict[str, FieldSpec]:
        """The fields that this run may hold: those of its own procedure as the run keeps them."""
        return {**self.library.words.fields, **self.sop_of(run).own_fields}

    def sop_of(self, run: RunState) -> Sop:
        """The procedure as this run keeps it, whatever the file says today. StateLost when it can't be carried out."""
        if run.sop is None:
            raise StateLost(f"case {run.case} has no procedure yet")
        current = self.library.sops.get(run.sop.name)
        if current is not None and current.digest == run.sop.digest:
            return current
        if run.sop.digest not in self._kept:
            # Fields of its own that another version defines otherwise do not bind the one that is kept.
            own = current.own_fields if current is not None else {}
            fields = {name: spec for name, spec in self.library.words.fields.items() if name not in own}
            kept = reopen(run.sop.name, run.sop.text, replace(self.library.words, fields=fields))
            if kept is None:
                raise StateLost(
                    f"case {run.case} keeps version {run.sop.digest} of {run.sop.name}, "
                    "which today's fields, tools or levels no longer carry; restore what it names"
                )
            self._kept[run.sop.digest] = kept
        return self._kept[run.sop.digest]
