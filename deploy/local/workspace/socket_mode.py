"""Socket Mode: envelopes over WebSockets that the bot opens."""

import asyncio
import json
import logging
import secrets
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from .delivery import Attempt, NotAcknowledged
from .faults import Faults
from .model import Json

log = logging.getLogger(__name__)


class _ConnectionLost(Exception):
    """The socket went away before the acknowledgement."""


@dataclass(eq=False)
class _Connection:
    socket: web.WebSocketResponse
    transport: asyncio.Transport | None
    pending: dict[str, asyncio.Future[Json | str | None]] = field(default_factory=dict)
    leaving: bool = False

    def lost(self) -> None:
        """Tell all who wait for an acknowledgement that none will come here."""
        self.leaving = True
        for future in self.pending.values():
            if not future.done():
                future.set_exception(_ConnectionLost())


class SocketMode:
    """All open sockets. Each envelope goes to one; what a lost socket had not acknowledged goes to another."""

    def __init__(
        self, app_id: str, faults: Faults, ack_timeout: float, ping_interval: float, max_waiting: int = 10_000
    ) -> None:
        self._app_id = app_id
        self._faults = faults
        self._ack_timeout = ack_timeout
        self._ping_interval = ping_interval
        self._max_waiting = max_waiting
        self._tickets: set[str] = set()
        self._connections: list[_Connection] = []
        self._waiting = 0
        self._connected = asyncio.Condition()

    @property
    def connections(self) -> int:
        """How many sockets take envelopes."""
        return sum(not connection.leaving for connection in self._connections)

    def ticket(self) -> str:
        """A one-time right to connect, part of the address that apps.connections.open returns."""
        ticket = secrets.token_hex(16)
        self._tickets.add(ticket)
        return ticket

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """The WebSocket end point."""
        ticket = request.query.get("ticket", "")
        if self._faults.offline or ticket not in self._tickets:
            raise web.HTTPForbidden(text="the ticket is unknown or spent; call apps.connections.open")
        self._tickets.discard(ticket)
        socket = web.WebSocketResponse(heartbeat=self._ping_interval)
        await socket.prepare(request)
        connection = _Connection(socket, request.transport)
        await socket.send_json({
            "type": "hello", "num_connections": self.connections + 1,
            "connection_info": {"app_id": self._app_id},
            "debug_info": {"host": "local-workspace", "approximate_connection_time": 18060},
        })
        async with self._connected:
            self._connections.append(connection)
            self._connected.notify_all()
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    self._acknowledged(connection, message.data)
        finally:
            self._connections.remove(connection)
            connection.lost()
        return socket

    async def deliver(self, attempt: Attempt) -> Json | str | None:
        """Send one envelope and wait for its acknowledgement; another socket is tried if the first is lost."""
        envelope: Json = {
            "envelope_id": attempt.envelope_id, "type": attempt.kind, "payload": attempt.payload,
            "accepts_response_payload": attempt.accepts_response,
        }
        if attempt.kind == "events_api":
            envelope |= {"retry_attempt": attempt.number, "retry_reason": attempt.reason}
        while True:
            connection = await self._pick(attempt.wait)
            future: asyncio.Future[Json | str | None] = asyncio.get_running_loop().create_future()
            connection.pending[attempt.envelope_id] = future
            try:
                await connection.socket.send_json(envelope)
                return await asyncio.wait_for(future, self._ack_timeout)
            except (_ConnectionLost, ConnectionError):
                connection.leaving = True
            except TimeoutError:
                raise NotAcknowledged("timeout") from None
            finally:
                connection.pending.pop(attempt.envelope_id, None)

    async def wait_for(self, count: int, timeout: float) -> None:
        """Return when `count` sockets take envelopes; TimeoutError after `timeout` seconds."""
        async with asyncio.timeout(timeout), self._connected:
            await self._connected.wait_for(lambda: self.connections >= count)

    async def disconnect(self, reason: str = "refresh_requested") -> None:
        """Ask every client to connect anew, as Slack does every few hours; open sockets get nothing more."""
        for connection in [c for c in self._connections if not c.leaving]:
            await connection.socket.send_json(
                {"type": "disconnect", "reason": reason, "debug_info": {"host": "local-workspace"}}
            )
            connection.leaving = True

    async def drop(self) -> None:
        """Cut every socket without a word."""
        for connection in list(self._connections):
            connection.lost()
            if connection.transport is not None:
                connection.transport.abort()

    async def close(self) -> None:
        """Close every socket."""
        await self.drop()

    async def _pick(self, wait: float) -> _Connection:
        if not self.connections:
            if self._waiting >= self._max_waiting:
                raise NotAcknowledged("queue_full")
            self._waiting += 1
            try:
                async with asyncio.timeout(wait), self._connected:
                    await self._connected.wait_for(lambda: self.connections)
            except TimeoutError:
                raise NotAcknowledged("connection_failed") from None
            finally:
                self._waiting -= 1
        connection = next(c for c in self._connections if not c.leaving)
        # Round robin: the one just used goes to the end.
        self._connections.remove(connection)
        self._connections.append(connection)
        return connection

    def _acknowledged(self, connection: _Connection, data: str) -> None:
        try:
            body = json.loads(data)
        except ValueError:
            log.warning("a client sent what is not JSON")
            return
        future = connection.pending.get(str(body.get("envelope_id")))
        if future and not future.done():
            future.set_result(body.get("payload"))
