"""One turn of one run on LangGraph: the graph, and how it is begun, resumed and carried on."""

from __future__ import annotations

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.types import INTERRUPT
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from graph import machine, talk
from graph.errors import StateLost
from graph.records import Paused, config_of
from graph.state import Channels, RunState
from graph.turn import Turn


class Execution:
    """The compiled graph on a saver. A turn stores one checkpoint, at the pause it comes to."""

    def __init__(self, saver: BaseCheckpointSaver[str]) -> None:
        self._graph: CompiledStateGraph[Channels, Turn, Channels, Channels] = _build().compile(checkpointer=saver)

    async def begin(self, run: RunState, turn: Turn) -> Paused:
        """A new run, up to where it waits or ends."""
        return await self._invoke(turn.dump(run), turn)

    async def resume(self, paused: Paused, turn: Turn) -> Paused:
        """Answer what a run waits for; the answer is the turn's event. One that waits without an interrupt of LangGraph's
        comes back with it, unanswered."""
        waiting = paused.interrupts
        return await self._carry_on(paused, turn, {waiting[0]: turn.event.id} if len(waiting) == 1 else None)

    async def carry_on(self, paused: Paused, turn: Turn) -> Paused:
        """A run whose last turn broke off between two steps."""
        return await self._carry_on(paused, turn, None)

    async def _carry_on(self, paused: Paused, turn: Turn, answer: dict[str, str] | None) -> Paused:
        turn.known = paused.value, paused.run
        return await self._invoke(None if answer is None else Command(resume=answer), turn)

    async def _invoke(self, given: Channels | Command[str] | None, turn: Turn) -> Paused:
        config = config_of(turn.event.thread, turn.fence)
        values = await self._graph.ainvoke(given, config, context=turn, durability="exit")
        if not isinstance(values, dict) or "run" not in values:
            raise StateLost(f"the run of thread {turn.event.thread} came to nothing")
        run = turn.load(Channels(run=values["run"]))
        return Paused(run, values["run"], tuple(each.id for each in values.get(INTERRUPT, ())))


def _build() -> StateGraph[Channels, Turn, Channels, Channels]:
    graph = StateGraph(Channels, context_schema=Turn)
    graph.add_node("plan", _plan, destinations=("step", "qa", "finish", END))
    graph.add_node("qa", talk.qa, destinations=(END,))
    graph.add_node("step", machine.step, destinations=("step", "finish", END))
    graph.add_node("finish", talk.finish, destinations=(END,))
    graph.add_edge(START, "plan")
    return graph


async def _plan(state: Channels, runtime: Runtime[Turn]) -> Command[str]:
    """Node `plan` and, where it finds a procedure, its steps: between the two nothing is stored, so that an execution of
    its own would only cost time. A replay goes on from what was understood."""
    turn = runtime.context
    begun = turn.calls.begun
    if begun is None or begun.planned is None:
        planned = await talk.plan(state, runtime)
        if planned.goto != "step" or planned.update is None:
            return planned
        run = planned.update["run"]
    else:
        run = begun.planned
    turn.planned = run
    return await machine.step(Channels(run=run), runtime)
