"""The bot as a running service: Slack's edge, the worker, the sender and the clock on one engine."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.handling import as_it_is
from bot.inbox import Inbox
from bot.notices import notices
from bot.outbox import Outbox
from bot.settings import Settings
from bot.slack_edge import SlackEdge
from bot.timers import Clock
from bot.wiring.engine import DeskParts, open_desk
from bot.worker import Worker
from graph.errors import Misconfigured
from graph.library import Library

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Service:
    """All roles in one process."""

    parts: DeskParts
    edge: SlackEdge
    inbox: Inbox
    outbox: Outbox
    worker: Worker
    clock: Clock

    async def run(self, stopping: asyncio.Event, ready: asyncio.Event | None = None, ping_interval: float = 10.0) -> None:
        """Serve until `stopping` is set; then finish what is in hand. `ready` is set when deliveries can come."""
        await self.edge.check()
        async with asyncio.TaskGroup() as roles:
            roles.create_task(self.worker.run(stopping), name="worker")
            roles.create_task(self.clock.run(stopping), name="clock")
            roles.create_task(self.edge.sender.run(stopping), name="sender")
            roles.create_task(self.edge.listen(stopping, ready, ping_interval), name="listener")


@asynccontextmanager
async def open_service(settings: Settings, library: Library | None = None) -> AsyncIterator[Service]:
    """The service with its connections. Misconfigured names every setting that is missing."""
    missing = settings.missing_for_slack()
    if missing:
        raise Misconfigured("not set: " + "; ".join(missing))
    async with open_desk(settings, library) as parts:
        inbox, outbox = Inbox(parts.redis, parts.keys), Outbox(parts.redis, parts.keys)
        edge = SlackEdge(settings, parts.runner, inbox, outbox)
        worker = Worker(inbox, outbox, parts.leases, handle=edge.handling.handle, project=notices, actor=as_it_is)
        yield Service(parts, edge, inbox, outbox, worker, Clock(parts.redis, parts.keys))


async def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM."""
    log_to_stderr(settings)
    async with open_service(settings) as service:
        await service.run(stop_on_signals())


def stop_on_signals(also: Callable[[], None] | None = None) -> asyncio.Event:
    """An event that SIGINT and SIGTERM set."""
    stopping = asyncio.Event()

    def stop() -> None:
        if also is not None:
            also()
        stopping.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    return stopping


def log_to_stderr(settings: Settings) -> None:
    """Log lines with time, level and place; libraries only from WARNING up, for some of them log bodies."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    for room in ("bot", "graph", "blocks", "deploy"):
        logging.getLogger(room).setLevel(settings.sopdesk_log_level)
