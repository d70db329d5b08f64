"""The engine without Redis, LangGraph or a back office: for what must hold of very many runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from langgraph.runtime import Runtime

from graph import machine
from graph.engine import Engine
from graph.library import Library
from graph.model import Actor, Event, Fact, Lang, Reserved, Stake, Stakes
from graph.state import Channels, RunState, Sealed
from graph.tools.calling import Effect, ToolDoor, Tries
from graph.turn import Turn
from tests.unit.graph.builders import LI, START, money, word


@dataclass
class MemoryDoor:
    """A back office that says yes to everything, with `balance` to go back by gateway. `writes` are what it was told."""

    balance: str = "100000"
    paid: list[Fact] = field(default_factory=list)
    writes: list[tuple[str, dict[str, Fact]]] = field(default_factory=list)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Fact],
        *,
        lang: Lang,
        at: str,
        effect: Effect | None,
        tries: Tries | None = None,
    ) -> Fact:
        """A result of the tool's shape."""
        if effect is not None:
            self.writes.append((name, dict(arguments)))
        if name == "get_gateway_balance":
            return money(self.balance)
        if name != "get_order":
            return Fact(type="record", value={"compensation_no": word("RA1")})
        order = {"order_id": arguments["order_id"], "payment_status": word("paid"), "fraud_status": word("pass")}
        return Fact(type="record", value=order | {"compensated": Fact(type="list", value=list(self.paid))})


@dataclass
class MemoryStakes:
    """Stakes in a dict, by the same rules as those in Redis."""

    subjects: dict[tuple[str, str], Stakes] = field(default_factory=dict)

    async def look(self, by: str, value: str) -> Stakes:
        """What is at stake."""
        return self.subjects.get((by, value), Stakes())

    async def reserve(self, reserved: Reserved, version: int, thread: str, fence: int) -> bool:
        """If nothing has changed."""
        known = await self.look(reserved.by, reserved.value)
        if known.version != version:
            return False
        self._put(reserved, reserved.stake)
        return True

    async def settle(self, reserved: Reserved, thread: str, fence: int) -> None:
        """Paid."""
        self._put(reserved, reserved.stake)

    async def release(self, reserved: Reserved, thread: str, fence: int) -> None:
        """Given back."""
        self._put(reserved, None)

    def _put(self, reserved: Reserved, stake: Stake | None) -> None:
        known = self.subjects.get((reserved.by, reserved.value), Stakes())
        name = (reserved.stake.run, reserved.stake.step)
        others = [each for each in known.held if (each.run, each.step) != name]
        held = others if stake is None else [*others, stake]
        self.subjects[reserved.by, reserved.value] = Stakes(version=known.version + 1, held=held)


@dataclass
class Memory:
    """Runs that are carried from event to event by the interpreter alone."""

    library: Library
    door: MemoryDoor = field(default_factory=MemoryDoor)
    stakes: MemoryStakes = field(default_factory=MemoryStakes)

    def __post_init__(self) -> None:
        self.engine = Engine(self.library, cast(ToolDoor, self.door), stakes=self.stakes)

    def opened(self, number: int, facts: Mapping[str, Fact], sop: str = "compensation") -> RunState:
        """A run at its first step that knows these facts."""
        known = self.library.sops[sop]
        at = START.isoformat()
        return RunState(
            run=f"run{number}",
            case=f"C-{number}",
            thread=f"T:C:{number}",
            lang="zh",
            opener=LI,
            owner=LI,
            opened_at=at,
            updated_at=at,
            text="",
            sop=Sealed(name=known.name, digest=known.digest, text=known.text),
            cursor=known.steps[0].id,
            facts={name: fact.model_copy(update={"by": fact.by or LI.id}) for name, fact in facts.items()},
        )

    async def drive(self, run: RunState, event: Event) -> RunState:
        """The run after this event. Needs `graph.machine.interrupt` to be put out of action."""
        command = await machine.step(run.dump(), Runtime(context=Turn(self.engine, event, 1)))
        assert isinstance(command.update, dict)
        return RunState.load(Channels(run=command.update["run"]))


def event(kind: str, run: RunState, actor: Actor = LI, number: int = 1, **given: object) -> Event:
    """Something that happens to a run."""
    request = run.request.id if run.request else None
    base = {"id": f"{run.run}-{number}", "thread": run.thread, "kind": kind, "actor": actor, "at": START}
    return Event.model_validate(base | {"request": request} | given)
