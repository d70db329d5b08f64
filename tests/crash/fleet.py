"""The processes of a crash run as the test sees them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.settings import Role
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
        self._heard: dict[str, Callable[[Process, Word], None]] = {}
        self._number = 0

    async def start(
        self, orders: Orders, *, heard: Callable[[Process, Word], None] | None = None, ready: bool = True
    ) -> Process:
        """Start a process, and wait until it serves or has ended. `heard` is called with all that is told of it."""
        self._number += 1
        orders = orders.model_copy(update={"name": f"{orders.name}-{self._number}"})
        child = Process(orders)
        self._children[orders.name] = child
        if heard is not None:
            self._heard[orders.name] = heard
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
            if (heard := self._heard.get(word.name)) is not None:
                heard(child, word)
            if word.what == "ended":
                del self._children[word.name]
                self._heard.pop(word.name, None)


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
    """A number of processes, for as long as a run lasts. Whichever ends is replaced; whichever is stopped is woken after
    `sleep` seconds, and asked to end. Each is armed with the traps that have not closed yet."""

    def __init__(self, nursery: Nursery, orders: Orders, traps: Sequence[Trap] = (), *, sleep: float = 4.5) -> None:
        self._nursery = nursery
        self._orders = orders
        self._traps = list(traps)
        self._sleep = sleep
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.processes: list[Process] = []
        self.closed: list[str] = []
        self.deaths = 0
        self.stops = 0
        self.failures: list[str] = []

    async def launch(self, *roles: Role) -> None:
        """Start a process for each role."""
        await asyncio.gather(*(self._one(role) for role in roles))

    async def rest(self) -> None:
        """Replacements are no longer armed; return when all who slept are awake and all who died are replaced."""
        self._traps.clear()
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    async def close(self) -> None:
        """Kill all; nothing is replaced any more. Raises what went wrong with a replacement."""
        self._closing = True
        for process in self.processes:
            process.kill()
        await asyncio.gather(*self._tasks)
        await asyncio.gather(*(process.until("ended") for process in list(self.processes)))

    async def _one(self, role: Role) -> None:
        orders = self._orders.model_copy(update={"traps": tuple(self._traps), "role": role})
        process = await self._nursery.start(orders, heard=self._heard)
        if process.alive:
            self.processes.append(process)
            if self._closing:
                process.kill()

    async def _wake(self, process: Process) -> None:
        await asyncio.sleep(self._sleep)
        process.wake()
        # In good order, so that what it does too late is seen to its end; who comes after it is armed again.
        process.terminate()

    def _heard(self, process: Process, word: Word) -> None:
        if word.what == "trapped":
            self.closed.append(word.point)
            self._traps = [each for each in self._traps if each.point != word.point]
        if word.what == "stopped":
            self.stops += 1
            self._later(self._wake(process))
        if word.what == "ended":
            self._ended(process)

    def _ended(self, process: Process) -> None:
        if process in self.processes:
            self.processes.remove(process)
        if process.status not in (0, -signal.SIGKILL):
            self.failures.append(f"{process.orders.name} ended with {process.status}")
        if not self._closing:
            self.deaths += 1
            self._later(self._one(process.orders.role))

    def _later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.failures.append(f"a replacement failed: {type(error).__name__}: {error}")
