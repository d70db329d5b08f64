"""The bot as a running service, in one process or in many: what listens, what works, what sends, and the clock."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

from blocks import Offer
from bot.handling import as_it_is
from bot.health import Health, Pulse, answering
from bot.inbox import Inbox
from bot.logs import Shape, configure_logs
from bot.notices import notices
from bot.outbox import Outbox
from bot.overtaken import SWEEPS
from bot.serving import Line
from bot.settings import HEALTH_PORT, Role, Settings
from bot.slack_edge import SlackEdge
from bot.timers import Clock
from bot.tracing import open_tracer
from bot.watch import Watch
from bot.wiring.archiving import Archiving
from bot.wiring.drawings import Drawings
from bot.wiring.engine import DeskParts, open_desk
from bot.wiring.practice import Practising
from bot.wiring.probes import health_of
from bot.wiring.watched import WatchedInbox, WatchedOutbox
from bot.worker import Worker
from graph.errors import Misconfigured
from graph.library import Library
from graph.store.connect import end

log = logging.getLogger(__name__)

STOP_SECONDS: Final = 8.5
"""From the sign to stop until everything that still runs is ended."""
_GRACE_SECONDS: Final = 6.0
"""For what is in hand to be finished; the rest of the time is for handing back."""
OFFERS: Final[tuple[Offer, ...]] = ("settle", "another_amount", "ask_requester", "new_case", "handbook", "practise")
"""The optional deeds that this engine can carry out."""


class Takeover(NamedTuple):
    """After how many seconds of silence a process's work goes to another: its threads, and its posts. A post that is on
    its way when its sender dies must have arrived by then, so it is more than a call of Slack takes. `sweeps` after that
    it is looked what one that only slept has posted."""

    work: float = 15.0
    post: float = 15.0
    sweeps: tuple[float, ...] = SWEEPS


TAKEOVER: Final = Takeover()
"""As it is in service; a test that kills processes does not wait so long."""


@dataclass(frozen=True)
class Service:
    """One process in its role. `watch` holds its counters, `health` is what its probes ask."""

    role: Role
    parts: DeskParts
    edge: SlackEdge
    inbox: Inbox
    outbox: Outbox
    worker: Worker
    clock: Clock
    line: Line
    watch: Watch
    health: Health

    async def run(self, stopping: asyncio.Event, ready: asyncio.Event | None = None, ping_interval: float = 10.0) -> None:
        """Serve until `stopping` is set; then finish what is in hand, or hand it back, within ten seconds.

        `ready` is set when deliveries can come or, in a role that does not listen, when the loops have begun.
        """
        async with self._probes():
            await self.edge.check()
            async with asyncio.TaskGroup() as group:
                loops = [
                    group.create_task(loop, name=name) for name, loop in self._loops(stopping, ready, ping_interval).items()
                ]
                group.create_task(self._in_time(loops, stopping), name="end")
                if ready is not None and self.role not in ("listen", "all"):
                    ready.set()

    def _loops(
        self, stopping: asyncio.Event, ready: asyncio.Event | None, ping_interval: float
    ) -> Mapping[str, Coroutine[None, None, None]]:
        found: dict[str, Coroutine[None, None, None]] = {"releases": self.parts.reloading.run(stopping)}
        if self.role in ("work", "all"):
            found["worker"] = self.worker.run(stopping)
            found["archive"] = Archiving(self.parts.cases, self.parts.settings.sopdesk_archive_days).run(stopping)
        if self.role in ("send", "all"):
            found["sender"] = self.edge.sender.run(stopping)
        if self.role in ("work", "send", "all"):
            found["clock"] = self.clock.run(stopping)
        if self.role in ("listen", "all"):
            found["listener"] = self.edge.listen(stopping, ready, ping_interval, self.line)
        return found

    async def _in_time(self, loops: list[asyncio.Task[None]], stopping: asyncio.Event) -> None:
        await stopping.wait()
        self.health.stopping.set()
        _, late = await asyncio.wait(loops, timeout=STOP_SECONDS)
        for loop in late:
            log.error("%s did not stop within %g s and is ended", loop.get_name(), STOP_SECONDS)
        await end(*late)

    @asynccontextmanager
    async def _probes(self) -> AsyncIterator[None]:
        settings = self.parts.settings
        if not settings.sopdesk_health_port:
            yield
            return
        async with answering(self.health, settings.sopdesk_health_host, settings.sopdesk_health_port):
            yield


@asynccontextmanager
async def open_service(
    settings: Settings,
    library: Library | None = None,
    role: Role = "all",
    *,
    durable: bool = False,
    takeover: Takeover = TAKEOVER,
) -> AsyncIterator[Service]:
    """The service with its connections. Misconfigured names every setting that is missing, and what Redis lacks.

    `durable`: refuse a Redis that keeps nothing over a restart.
    """
    missing = settings.missing_for_slack(role)
    if missing:
        raise Misconfigured("not set: " + "; ".join(missing))
    async with open_tracer(settings.otel_exporter_otlp_endpoint, role) as tracer:
        watch, pulse = Watch(tracer=tracer), Pulse()
        async with open_desk(settings, library, watch=watch, durable=durable, calls=role in ("work", "all")) as parts:
            yield _service(role, parts, watch, pulse, takeover)


def _service(role: Role, parts: DeskParts, watch: Watch, pulse: Pulse, takeover: Takeover) -> Service:
    settings, redis, keys = parts.settings, parts.redis, parts.keys
    inbox = WatchedInbox(redis, keys, parts.codec, watch, takeover.work)
    outbox = WatchedOutbox(redis, keys, parts.codec, watch, takeover.post, takeover.sweeps)
    edge = SlackEdge(
        settings,
        parts.runner,
        inbox,
        outbox,
        parts.delegates,
        practice=Practising(parts.library, parts.cases),
        draws=Drawings(parts.runner),
        offers=OFFERS,
        watch=watch,
        beat=pulse.of("sender"),
    )
    worker = Worker(
        inbox,
        outbox,
        parts.leases,
        handle=edge.handling.handle,
        project=notices,
        actor=as_it_is,
        given_up=parts.given_up,
        lease_for=takeover.work,
        grace=_GRACE_SECONDS,
        around=watch.turn,
        beat=pulse.of("worker"),
    )
    line = Line(beat=pulse.of("listener"))
    return Service(
        role=role,
        parts=parts,
        edge=edge,
        inbox=inbox,
        outbox=outbox,
        worker=worker,
        clock=Clock(redis, keys, pulse.of("clock")),
        line=line,
        watch=watch,
        health=health_of(role, redis, keys, parts.codec, parts.backoffice, line, pulse, watch),
    )


async def serve(settings: Settings, role: Role = "all", *, allow_volatile: bool = False) -> None:
    """Serve until SIGINT or SIGTERM. Misconfigured when something is missing or Redis is not fit for it."""
    log_to_stderr(settings, "json")
    if settings.sopdesk_health_port is None:
        settings = settings.model_copy(update={"sopdesk_health_port": HEALTH_PORT})
    stopping = stop_on_signals()
    async with open_service(settings, role=role, durable=not allow_volatile) as service:
        log.info("started as %s", role)
        # To look through all that was loaded for good takes a tenth of a second each time, in which nothing is answered.
        gc.collect()
        gc.freeze()
        await service.run(stopping)
    log.info("stopped")


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


def log_to_stderr(settings: Settings, shape: Shape = "readable") -> None:
    """Log lines with time, level, place and ids; libraries only from WARNING up, for some of them log bodies."""
    configure_logs(settings.sopdesk_log_level, shape)
