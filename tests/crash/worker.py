"""One process of a crash run: the roles of the service on given servers, with traps. See `tests.crash.nursery`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys

from bot.handling import as_it_is
from bot.inbox import Inbox
from bot.notices import notices
from bot.outbox import Outbox
from bot.slack_edge import SlackEdge
from bot.timers import Clock
from bot.wiring.engine import DeskParts, open_desk
from bot.wiring.service import stop_on_signals
from bot.worker import Worker
from graph.failpoints import armed
from tests.crash.sabotage import sabotaged
from tests.crash.traps import Orders, Snare, Word, tell

CONCURRENCY = 16


async def work(orders: Orders) -> None:
    """Serve until SIGTERM, or until a trap closes."""
    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format=f"%(asctime)s {orders.name} %(levelname)s %(name)s %(message)s"
    )
    stopping = stop_on_signals()
    with contextlib.ExitStack() as stack:
        if orders.traps:
            stack.enter_context(armed(Snare(orders.name, orders.traps).reached))
        async with open_desk(orders.where.settings()) as parts:
            await _serve(orders, sabotaged(parts, orders.without), stopping)


async def _serve(orders: Orders, parts: DeskParts, stopping: asyncio.Event) -> None:
    inbox = Inbox(parts.redis, parts.keys, idle=orders.takeover)
    # A post that is on its way when its sender dies must have arrived before another looks for it; on a busy machine the
    # workspace may take a second or two. In service that time is 15 s less 5 s, the limit of a call 10 s.
    outbox = Outbox(parts.redis, parts.keys, idle=orders.takeover * 3)
    edge = SlackEdge(parts.settings, parts.runner, inbox, outbox)
    worker = Worker(
        inbox,
        outbox,
        parts.leases,
        handle=edge.handling.handle,
        project=notices,
        actor=as_it_is,
        concurrency=CONCURRENCY,
        lease_for=orders.takeover,
        backoff=0.2,
    )
    ready = asyncio.Event()
    async with asyncio.TaskGroup() as roles:
        if "listen" in orders.roles:
            roles.create_task(edge.listen(stopping, ready, 0.5), name="listener")
        else:
            ready.set()
        if "work" in orders.roles:
            roles.create_task(worker.run(stopping), name="worker")
            roles.create_task(Clock(parts.redis, parts.keys).run(stopping), name="clock")
        if "send" in orders.roles:
            roles.create_task(edge.sender.run(stopping), name="sender")
        await ready.wait()
        tell(Word(name=orders.name, what="ready", pid=os.getpid()))
