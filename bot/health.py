"""Is the process alive, can it work, and how much did it do: `/healthz`, `/readyz` and `/metrics` over HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from aiohttp import web

from bot.metrics import CONTENT_TYPE
from graph.errors import Misconfigured

STALE_SECONDS: Final = 90.0
"""A loop that did not come round for so long is stuck. Redis or Slack being away makes it wait for less."""
_CHECK_SECONDS: Final = 2.0
Check = Callable[[], Awaitable[str]]
"""Says what is wrong, in a word or two; an empty string when nothing is. What it raises is wrong, too."""


class Pulse:
    """Tells whether the loops of a process still come round."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._beats: dict[str, float] = {}

    def of(self, loop: str) -> Callable[[], None]:
        """What `loop` calls each time it comes round. It is due once it has begun."""

        def beat() -> None:
            self._beats[loop] = self._clock()

        return beat

    def stuck(self) -> list[str]:
        """The loops that do not come round."""
        now = self._clock()
        return sorted(loop for loop, last in self._beats.items() if now - last > STALE_SECONDS)


@dataclass
class Health:
    """What the probes look at. `checks` are asked for readiness; `look` brings the metrics up to date."""

    pulse: Pulse
    checks: Mapping[str, Check]
    text: Callable[[], bytes]
    look: Callable[[], Awaitable[None]]
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    async def alive(self) -> dict[str, str]:
        """The loops that are stuck."""
        return dict.fromkeys(self.pulse.stuck(), "stuck")

    async def ready(self) -> dict[str, str]:
        """What keeps the process from working."""
        wrong = await asyncio.gather(*(_asked(check) for check in self.checks.values()))
        found = {name: why for name, why in zip(self.checks, wrong, strict=True) if why}
        return found | ({"process": "stopping"} if self.stopping.is_set() else {}) | await self.alive()

    async def metrics(self) -> bytes:
        """The counters; what waits in Redis is as it was when it last answered."""
        await _asked(self._looked)
        return self.text()

    async def _looked(self) -> str:
        await self.look()
        return ""


@asynccontextmanager
async def answering(health: Health, host: str, port: int) -> AsyncIterator[None]:
    """Answer probes while inside. Misconfigured when the port is taken."""
    site = web.Application()
    site.add_routes(
        [
            web.get("/healthz", _probe(health.alive)),
            web.get("/readyz", _probe(health.ready)),
            web.get("/metrics", _metrics(health)),
        ]
    )
    runner = web.AppRunner(site, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise Misconfigured(
                f"SOPDESK_HEALTH_PORT: {host}:{port} cannot be used ({error.strerror}); name another, or 0 for none"
            ) from error
        yield
    finally:
        await runner.cleanup()


def _probe(ask: Callable[[], Awaitable[dict[str, str]]]) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def answer(_: web.Request) -> web.Response:
        wrong = await ask()
        return web.json_response({"ok": not wrong, "wrong": wrong}, status=503 if wrong else 200)

    return answer


def _metrics(health: Health) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(body=await health.metrics(), headers={"Content-Type": CONTENT_TYPE})

    return answer


async def _asked(check: Check) -> str:
    try:
        async with asyncio.timeout(_CHECK_SECONDS):
            return await check()
    except Exception as error:  # noqa: BLE001 - whatever it is, the answer to the probe is its class
        return type(error).__name__
