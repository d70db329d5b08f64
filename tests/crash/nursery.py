"""Starts the processes of a crash run: `python -m tests.crash.nursery`.

Loading the program and its procedures takes seconds, so it is done once, here; each process is then a fork. Orders come
in on standard input, one line of JSON each; what becomes of the processes is told on standard output. At the end of the
input all are killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import selectors
import signal
import socket
import sys
import traceback

from bot.wiring.vocabulary import load_library
from graph.library import Library
from graph.reading import understand
from tests.crash.traps import Orders, Word, tell
from tests.crash.worker import work


class Nursery:
    """The children, by process id."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._names: dict[int, str] = {}
        self._bell, self._ring = socket.socketpair()
        self._bell.setblocking(False)
        self._ring.setblocking(False)

    def run(self) -> None:
        """Serve until the input ends."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._ring.fileno(), warn_on_full_buffer=False)
        gc.freeze()
        os.set_blocking(0, False)
        held = b""
        with selectors.DefaultSelector() as ready:
            ready.register(0, selectors.EVENT_READ)
            ready.register(self._bell, selectors.EVENT_READ)
            while True:
                which = {key.fd for key, _ in ready.select()}
                if self._bell.fileno() in which:
                    with contextlib.suppress(BlockingIOError):
                        self._bell.recv(4096)
                    self._look()
                if 0 in which:
                    got = os.read(0, 65536)
                    if not got:
                        return
                    *lines, held = (held + got).split(b"\n")
                    for line in lines:
                        self._start(Orders.model_validate_json(line))

    def end(self) -> None:
        """Kill what still runs."""
        for pid in self._names:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _start(self, orders: Orders) -> None:
        pid = os.fork()
        if pid == 0:
            self._become(orders)
        self._names[pid] = orders.name
        tell(Word(name=orders.name, what="started", pid=pid))

    def _become(self, orders: Orders) -> None:
        """The child's life, from which it never returns."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._bell.close()
            self._ring.close()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            asyncio.run(work(orders, self._library))
            code = 0
        except Exception as error:  # noqa: BLE001 - the outermost edge of the process: told, then its end
            sys.stderr.write(f"{orders.name} failed: {''.join(traceback.format_exception(error))}\n")
            sys.stderr.flush()
        finally:
            os._exit(code)

    def _look(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED | os.WCONTINUED)
            except ChildProcessError:
                return
            if pid == 0:
                return
            name = self._names.get(pid, "")
            if os.WIFSTOPPED(status):
                tell(Word(name=name, what="stopped", pid=pid))
            elif os.WIFCONTINUED(status):
                tell(Word(name=name, what="woken", pid=pid))
            else:
                self._names.pop(pid, None)
                tell(Word(name=name, what="ended", pid=pid, status=os.waitstatus_to_exitcode(status)))


def main() -> None:
    """Serve, and leave nothing behind."""
    library = load_library(None)
    for words in ("KL-778 补 30 积分，导游迟到", "先补偿了还能退款吗"):
        # What reading makes ready at the first words is made ready once, too.
        asyncio.run(understand(words, library.cards, None))
    nursery = Nursery(library)
    try:
        nursery.run()
    finally:
        nursery.end()


if __name__ == "__main__":
    main()
