"""The processes of a crash run as the test sees them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.crash.traps import Orders, Trap, Word

_STARTING: Final = 30.0
_WORD: Final = 20.0


@dataclass(eq=False)
class Process:
    """One process. `trapped` says where its trap closed."""

    orders: Orders
    pid: int = 0
    trapped: str = ""
    status: int | None = None
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _heard: set[str] = field(default_factory=set)

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self.status is None

    @property
    def stopped(self) -> bool:
        """Whether it is stopped now."""
        return "stopped" in self._heard

    async def until(self, what: str, seconds: float = _WORD) -> None:
        """Return once this was told of it; TimeoutError, with the process's name, when it is not."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: what in self._heard or (what == "ready" and not self.alive))
        except TimeoutError:
            raise TimeoutError(f"{self.orders.name} was not {what} within {seconds:g} s") from None

    def kill(self) -> None:
        """End it as a power cut would."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """Let it sleep where it is."""
        self._signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def terminate(self) -> None:
        """Ask it to end in good order."""
        self._signal(signal.SIGTERM)

    async def hear(self, word: Word) -> None:
        """Take note of what is told of it."""
        async with self._changed:
            if word.what == "woken":
                self._heard.discard("stopped")
            self._heard.add(word.what)
            self.pid = word.pid or self.pid
            self.trapped = word.point or self.trapped
            if word.what == "ended":
                self.status = word.status
            self._changed.notify_all()

    def _signal(self, number: signal.Signals) -> None:
        if self.alive and self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)


class Nursery:
    """Starts processes. One for a whole session: the program is loaded once."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._children: dict[str, Process] = {}
        self._ended: dict[str, Callable[[Process], None]] = {}
        self._number = 0

    async def start(
        self, orders: Orders, *, ended: Callable[[Process], None] | None = None, ready: bool = True
    ) -> Process:
        """Start a process, and wait until it serves or has ended. `ended` is called when it has."""
        self._number += 1
        orders = orders.model_copy(update={"name": f"{orders.name}-{self._number}"})
        child = Process(orders)
        self._children[orders.name] = child
        if ended is not None:
            self._ended[orders.name] = ended
        assert self._process.stdin is not None
        self._process.stdin.write(orders.model_dump_json().encode() + b"\n")
        await child.until("started", _STARTING)
        if ready:
            await child.until("ready", _STARTING)
        return child

    async def listen(self) -> None:
        """Pass on what is told until the nursery ends."""
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            word = Word.model_validate_json(line)
            child = self._children.get(word.name)
            if child is None:
                continue
            await child.hear(word)
            if word.what == "ended":
                del self._children[word.name]
                if (tell := self._ended.pop(word.name, None)) is not None:
                    tell(child)


@asynccontextmanager
async def nursery(log: Path) -> AsyncIterator[Nursery]:
    """A nursery that writes what its processes log to a file."""
    with log.open("ab") as file:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "tests.crash.nursery"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=file,
        )
    made = Nursery(process)
    listening = asyncio.create_task(made.listen(), name="nursery")
    try:
        yield made
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(10):
                await process.wait()
                await listening
        except TimeoutError:
            process.kill()
            await process.wait()
            listening.cancel()


class Fleet:
    """As many processes as `crews` says, for as long as a run lasts: whichever ends is replaced, with the next trap."""

    def __init__(self, nursery: Nursery, orders: Orders, traps: list[Trap]) -> None:
        self._nursery = nursery
        self._orders = orders
        self._traps = traps
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.processes: list[Process] = []
        self.fired: list[str] = []
        self.deaths = 0
        self.failures: list[str] = []

    async def launch(self, count: int) -> None:
        """Start so many processes."""
        await asyncio.gather(*(self._one() for _ in range(count)))

    async def settle(self) -> None:
        """Return when replacements that are under way are there, and those still armed have been swapped for calm ones."""
        self._traps.clear()
        for process in [each for each in self.processes if each.orders.trap is not None]:
            process.kill()
        while self._tasks or any(each.orders.trap is not None for each in self.processes):
            await asyncio.wait(self._tasks, timeout=1.0) if self._tasks else await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Kill all; nothing is replaced any more. Raises what went wrong with a replacement."""
        self._closing = True
        for process in self.processes:
            process.kill()
        await asyncio.gather(*self._tasks)

    async def _one(self) -> None:
        trap = self._traps.pop(0) if self._traps else None
        orders = self._orders.model_copy(update={"trap": trap})
        process = await self._nursery.start(orders, ended=self._ended)
        if process.alive:
            self.processes.append(process)

    def _ended(self, process: Process) -> None:
        if process in self.processes:
            self.processes.remove(process)
        self.deaths += 1
        if process.trapped:
            self.fired.append(process.trapped)
        if process.status not in (0, -signal.SIGKILL):
            self.failures.append(f"{process.orders.name} ended with {process.status}")
        if not self._closing:
            task = asyncio.create_task(self._one(), name="replacement")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
