"""A process that takes something in hand and never ends, for a test to kill: `python -m … URL PREFIX work|send`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.outbox import Outbox
from graph.model import Event
from graph.store.connect import connect
from graph.store.keys import Keys
from tests.unit.bot.queues import Handler, make_worker, soon


async def main(url: str, prefix: str, role: str) -> None:
    """Take one thing, say so, and hang."""
    redis, keys = connect(url), Keys(prefix)

    async def hang(_: Event) -> None:
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        await asyncio.Event().wait()

    if role == "work":
        await make_worker(redis, keys, Handler(hang)).run(asyncio.Event())
    else:
        outbox = Outbox(redis, keys, idle=1.0)
        async with outbox.joined():
            await soon(outbox)
            sys.stdout.write("begun\n")
            sys.stdout.flush()
            await asyncio.Event().wait()


@asynccontextmanager
async def doomed(url: str, prefix: str, role: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Such a process, once it has something in hand. It is killed at the end at the latest."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, url, prefix, role, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(20):
            assert await process.stdout.readline() == b"begun\n"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
