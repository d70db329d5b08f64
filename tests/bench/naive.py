"""The yardstick: the same procedure with a node execution, and so a checkpoint, for each of its steps.

It does what the engine does for the same words and no more: it reads with the same code, calls the same back office, and
pauses at the same places. It has no journal, no lease, no evidence in its state, no projection for Slack.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, TypedDict

import httpx
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, interrupt

from graph.fields import FieldSpec
from graph.model import JsonValue
from graph.reading import SopCard, extract, understand

Facts = dict[str, JsonValue]
STEPS = ("load_order", "eligibility", "collect", "gateway_balance", "bank_info", "approval", "submit", "note")
TIERS = (("auto", Decimal(50)), ("supervisor", Decimal(500)), ("manager", Decimal(2000)), ("director", None))


class State(TypedDict, total=False):
    """The graph's state: facts as they come, and a line of the trail for each step."""

    messages: Annotated[list[AnyMessage], add_messages]
    mode: str
    sop: str | None
    cursor: int
    facts: Facts
    trail: Annotated[list[str], operator.add]
    outcome: str | None


Graph = CompiledStateGraph[State, None, State, State]


@dataclass(frozen=True)
class Naive:
    """The nodes. `cards` and `fields` are what the reading code needs to know of the procedure."""

    office: httpx.AsyncClient
    cards: Sequence[SopCard]
    fields: dict[str, FieldSpec]

    def compiled(self, saver: BaseCheckpointSaver[str]) -> Graph:
        """The graph on this saver."""
        graph = StateGraph(State)
        graph.add_node("plan", self.plan, destinations=("step", END))
        graph.add_node("step", self.step, destinations=("step", "finish"))
        graph.add_node("finish", self.finish, destinations=(END,))
        graph.add_edge(START, "plan")
        return graph.compile(checkpointer=saver)

    async def plan(self, state: State) -> Command[str]:
        """Words to facts."""
        heard = await understand(str(state["messages"][-1].content), self.cards, None)
        if heard.mode != "sop":
            return Command(goto=END, update={"mode": heard.mode})
        facts: Facts = {name: fact.plain() for name, fact in heard.reading.fields.items()}
        update = {"mode": "sop", "sop": heard.sop, "cursor": 0, "facts": facts, "trail": [f"plan: {sorted(facts)}"]}
        return Command(goto="step", update=update)

    async def step(self, state: State) -> Command[str]:
        """One step; the next one is another execution."""
        cursor, facts = state["cursor"], dict(state["facts"])
        if cursor == len(STEPS):
            return Command(goto="finish", update={"outcome": "done"})
        name = STEPS[cursor]
        if name in _WHEN and not _WHEN[name](facts):
            return Command(goto="step", update={"cursor": cursor + 1, "trail": [f"{name}: skipped"]})
        line = await self._carry_out(name, facts)
        return Command(goto="step", update={"cursor": cursor + 1, "facts": facts, "trail": [f"{name}: {line}"]})

    async def finish(self, state: State) -> Command[str]:
        """A closing word."""
        words = f"{state['outcome']}: {len(state['trail'])}"
        return Command(goto=END, update={"messages": [AIMessage(words)]})

    async def _carry_out(self, name: str, facts: Facts) -> str:
        """Do a step on `facts`; the line for the trail."""
        order = facts["order_id"]
        match name:
            case "load_order":
                facts["order"] = await self.get(f"/orders/{order}")
            case "gateway_balance":
                facts["gateway_balance"] = (await self.get(f"/orders/{order}/gateway-balance"))["amount"]
            case "eligibility":
                return _eligible(facts["order"])
            case "collect":
                await self._ask(facts, ["amount", "reason", "comp_type"])
            case "bank_info":
                await self._ask(facts, ["bank_account"])
            case "approval":
                facts["approver"] = _approved(facts)
            case "submit":
                given = ("order_id", "amount", "comp_type", "reason", "bank_account", "approver")
                body = {key: facts[key] for key in given if key in facts} | {"currency": "USD"}
                facts["compensation"] = await self.post("/compensations", body)
            case "note":
                words = f"{facts['compensation']}"
                facts["note"] = await self.post(f"/orders/{order}/notes", {"text": words})
        return "done"

    async def _ask(self, facts: Facts, names: Sequence[str]) -> None:
        missing = [name for name in names if name not in facts]
        if missing:
            answer = interrupt({"kind": "ask", "missing": missing})
            reading = await extract(str(answer), [self.fields[name] for name in missing], None, None)
            facts |= {name: fact.plain() for name, fact in reading.fields.items()}

    async def get(self, path: str) -> Facts:
        """What the back office has there."""
        answer: Facts = (await self.office.get(path)).json()
        return answer

    async def post(self, path: str, body: Facts) -> Facts:
        """What the back office makes of it."""
        answer: Facts = (await self.office.post(path, json=body)).json()
        return answer


async def begin(graph: Graph, thread: str, text: str) -> None:
    """A new request in a thread, with a checkpoint stored after each step."""
    await graph.ainvoke(
        {"messages": [HumanMessage(text)], "outcome": None}, _config(thread), durability="sync"
    )


async def resume(graph: Graph, thread: str, answer: str) -> None:
    """An answer to what the thread waits for."""
    await graph.ainvoke(Command(resume=answer), _config(thread), durability="sync")


async def outcome(graph: Graph, thread: str) -> str | None:
    """How the thread's run ended; None while it waits."""
    state = await graph.aget_state(_config(thread))
    found: str | None = state.values.get("outcome")
    return found


def _config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}, "recursion_limit": 100}


def _eligible(order: JsonValue) -> str:
    if not isinstance(order, dict) or order["payment_status"] != "paid" or order["fraud_status"] != "pass":
        raise ValueError("the benchmark's order is eligible")
    return "done"


def _approved(facts: Facts) -> str:
    amount = Decimal(str(facts["amount"]))
    level = next(level for level, most in TIERS if most is None or amount <= most)
    if level == "auto":
        return "System"
    if interrupt({"kind": "approve", "level": level}) != "approve":
        raise ValueError("the benchmark approves")
    return level


def _cash(facts: Facts) -> bool:
    return facts["comp_type"] == "cash"


def _short(facts: Facts) -> bool:
    return _cash(facts) and Decimal(str(facts["amount"])) > Decimal(str(facts["gateway_balance"]))


_WHEN: dict[str, Callable[[Facts], bool]] = {"gateway_balance": _cash, "bank_info": _short}
