"""The ways of carrying a case that are compared. Each carries a whole case, in a thread nobody else uses."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal, Protocol

import httpx
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.redis.aio import AsyncRedisSaver
from redis.asyncio import BlockingConnectionPool, Redis

from bot.aside import DeadEvent
from bot.inbox import Inbox
from bot.notice import Notice
from bot.notices import notices
from bot.outbox import Outbox
from bot.ready import Held
from bot.wiring.vocabulary import load_library
from bot.worker import Worker
from graph.engine import Engine
from graph.library import Library
from graph.model import Actor, Event, Outcome, Timer
from graph.opening import cards
from graph.reading import extract, understand
from graph.runner import Runner
from graph.store.audit import Audit
from graph.store.cases import Cases
from graph.store.checkpoint import Checkpoints
from graph.store.connect import connect
from graph.store.journal import Journal
from graph.store.keys import Keys
from graph.store.lease import Leases
from graph.store.stakes import StakeBook
from graph.tools.backoffice import BackOffice
from graph.tools.calling import ToolDoor
from tests.bench.naive import Facts, Graph, Naive, begin, outcome, resume
from tests.bench.office import Office

CasePath = Literal["t6", "t1"]
_ORDERS: Final = itertools.count()
BANK: Final = "中国银行 6222 0000 1234，户名王女士"
LI: Final = Actor(id="U0LI", name="李")
WANG: Final = Actor(id="U0WANG", name="王")
_SECONDS: Final = 60.0


def opening(path: CasePath, order: str) -> str:
    """How a case of this path begins."""
    return f"{order} 补 30 积分，导游迟到" if path == "t6" else f"给 {order} 补 80 美元现金，商户漏发接送"


def new_order() -> str:
    """An order that no case was about: amounts of one order are added up."""
    return f"KL-{100 + next(_ORDERS) % 999_900}"


class Variant(Protocol):
    """One way."""

    name: str

    async def carry(self, path: CasePath, thread: str) -> None:
        """Carry one case of this path to its end."""
        ...

    async def settled(self) -> None:
        """Wait until nothing of the case is still going on in the background."""
        ...

    async def tidy(self) -> None:
        """What is done between two measurements, unmeasured."""
        ...


@dataclass
class Plain:
    """A node execution a step, on a saver of LangGraph's."""

    name: str
    graph: Graph
    saver: InMemorySaver | AsyncRedisSaver

    async def carry(self, path: CasePath, thread: str) -> None:
        """See `Variant`."""
        await begin(self.graph, thread, opening(path, new_order()))
        if path == "t1":
            await resume(self.graph, thread, BANK)
            await resume(self.graph, thread, "approve")

    async def settled(self) -> None:
        """See `Variant`."""

    async def tidy(self) -> None:
        """What is kept in memory would slow down every later measurement of this process."""
        await forget(self.saver)

    async def ended(self, thread: str) -> bool:
        """Whether the thread's run is over."""
        return await outcome(self.graph, thread) == "done"


@dataclass
class EngineVariant:
    """The engine with journal, lease and checkpoint, called as the worker calls it."""

    runner: Runner
    leases: Leases
    name: str = "engine"
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    async def carry(self, path: CasePath, thread: str) -> None:
        """See `Variant`."""
        if path == "t6":
            last = await self.advance(said(thread, next(self._numbers), opening(path, new_order())))
        else:
            await self.advance(said(thread, next(self._numbers), opening(path, new_order())))
            waiting = await self.advance(said(thread, next(self._numbers), BANK))
            last = await self.advance(approval(thread, next(self._numbers), waiting.view.waiting if waiting.view else None))
        must_be_done(last)

    async def advance(self, event: Event) -> Outcome:
        """One event under a lease of its own."""
        async with self.leases.hold(event.thread) as lease:
            return await self.runner.advance(event, lease.fence)

    async def settled(self) -> None:
        """See `Variant`."""

    async def tidy(self) -> None:
        """See `Variant`."""


class _Emptied(Inbox):
    """An inbox that says when a thread is given back."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        super().__init__(redis, keys)
        self.busy: dict[str, asyncio.Event] = {}

    async def settle(self, held: Held) -> bool:
        """See `Inbox`."""
        settled = await super().settle(held)
        if settled:
            self.busy.pop(held.item).set()
        return settled


class _Told(Outbox):
    """An outbox that says when an event is finished."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        super().__init__(redis, keys)
        self.finished: dict[str, asyncio.Event] = {}

    async def put_and_finish(
        self,
        thread: str,
        event_id: str,
        fence: int,
        notices: Sequence[Notice],
        timers: Sequence[Timer],
        *,
        follow: Sequence[Event] = (),
        set_aside: DeadEvent | None = None,
    ) -> int:
        """See `Outbox`."""
        left = await super().put_and_finish(
            thread, event_id, fence, notices, timers, follow=follow, set_aside=set_aside
        )
        self.finished.pop(event_id).set()
        return left


@dataclass
class WholeWay:
    """From the mailbox through a running worker and the engine into the outbox; `tidy` plays the sender."""

    redis: Redis
    keys: Keys
    inbox: _Emptied
    outbox: _Told
    outcomes: dict[str, Outcome]
    name: str = "whole way"
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    async def carry(self, path: CasePath, thread: str) -> None:
        """See `Variant`."""
        if path == "t6":
            last = await self.put(said(thread, next(self._numbers), opening(path, new_order())))
        else:
            await self.put(said(thread, next(self._numbers), opening(path, new_order())))
            waiting = await self.put(said(thread, next(self._numbers), BANK))
            last = await self.put(approval(thread, next(self._numbers), waiting.view.waiting if waiting.view else None))
        must_be_done(last)

    async def put(self, event: Event) -> Outcome:
        """Put an event in and wait until it is finished."""
        finished = self.outbox.finished[event.id] = asyncio.Event()
        self.inbox.busy.setdefault(event.thread, asyncio.Event())
        await self.inbox.put(event, dedupe=[f"at:{event.id}"], receipt_after=2.0)
        async with asyncio.timeout(_SECONDS):
            await finished.wait()
        return self.outcomes.pop(event.id)

    async def settled(self) -> None:
        """The worker gives a thread back after its last event is finished."""
        async with asyncio.timeout(_SECONDS):
            for emptied in list(self.inbox.busy.values()):
                await emptied.wait()

    async def tidy(self) -> None:
        """Send what is in the outbox."""
        await self.settled()
        while await self.redis.xlen(self.keys.stream("sendable")):
            delivery = await self.outbox.next()
            if delivery is not None:
                await self.outbox.sent(delivery, "C0DESK", f"1764500000.{next(self._numbers):06d}")


@dataclass
class Shared:
    """What every way does alike and no graph is needed for: reading the words, asking the back office."""

    library: Library
    office: httpx.AsyncClient
    name: str = "shared"

    async def carry(self, path: CasePath, thread: str) -> None:
        """The readings and calls of one case."""
        plain, order = _naive(self.library, self.office), new_order()
        await understand(opening(path, order), plain.cards, None)
        await plain.get(f"/orders/{order}")
        if path == "t1":
            await plain.get(f"/orders/{order}/gateway-balance")
            await extract(BANK, [plain.fields["bank_account"]], None, None)
        body: Facts = {"order_id": order, "amount": "30", "currency": "USD", "comp_type": "credit"}
        await plain.post("/compensations", body)
        await plain.post(f"/orders/{order}/notes", {"text": thread})

    async def settled(self) -> None:
        """See `Variant`."""

    async def tidy(self) -> None:
        """See `Variant`."""


@asynccontextmanager
async def shared(library: Library) -> AsyncIterator[Shared]:
    """The part that is the same for all."""
    async with Office().client() as office:
        yield Shared(library, office)


async def forget(saver: InMemorySaver | AsyncRedisSaver) -> None:
    """Delete what a saver keeps in memory; what is on Redis stays."""
    if isinstance(saver, InMemorySaver):
        for thread in list(saver.storage):
            await saver.adelete_thread(thread)


def said(thread: str, number: int, text: str) -> Event:
    """A message of the agent's."""
    now = datetime.now(UTC)
    return Event(id=f"msg:{thread}:{number}", thread=thread, kind="message", actor=LI, at=now, said_at=now, text=text)


def approval(thread: str, number: int, request: str | None) -> Event:
    """The supervisor's click on the card of this request."""
    return Event(
        id=f"click:{thread}:{number}",
        thread=thread,
        kind="decision",
        actor=WANG,
        at=datetime.now(UTC),
        request=request,
        verdict="approve",
    )


def must_be_done(last: Outcome) -> None:
    """A benchmark of something that does not work is worth nothing. RuntimeError when the case is not done."""
    if last.view is None or last.view.status != "done":
        raise RuntimeError(f"the case was not carried to its end: {last.view.status if last.view else 'no case'}")


def plain(name: str, saver: InMemorySaver | AsyncRedisSaver, library: Library, office: httpx.AsyncClient) -> Plain:
    """The graph that is written out by hand."""
    return Plain(name, _naive(library, office).compiled(saver), saver)


@asynccontextmanager
async def stock_saver(url: str) -> AsyncIterator[AsyncRedisSaver]:
    """The stock Redis saver, with a pool that waits: the default one breaks at a hundred connections."""
    redis = Redis.from_pool(BlockingConnectionPool.from_url(url, max_connections=64, timeout=20))
    saver = AsyncRedisSaver(redis_client=redis)
    try:
        await saver.asetup()
        yield saver
    finally:
        await redis.aclose(close_connection_pool=True)


@dataclass
class Parts:
    """The engine's parts on one Redis."""

    redis: Redis
    keys: Keys
    saver: Checkpoints
    cases: Cases
    leases: Leases
    runner: Runner
    library: Library


@asynccontextmanager
async def parts(url: str, namespace: str, library: Library | None = None) -> AsyncIterator[Parts]:
    """The engine put together as the wiring does it, but for the back office."""
    known = library or load_library(None)
    keys, redis = Keys(namespace), connect(url)
    saver = Checkpoints(url, namespace)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(redis.aclose, close_connection_pool=True)
        stack.push_async_callback(saver.close)
        await saver.prepare()
        office = await stack.enter_async_context(Office().client())
        door = ToolDoor(tools=known.words.tools, backoffice=BackOffice(office), journal=Journal(redis, keys))
        audit, engine = Audit(redis, keys), Engine(known, door, stakes=StakeBook(redis, keys))
        cases = Cases(redis, keys, audit=audit)
        runner = Runner(engine, saver, cases, audit)
        yield Parts(redis, keys, saver, cases, Leases(redis, keys), runner, known)


@asynccontextmanager
async def whole_way(of: Parts, concurrency: int = 64) -> AsyncIterator[WholeWay]:
    """The engine behind a running worker."""
    inbox, outbox = _Emptied(of.redis, of.keys), _Told(of.redis, of.keys)
    outcomes: dict[str, Outcome] = {}

    async def handle(event: Event, fence: int) -> Outcome:
        found = outcomes[event.id] = await of.runner.advance(event, fence)
        return found

    async def same(actor: Actor) -> Actor:
        return actor

    worker = Worker(inbox, outbox, of.leases, handle=handle, project=notices, actor=same, concurrency=concurrency)
    stopping = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(worker.run(stopping))
        try:
            yield WholeWay(of.redis, of.keys, inbox, outbox, outcomes)
        finally:
            stopping.set()


def _naive(library: Library, office: httpx.AsyncClient) -> Naive:
    return Naive(office, cards(library), dict(library.words.fields))
