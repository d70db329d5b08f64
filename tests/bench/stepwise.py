"""A yardstick of the same work: the engine's own steps on the same state, with a node execution for each of them.

What differs from the engine is how it is kept: the saver stores each node execution (durability `sync`), and there is no
journal, no lease, no audit log, no record of the case and no projection for Slack.
"""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import httpx
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.redis.aio import AsyncRedisSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from graph import talk
from graph.engine import Engine
from graph.library import Library
from graph.logbook import note_move, place_of
from graph.machine import _answer, _carry_out, _follow
from graph.model import Event, JsonValue, Next, Reserved, Stakes
from graph.opening import opened, run_id_of
from graph.state import Channels, RunState
from graph.tools.backoffice import BackOffice
from graph.tools.calling import Effect, ToolDoor
from graph.tools.no_journal import NoJournal
from graph.turn import Turn
from tests.bench.variants import BANK, CasePath, approval, forget, new_order, opening, said

Graph = CompiledStateGraph[Channels, Turn, Channels, Channels]
_NO_FENCE: Final = 0


class Unkept(NoJournal):
    """A journal and a record of stakes that keep nothing: every effect is sent, every amount stands alone."""

    async def once(self, effect: Effect, send: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """Sent."""
        return await send()

    async def look(self, by: str, value: str) -> Stakes:
        """No other amount."""
        return Stakes(version=0, held=[])

    async def reserve(self, reserved: Reserved, version: int, thread: str, fence: int) -> bool:
        """Granted."""
        return True


async def _step(state: Channels, runtime: Runtime[Turn]) -> Command[str]:
    """One step; the next one is another execution."""
    turn = runtime.context
    run = turn.load(state)
    sop = turn.engine.sop_of(run)
    if run.request is not None:
        interrupt(run.request.id)
        turn.begin(run, turn.event)
        _follow(run, sop, await _answer(run, sop, turn.event, turn), turn)
    elif run.cursor is None:
        before, run.status = place_of(run), "done"
        note_move(run, Next(), before, turn.now)
    else:
        _follow(run, sop, await _carry_out(run, sop, sop.step(run.cursor), turn), turn)
    return Command(goto="finish" if run.over else "step", update=dict(turn.dump(run)))


def _compiled(saver: BaseCheckpointSaver[str]) -> Graph:
    graph = StateGraph(Channels, context_schema=Turn)
    graph.add_node("plan", talk.plan, destinations=("step", END))
    graph.add_node("step", _step, destinations=("step", "finish"))
    graph.add_node("finish", talk.finish, destinations=(END,))
    graph.add_edge(START, "plan")
    return graph.compile(checkpointer=saver)


@dataclass
class Stepwise:
    """The engine's steps on a saver of LangGraph's."""

    name: str
    engine: Engine
    saver: InMemorySaver | AsyncRedisSaver
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _graph: Graph = field(init=False)

    def __post_init__(self) -> None:
        self._graph = _compiled(self.saver)

    async def carry(self, path: CasePath, thread: str) -> None:
        """See `Variant`."""
        event = said(thread, next(self._numbers), opening(path, new_order()))
        run_id = run_id_of(thread, event.id)
        run = opened(event, run_id, f"C-{run_id[:4]}", "zh", event.text)
        turn = Turn(self.engine, event, _NO_FENCE)
        run = await self._invoke(turn.dump(run), turn)
        if path == "t1":
            run = await self._resume(said(thread, next(self._numbers), BANK))
            request = run.request.id if run.request is not None else None
            run = await self._resume(approval(thread, next(self._numbers), request))
        if run.status != "done":
            raise RuntimeError(f"{self.name} did not carry {path} to its end: {run.status}")

    async def _resume(self, event: Event) -> RunState:
        return await self._invoke(Command(resume=event.id), Turn(self.engine, event, _NO_FENCE))

    async def _invoke(self, given: Channels | Command[str], turn: Turn) -> RunState:
        config: RunnableConfig = {"configurable": {"thread_id": turn.event.thread}, "recursion_limit": 100}
        values = await self._graph.ainvoke(given, config, context=turn, durability="sync")
        return turn.load(Channels(run=values["run"]))

    async def settled(self) -> None:
        """See `Variant`."""

    async def tidy(self) -> None:
        """What is kept in memory would slow down every later measurement of this process."""
        await forget(self.saver)


def unkept_engine(library: Library, office: httpx.AsyncClient) -> Engine:
    """The engine's parts without anything that keeps."""
    unkept = Unkept()
    door = ToolDoor(tools=library.words.tools, backoffice=BackOffice(office), journal=unkept)
    return Engine(library, door, stakes=unkept)
