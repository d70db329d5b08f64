"""The server as a process: its lock, its log, and its tie to the process that started it."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

_LOCK_SECONDS: Final = 5.0
_POLL_SECONDS: Final = 0.02
_LOG_LINES: Final = 15
# Asks Linux for a SIGTERM when the parent dies, then becomes the server under the same process id. The first argument
# is the parent, in case it has died already. A preexec_fn would do the same, but is unsafe beside threads.
_TIED_TO_PARENT: Final = """
import ctypes, os, signal, sys
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
if os.getppid() != int(sys.argv[1]):
    sys.exit("the parent process has ended")
os.execv(sys.argv[2], sys.argv[2:])
"""


class RedisServerError(RuntimeError):
    """Redis was not found, did not start, or does not answer; the message says what to do."""


def claim(directory: Path, log: Path) -> tuple[int, int]:
    """Create the directory, lock it, and open the log; gives the descriptors of lock and log.

    The server inherits the lock and so holds it for as long as it lives. Blocks up to five seconds; raises
    RedisServerError if another Redis holds the directory.
    """
    import fcntl  # not on Windows, where the search for a binary has already said what to do

    directory.mkdir(parents=True, exist_ok=True)
    lock = os.open(directory / "redis.lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError as held:
            # A server that was just killed may have left a child that still writes; it ends soon.
            if time.monotonic() > deadline:
                os.close(lock)
                raise RedisServerError(f"Another Redis uses {directory}. Stop it, or choose another directory.") from held
            time.sleep(_POLL_SECONDS)
    return lock, os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def spawn(command: list[str], *, lock: int, log: int) -> subprocess.Popen[bytes]:
    """Start the server with its output in `log`, in a session of its own, on Linux tied to the calling thread."""
    if sys.platform == "linux" and sys.executable:
        command = [sys.executable, "-I", "-S", "-c", _TIED_TO_PARENT, str(os.getpid()), *command]
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=(lock,), start_new_session=True
    )


async def ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait at most so long until the process has ended; says whether it has."""
    try:
        await asyncio.to_thread(process.wait, seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def last_lines(log: Path, start: int) -> str:
    """The last lines of the log after byte `start`."""
    with log.open("rb") as file:
        file.seek(start)
        lines = file.read().decode(errors="replace").splitlines()
    return "\n".join(lines[-_LOG_LINES:]) or "nothing"
