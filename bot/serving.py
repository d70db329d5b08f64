"""Listens to Slack: over a socket, or for signed HTTP requests."""

from __future__ import annotations

import asyncio
import logging

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from bot.clients import asking_client, quiet_logger
from bot.settings import Settings
from graph.errors import Misconfigured

PATH = "/slack/events"
_log = logging.getLogger(__name__)


async def serve(
    app: AsyncApp,
    settings: Settings,
    stopping: asyncio.Event,
    ready: asyncio.Event | None = None,
    ping_interval: float = 10.0,
) -> None:
    """Listen until `stopping` is set. `ready` is set when deliveries can come. `ping_interval`: seconds, of sockets."""
    if settings.socket_mode:
        await _over_socket(app, settings, stopping, ready, ping_interval)
    else:
        await _over_http(app, settings, stopping, ready)


async def _over_socket(
    app: AsyncApp, settings: Settings, stopping: asyncio.Event, ready: asyncio.Event | None, ping_interval: float
) -> None:
    token = settings.slack_app_token
    if token is None:
        raise Misconfigured("Socket Mode needs SLACK_APP_TOKEN (xapp-…)")
    handler = AsyncSocketModeHandler(
        app,
        token.get_secret_value(),
        logger=quiet_logger("socket"),
        web_client=asking_client(settings, token.get_secret_value()),
        ping_interval=ping_interval,
    )
    try:
        await _connect(handler, stopping)
        if ready is not None:
            ready.set()
        await stopping.wait()
    finally:
        await handler.client.close()


async def _connect(handler: AsyncSocketModeHandler, stopping: asyncio.Event) -> None:
    """Connect, however long Slack is away; from then on the library reconnects by itself."""
    pause = 1.0
    while not stopping.is_set():
        try:
            await handler.client.connect()
        except Exception as error:  # noqa: BLE001 - the library raises whatever its parts raise; none may end the bot
            _log.warning("Slack cannot be reached (%s); next try in %.0f s", type(error).__name__, pause)
            try:
                async with asyncio.timeout(pause):
                    await stopping.wait()
            except TimeoutError:
                pause = min(pause * 2, 60.0)
        else:
            return


async def _over_http(
    app: AsyncApp, settings: Settings, stopping: asyncio.Event, ready: asyncio.Event | None
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
        if ready is not None:
            ready.set()
        await stopping.wait()
    finally:
        await runner.cleanup()
