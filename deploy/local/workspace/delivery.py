"""Deliveries to the bot: the three-second rule, redelivery of events, and a log of what was sent."""

import asyncio
import logging
import uuid
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from .faults import Faults
from .model import Json

Kind: TypeAlias = Literal["events_api", "interactive", "slash_commands"]
log = logging.getLogger(__name__)


class NotAcknowledged(Exception):
    """The bot did not take the delivery; the text is Slack's retry reason."""


@dataclass
class Attempt:
    """One sending of one payload."""

    kind: Kind
    payload: Json
    number: int = 0
    reason: str = ""
    accepts_response: bool = False
    wait: float = 3.0
    """Seconds to wait for a connection."""
    envelope_id: str = field(default_factory=lambda: str(uuid.uuid4()))


@dataclass
class Delivery:
    """What was sent to the bot and how it ended. `attempts` counts sendings, `refusals` holds their reasons."""

    kind: Kind
    payload: Json
    attempts: int = 0
    acked: bool = False
    finished: bool = False
    response: Json | str | None = None
    refusals: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Receipt:
    """What a person's action came to: `acked` is False if the bot did not answer in time."""

    acked: bool
    payload: Json
    response: Json | str | None = None


class Transport(Protocol):
    """A way to the bot."""

    async def deliver(self, attempt: Attempt) -> Json | str | None:
        """The bot's answer to an acknowledged delivery; NotAcknowledged otherwise."""

    async def close(self) -> None:
        """Give up all connections."""


class Dispatcher:
    """Sends payloads by the transport in use. Events are retried; clicks and commands are not, as with Slack."""

    def __init__(
        self, transport: Transport, faults: Faults, changed: Callable[[], None], retry_after: tuple[float, ...],
        ack_timeout: float, patience: float,
    ) -> None:
        self.transport = transport
        self.log: list[Delivery] = []
        self._faults = faults
        self._changed = changed
        self._retry_after = retry_after
        self._ack_timeout = ack_timeout
        self._patience = patience
        self._tasks: set[asyncio.Task[None]] = set()
        self.crashes: list[BaseException] = []

    def event(self, payload: Json) -> Delivery:
        """Send an event in the background, with redelivery until it is acknowledged."""
        delivery = self._new("events_api", payload)
        copies = 2 if self._faults.take_duplicate() else 1
        for _ in range(copies):
            self._start(self._event(delivery))
        return delivery

    async def interact(self, kind: Kind, payload: Json, accepts_response: bool = False) -> Receipt:
        """Send a click, a form or a command and wait for its acknowledgement; not repeated if there is none."""
        delivery = self._new(kind, payload)
        if self._faults.take_duplicate():
            self._start(self._ignoring_refusal(Attempt(kind, payload, accepts_response=accepts_response)))
        attempt = Attempt(kind, payload, accepts_response=accepts_response, wait=self._ack_timeout)
        await self._try(delivery, attempt)
        self._finish(delivery)
        return Receipt(delivery.acked, payload, delivery.response)

    async def settled(self, timeout: float) -> None:
        """Return when nothing is under way any more; TimeoutError after `timeout` seconds."""
        async with asyncio.timeout(timeout):
            while self._tasks:
                await asyncio.wait(set(self._tasks))

    async def close(self) -> None:
        """Drop what is under way; raises what crashed in the background, as an ExceptionGroup."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.transport.close()
        if self.crashes:
            raise BaseExceptionGroup("deliveries crashed", self.crashes)

    def _new(self, kind: Kind, payload: Json) -> Delivery:
        delivery = Delivery(kind, payload)
        self.log.append(delivery)
        return delivery

    async def _event(self, delivery: Delivery) -> None:
        reason = ""
        for number, pause in enumerate((0.0, *self._retry_after)):
            if number:
                await asyncio.sleep(pause)
            attempt = Attempt("events_api", delivery.payload, number, reason, wait=self._patience)
            if await self._try(delivery, attempt):
                break
            reason = delivery.refusals[-1]
        self._finish(delivery)

    async def _try(self, delivery: Delivery, attempt: Attempt) -> bool:
        delivery.attempts += 1
        if self._faults.delivery_delay:
            await asyncio.sleep(self._faults.delivery_delay)
        try:
            response = await self.transport.deliver(attempt)
        except NotAcknowledged as refusal:
            delivery.refusals.append(str(refusal))
            return False
        if self._faults.take_dropped_ack():
            delivery.refusals.append("timeout")
            return False
        delivery.acked, delivery.response = True, response
        return True

    async def _ignoring_refusal(self, attempt: Attempt) -> None:
        try:
            await self.transport.deliver(attempt)
        except NotAcknowledged as refusal:
            log.info("the second copy of a delivery was not acknowledged: %s", refusal)

    def _finish(self, delivery: Delivery) -> None:
        delivery.finished = True
        self._changed()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (crash := task.exception()):
            log.error("a delivery crashed", exc_info=crash)
            self.crashes.append(crash)
