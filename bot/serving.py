"""Listens to Slack: over a socket, or for signed HTTP requests."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from bot.clients import asking_client, quiet_logger
from bot.settings import Settings
from graph.errors import Misconfigured
from graph.store.connect import stopped_first

PATH = "/slack/events"
_CONNECT_WITHIN = 60.0
_MISSED = 6
"""Checks in a row, one ping interval apart, after which a lost socket is given up."""
_log = logging.getLogger(__name__)


@dataclass
class Line:
    """Whether deliveries can come now. `beat` is called at every look at the socket."""

    up: bool = False
    beat: Callable[[], None] = lambda: None


class _Socket(Protocol):
    """The part of the library's socket client that is used here; its own has no types."""

    async def connect(self) -> None: ...
    async def is_connected(self) -> bool: ...
    async def close(self) -> None: ...


async def serve(
    app: AsyncApp,
    settings: Settings,
    stopping: asyncio.Event,
    ready: asyncio.Event | None = None,
    ping_interval: float = 10.0,
    line: Line | None = None,
) -> None:
    """Listen until `stopping` is set. `ready` is set when deliveries can come first, `line` says whether they can now.
    `ping_interval`: seconds, of sockets."""
    line = line or Line()
    try:
        if settings.socket_mode:
            await _over_socket(app, settings, stopping, ready, ping_interval, line)
        else:
            await _over_http(app, settings, stopping, ready, ping_interval, line)
    finally:
        line.up = False


async def _over_socket(
    app: AsyncApp,
    settings: Settings,
    stopping: asyncio.Event,
    ready: asyncio.Event | None,
    ping_interval: float,
    line: Line,
) -> None:
    token = settings.slack_app_token
    if token is None:
        raise Misconfigured("Socket Mode needs SLACK_APP_TOKEN (xapp-…)")
    while not stopping.is_set():
        handler = AsyncSocketModeHandler(
            app,
            token.get_secret_value(),
            logger=quiet_logger("socket"),
            web_client=asking_client(settings, token.get_secret_value()),
            ping_interval=ping_interval,
        )
        socket: _Socket = handler.client
        try:
            await stopped_first(stopping, _connect(socket))
            line.up = await socket.is_connected()
            if ready is not None and line.up:
                ready.set()
            await _until_lost(socket, stopping, ping_interval, line)
        finally:
            await socket.close()


async def _connect(socket: _Socket) -> None:
    try:
        async with asyncio.timeout(_CONNECT_WITHIN):
            await socket.connect()
    except TimeoutError:
        _log.warning("Slack cannot be reached yet")


async def _until_lost(socket: _Socket, stopping: asyncio.Event, ping_interval: float, line: Line) -> None:
    """Return when `stopping` is set, or when the library has not reconnected for a while.

    It reconnects by itself, but when a connection breaks while it is being made it tries that address, which Slack
    has let expire, for ever. A fresh one gets a fresh address.
    """
    missed = 0
    while missed < _MISSED and not stopping.is_set():
        line.beat()
        line.up = await socket.is_connected()
        missed = 0 if line.up else missed + 1
        await _rest(stopping, ping_interval)
    if missed:
        _log.warning("the socket to Slack is lost; a new one is opened")


async def _over_http(
    app: AsyncApp,
    settings: Settings,
    stopping: asyncio.Event,
    ready: asyncio.Event | None,
    ping_interval: float,
    line: Line,
) -> None:
    if settings.slack_signing_secret is None:
        # With an empty secret anybody could sign.
        raise Misconfigured("signed HTTP needs SLACK_SIGNING_SECRET; without it, set SLACK_APP_TOKEN for Socket Mode")

    async def receive(request: web.Request) -> web.Response:
        answer = await app.async_dispatch(await to_bolt_request(request))
        if answer.status == 401:
            _log.warning("a request was refused: its signature is wrong or old")
        return await to_aiohttp_response(answer)

    site = web.Application()
    site.add_routes([web.post(PATH, receive)])
    runner = web.AppRunner(site, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, settings.sopdesk_http_host, settings.sopdesk_http_port).start()
        _log.info("listening for Slack on %s%s", runner.addresses, PATH)
        line.up = True
        if ready is not None:
            ready.set()
        while not stopping.is_set():
            line.beat()
            await _rest(stopping, ping_interval)
    finally:
        await runner.cleanup()


async def _rest(stopping: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stopping.wait()
