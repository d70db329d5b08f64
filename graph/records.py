"""Where runs are: the open ones in their checkpoints, those that have ended in their cases' records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.serde.types import INTERRUPT
from langgraph.types import Interrupt

from graph.model import Begun, CaseRow, Closing, JsonValue, LogLine
from graph.state import Channels, RunState

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_SHORTEST = 4


class Paused(NamedTuple):
    """A run as it was left, the value of the channel that holds it, and the ids by which LangGraph can be answered: looked
    up when needed, never stored."""

    run: RunState
    value: object
    interrupts: tuple[str, ...]


class Seen(Protocol):
    """What the store tells of a thread, in one reading."""

    @property
    def begun(self) -> JsonValue: ...
    @property
    def checkpoint(self) -> CheckpointTuple | None: ...
    @property
    def latest(self) -> Stored | None: ...
    @property
    def claimed(self) -> bool: ...
    @property
    def used(self) -> str: ...


class Known(NamedTuple):
    """What there is of a thread: the turn that began a write and is not known to be stored; the run that is open,
    else the latest that has ended, else the case id that was taken for a run to come. `used` is the case that the event has
    been used in before, or that it has opened. `fresh`: a turn that had been given up was finished just before."""

    begun: Begun | None
    paused: Paused | None
    ended: RunState | None
    claimed: str = ""
    used: str = ""
    fresh: bool = False


class CaseId(NamedTuple):
    """The id of a run's case, and whether there is one."""

    case: str
    known: bool


class Checkpointer(Protocol):
    """LangGraph's saver, and what it has beside; see `graph.store.checkpoint`."""

    @property
    def saver(self) -> BaseCheckpointSaver[str]: ...
    async def look(self, thread: str, fence: int, event: str, offer: tuple[str, str] | None = None) -> Seen: ...
    async def forget(self, thread: str, fence: int) -> None: ...


class Stored(Protocol):
    """A case as the store gives it back."""

    row: CaseRow
    state: dict[str, JsonValue] | None


class CaseStore(Protocol):
    """Where cases are kept; see `graph.store.cases`."""

    async def claim(self, case: str, run: str) -> Literal["", "new", "known"]: ...
    async def release(self, case: str, run: str) -> None: ...
    async def save(
        self,
        row: CaseRow,
        owner: str,
        opener: str,
        state: dict[str, JsonValue] | None,
        *,
        fence: int,
        lines: Sequence[LogLine] = (),
        closing: Closing = ...,
    ) -> None: ...
    async def shelve(
        self, row: CaseRow, owner: str, opener: str, state: dict[str, JsonValue], *, fence: int
    ) -> None: ...
    async def load(self, case: str) -> Stored | None: ...
    async def latest(self, thread: str) -> Stored | None: ...
    async def of(self, actor: str, limit: int) -> list[CaseRow]: ...
    async def waiting(self, places: Sequence[str], limit: int) -> list[CaseRow]: ...


class Records:
    """Finds and keeps runs. Only whoever holds the thread's newest fence may keep or forget."""

    def __init__(self, checkpoints: Checkpointer, cases: CaseStore) -> None:
        self._checkpoints = checkpoints
        self._saver = checkpoints.saver
        self._cases = cases

    async def open(self, thread: str) -> RunState | None:
        """The run in the thread's checkpoint. One that broke off before its request was understood counts as none:
        it has done nothing, and the same event starts it again."""
        return _run_in(await self._saver.aget_tuple(config_of(thread)))

    async def look(self, thread: str, fence: int, event: str, run_id: str = "") -> Known:
        """For whoever goes on with a thread. Of an open run that cannot be gone on with nothing is left. `run_id`: what
        would be begun where there is no case yet."""
        case = _case_id(run_id, _SHORTEST) if run_id else ""
        seen = await self._checkpoints.look(thread, fence, event, (case, run_id) if case else None)
        run, begun = _run_in(seen.checkpoint), None if seen.begun is None else Begun.model_validate(seen.begun)
        if seen.checkpoint is None or run is None:
            if seen.checkpoint is not None:
                await self.forget(thread, fence)
                return Known(begun, None, await self.latest(thread), used=seen.used)
            return Known(begun, None, _ended(seen.latest), case if seen.claimed else "", seen.used)
        value = seen.checkpoint.checkpoint["channel_values"]["run"]
        return Known(begun, Paused(run, value, _interrupts(seen.checkpoint)), None, used=seen.used)

    async def used_in(self, thread: str, event: str) -> str:
        """The case that an event of the thread was used in, open or ended; '' for none. It needs no lease."""
        seen = await self._checkpoints.look(thread, 0, event)
        run = _run_in(seen.checkpoint) or _ended(seen.latest)
        return seen.used or (run.case if run is not None and event in run.applied else "")

    async def latest(self, thread: str) -> RunState | None:
        """The run of the thread's latest case that has ended."""
        return _ended(await self._cases.latest(thread))

    async def case(self, case: str) -> RunState | None:
        """The run of a case, open or ended."""
        stored = await self._cases.load(case)
        if stored is None:
            return None
        if stored.state is not None:
            return RunState.model_validate(stored.state)
        run = await self.open(stored.row.thread)
        return run if run is not None and run.case == case else None

    async def rows(self, actor: str, limit: int) -> list[CaseRow]:
        """A person's cases."""
        return await self._cases.of(actor, limit)

    async def waiting(self, places: Sequence[str], limit: int) -> list[CaseRow]:
        """The cases that wait at these levels, or for the leads; of each place the oldest."""
        return await self._cases.waiting(places, limit)

    async def keep(self, run: RunState, row: CaseRow | None, closing: Closing, fence: int, dumped: object = None) -> None:
        """Record what must outlive the checkpoint, the turn's lines of the audit log with it; once the run is over that is
        all, and the checkpoints go. Without a `row` no case came of it. `dumped`: the run as its channel holds it, where
        that is known. Safe to do again."""
        if row is None:
            await self._cases.release(run.case, run.run)
        else:
            state = _without_log(run, dumped) if run.over else None
            await self._cases.save(row, run.owner.id, run.opener.id, state, fence=fence, lines=run.log, closing=closing)

    async def shelve(self, run: RunState, row: CaseRow, fence: int) -> None:
        """Keep a case that waits behind the open one of its thread, whole. Safe to do again."""
        await self._cases.shelve(row, run.owner.id, run.opener.id, run.dump()["run"], fence=fence)

    async def forget(self, thread: str, fence: int) -> None:
        """Delete the thread's checkpoints."""
        await self._checkpoints.forget(thread, fence)

    async def new_case(self, run_id: str) -> CaseId:
        """A short id nobody else has; the same run always gets the same one."""
        for length in range(_SHORTEST, 16):
            case = _case_id(run_id, length)
            if taken := await self._cases.claim(case, run_id):
                return CaseId(case, taken == "known")
        raise RuntimeError("no free case id was found")


def _case_id(run_id: str, length: int) -> str:
    number = int(run_id, 16)
    return "C-" + "".join(_ALPHABET[(number >> (5 * index)) & 31] for index in range(length))


def _without_log(run: RunState, dumped: object) -> dict[str, JsonValue]:
    whole = dumped if isinstance(dumped, dict) else run.dump()["run"]
    return {name: value for name, value in whole.items() if name != "log"}


def _ended(stored: Stored | None) -> RunState | None:
    return None if stored is None or stored.state is None else RunState.model_validate(stored.state)


def _run_in(found: CheckpointTuple | None) -> RunState | None:
    channels = found.checkpoint["channel_values"] if found is not None else {}
    if "run" not in channels:
        return None
    run = RunState.load(Channels(run=channels["run"]))
    return None if run.sop is None and not run.over else run


def _interrupts(found: CheckpointTuple) -> tuple[str, ...]:
    raised = [each for _, channel, values in found.pending_writes or [] if channel == INTERRUPT for each in values]
    return tuple(each.id for each in raised if isinstance(each, Interrupt))


def config_of(thread: str, fence: int | None = None) -> RunnableConfig:
    """The thread as LangGraph is told of it, and for whom it writes."""
    return {"configurable": {"thread_id": thread} | ({} if fence is None else {"fence": fence})}
