"""The usual design, to be compared with: a node for each step, the saver as it comes, and a call that just pays."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.redis.aio import AsyncRedisSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import interrupt

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
Pay = Callable[[], Awaitable[None]]


class State(TypedDict, total=False):
    """What the run knows."""

    account: str
    decision: str
    seen: Annotated[list[str], operator.add]
    paid: bool


class Mortal(AsyncRedisSaver):
    """The stock saver. From its `dies_at`th boundary on, before or after a write, nothing happens any more, and `dead` is
    set."""

    passed = 0
    dies_at = -1
    dead: asyncio.Event

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        stream_mode: str = "values",
    ) -> RunnableConfig:
        """As the stock one."""
        await self._boundary()
        saved = await super().aput(config, checkpoint, metadata, new_versions, stream_mode)
        await self._boundary()
        return saved

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """As the stock one."""
        await self._boundary()
        await super().aput_writes(config, writes, task_id, task_path)
        await self._boundary()

    async def _boundary(self) -> None:
        self.passed += 1
        if 0 < self.dies_at <= self.passed:
            self.dead.set()
            await asyncio.Event().wait()


@asynccontextmanager
async def saver(url: str, dies_at: int = -1) -> AsyncIterator[Mortal]:
    """A saver of a process of its own."""
    async with Mortal.from_conn_string(url) as made:
        assert isinstance(made, Mortal)
        made.dies_at, made.dead = dies_at, asyncio.Event()
        yield made


def graph(saver: AsyncRedisSaver, pay: Pay) -> CompiledStateGraph[State, None, State, State]:
    """Ask for the account, ask for approval, pay, note."""

    async def ask(state: State) -> State:
        return {"account": interrupt("account?")}

    async def approve(state: State) -> State:
        return {"decision": interrupt("approve?")}

    async def submit(state: State) -> State:
        await pay()
        return {"paid": True}

    async def note(state: State) -> State:
        return {"seen": ["noted"]}

    made = StateGraph(State)
    made.add_node("ask", ask)
    made.add_node("approve", approve)
    made.add_node("submit", submit)
    made.add_node("note", note)
    for start, stop in ((START, "ask"), ("ask", "approve"), ("approve", "submit"), ("submit", "note"), ("note", END)):
        made.add_edge(start, stop)
    return made.compile(checkpointer=saver)
