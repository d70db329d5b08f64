"""Test aids: make the back office misbehave on purpose, and keep a log of what it was asked.

They exist only in a back office that was started with `faults=True`.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Literal

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deploy.local.backoffice.replies import error_reply, json_reply

Mode = Literal["down", "reset", "slow", "nonsense", "wrong_types", "error_after_commit"]


class Fault(BaseModel):
    """One way to misbehave, for the next `times` requests that match (None: until cleared).

    down: 503, nothing is done. reset: the connection is cut, nothing is done. slow: the request waits `seconds`,
    then is carried out. The others carry the request out first and then spoil the answer: nonsense is not JSON,
    wrong_types is JSON of other types, error_after_commit is a 500.
    """

    model_config = ConfigDict(extra="forbid")

    mode: Mode
    path_prefix: str = "/"
    method: str | None = None
    times: int | None = Field(default=1, ge=1)
    seconds: float = Field(default=5.0, ge=0)


class Call(BaseModel):
    """One request to the API; `key` is its Idempotency-Key, `at` is UTC. `struck` says that a fault met it."""

    method: str
    path: str
    key: str | None
    at: datetime
    query: str = ""
    struck: bool = False


class Faults:
    """The faults that wait for a matching request, oldest first."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []
        self._closing = asyncio.Event()

    def add(self, fault: Fault) -> None:
        """Let `fault` strike the requests that match it from now on."""
        self._waiting.append(fault.model_copy())

    def clear(self) -> None:
        """Behave well again."""
        self._waiting.clear()

    def open(self) -> None:
        """Let slow requests wait; the service has started."""
        self._closing.clear()

    def close(self) -> None:
        """Let slow requests go, so that a stop need not wait for them."""
        self._closing.set()

    def take(self, method: str, path: str) -> Fault | None:
        """The first fault that matches, one of its times used up."""
        for fault in self._waiting:
            if path.startswith(fault.path_prefix) and fault.method in (None, method):
                if fault.times is not None:
                    fault.times -= 1
                    if fault.times == 0:
                        self._waiting.remove(fault)
                return fault
        return None

    async def strike(self, fault: Fault, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer `request` in the way `fault` says."""
        match fault.mode:
            case "down":
                return error_reply(503, "unavailable", "The back office is down (a fault set by a test).")
            case "reset":
                if request.transport is not None:
                    request.transport.abort()
                return web.Response(status=503)
            case "slow":
                await request.read()  # the caller may be gone by the time the handler asks for it
                await self._wait(fault.seconds)
                return await handler(request)
            case "nonsense":
                await handler(request)
                return web.Response(text="<html><body>Welcome to the proxy</body></html>", content_type="text/html")
            case "wrong_types":
                return _with_wrong_types(await handler(request))
            case "error_after_commit":
                await handler(request)
                return error_reply(500, "internal", "Something failed after the work was done (set by a test).")

    async def _wait(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._closing.wait(), seconds)
        except TimeoutError:
            return


class TestAids:
    """The faults, the call log, the middleware that applies both, and the routes that reach them over HTTP."""

    __test__ = False

    def __init__(self, reset: Callable[[], Awaitable[None]]) -> None:
        self.faults = Faults()
        self.calls: list[Call] = []
        self._reset = reset
        self._arrived = asyncio.Event()

    async def until_called(self, count: int) -> None:
        """Return as soon as `count` calls are in the log."""
        while len(self.calls) < count:
            self._arrived.clear()
            await self._arrived.wait()

    def routes(self) -> list[web.RouteDef]:
        """`POST /_faults`, `GET /_calls`, `POST /_reset`."""
        return [
            web.post("/_faults", self._add_fault),
            web.get("/_calls", self._list_calls),
            web.post("/_reset", self._start_afresh),
        ]

    def middleware(self) -> Middleware:
        """Logs each API call, and lets a fault that matches it strike. The page and health checks are left out."""

        @web.middleware
        async def watch(request: web.Request, handler: Handler) -> web.StreamResponse:
            if request.path == "/" or request.path.startswith(("/_", "/healthz", "/static", "/switch")):
                return await handler(request)
            key = request.headers.get("Idempotency-Key")
            fault = self.faults.take(request.method, request.path)
            method, path, query = request.method, request.path, request.query_string
            struck, now = fault is not None, datetime.now(UTC)
            self.calls.append(Call(method=method, path=path, key=key, at=now, query=query, struck=struck))
            self._arrived.set()
            if fault is None:
                return await handler(request)
            return await self.faults.strike(fault, request, handler)

        return watch

    async def _add_fault(self, request: web.Request) -> web.Response:
        try:
            fault = Fault.model_validate_json(await request.read())
        except ValidationError as wrong:
            return error_reply(422, "bad_request", f"This is not a fault: {wrong}")
        self.faults.add(fault)
        return json_reply(fault.model_dump_json(), status=201)

    async def _list_calls(self, _request: web.Request) -> web.Response:
        return json_reply(json.dumps({"calls": [call.model_dump(mode="json") for call in self.calls]}))

    async def _start_afresh(self, _request: web.Request) -> web.Response:
        await self._reset()
        return json_reply('{"status": "ok"}')


def _with_wrong_types(answer: web.StreamResponse) -> web.Response:
    body = answer.text if isinstance(answer, web.Response) else None
    return json_reply(json.dumps(_bent(json.loads(body or "null"))), status=answer.status)


def _bent(value: object) -> object:
    """The same shape with every leaf of another type."""
    if isinstance(value, dict):
        return {key: _bent(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_bent(inner) for inner in value]
    return [value]
