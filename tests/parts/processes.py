"""The program as operators run it: `sopdesk up` in processes of their own."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from bot.settings import Settings
from tests.parts.desk import PATIENCE, free_port
from tests.parts.http import asking

_STARTING = 60.0
"""Seconds; a program that loads takes its time on a machine with other things to do."""
ROOT = Path(__file__).resolve().parents[2]


async def eventually(true: Callable[[], bool]) -> None:
    """Look until it is so, where nothing tells when it is."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if true():
                return
            await asyncio.sleep(0.01)


@dataclass
class Up:
    """One `sopdesk up`. `lines` is what it logged so far."""

    process: asyncio.subprocess.Process
    role: str
    port: int
    lines: list[str] = field(default_factory=list)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def read(self) -> None:
        """Take in what it logs until it ends."""
        assert self.process.stderr is not None
        while line := await self.process.stderr.readline():
            async with self._changed:
                self.lines.append(line.decode())
                self._changed.notify_all()

    async def until_logged(self, words: str) -> None:
        """Wait until a line holds these words."""
        async with asyncio.timeout(PATIENCE * 2), self._changed:
            await self._changed.wait_for(lambda: any(words in line for line in self.lines))

    async def ask(self, path: str) -> httpx.Response:
        """What it answers to a probe."""
        async with asking(f"http://127.0.0.1:{self.port}") as client:
            return await client.get(path)

    async def until_ready(self, ready: bool = True) -> httpx.Response:
        """Ask until the process is ready, or is not."""
        return await self.until("/readyz", lambda answer: (answer.status_code == 200) is ready)

    async def until(self, path: str, fits: Callable[[httpx.Response], bool]) -> httpx.Response:
        """Ask until the answer fits; nothing tells when it will."""
        async with asyncio.timeout(_STARTING):
            while True:
                try:
                    answer = await self.ask(path)
                except httpx.ConnectError:
                    assert self.process.returncode is None, "".join(self.lines)
                else:
                    if fits(answer):
                        return answer
                await asyncio.sleep(0.05)

    async def sample(self, name: str, **labels: str) -> float:
        """One sample of its metrics."""
        inside = ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))
        start = f"{name}{{{inside}}} " if inside else f"{name} "
        text = (await self.ask("/metrics")).text
        return next((float(line.removeprefix(start)) for line in text.splitlines() if line.startswith(start)), 0.0)

    def entries(self) -> list[dict[str, str]]:
        """Its log lines, parsed."""
        return [json.loads(line) for line in self.lines]

    async def terminate(self) -> int:
        """SIGTERM; its exit status, within the ten seconds that a process has to end."""
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(10):
            return await self.process.wait()


@asynccontextmanager
async def up(settings: Settings, role: str, directory: Path, *options: str, wait: bool = True) -> AsyncIterator[Up]:
    """`sopdesk up --role ROLE` with these settings, once its probes answer; killed at the end at the latest."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", "up", "--role", role, *options),
        cwd=directory,
        env=environment(settings) | {"SOPDESK_HEALTH_PORT": str(port), "PYTHONPATH": str(ROOT)},
        stderr=asyncio.subprocess.PIPE,
    )
    running = Up(process, role, port)
    reading = asyncio.create_task(running.read(), name=f"log of {role}")
    try:
        if wait:
            await running.until_ready()
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await reading


def environment(settings: Settings) -> dict[str, str]:
    """The environment that gives a process these settings, and nothing else."""
    found = {}
    for name in settings.model_fields_set:
        value = getattr(settings, name)
        if value is not None:
            found[name.upper()] = value.get_secret_value() if hasattr(value, "get_secret_value") else str(value)
    return found
