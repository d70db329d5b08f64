"""One process of a crash run: the service in its role, on given servers, with traps. See `tests.crash.nursery`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys

from bot.wiring.service import Takeover, open_service, stop_on_signals
from graph.failpoints import armed
from graph.library import Library
from graph.store.connect import end
from tests.crash.sabotage import sabotage
from tests.crash.traps import Orders, Snare, Word, tell

POSTS: float = 2.0
"""Times the time after which a worker is taken over."""
SWEEPS: tuple[float, ...] = (4.0, 8.0)
"""Who sleeps in a run is woken some seconds after it was overtaken; what a dead one sent may arrive a second later."""


async def work(orders: Orders, library: Library) -> None:
    """Serve these procedures until SIGTERM, or until a trap closes."""
    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format=f"%(asctime)s {orders.name} %(levelname)s %(name)s %(message)s"
    )
    stopping, ready = stop_on_signals(), asyncio.Event()
    takeover = Takeover(work=orders.takeover, post=orders.takeover * POSTS, sweeps=SWEEPS)
    with contextlib.ExitStack() as stack:
        if orders.traps:
            stack.enter_context(armed(Snare(orders.name, orders.traps).reached))
        # What is loaded already serves where no other procedures are named.
        known = library if orders.where.sops is None else None
        async with open_service(orders.where.settings(), known, role=orders.role, takeover=takeover) as service:
            sabotage(service.parts, orders.without)
            running = asyncio.create_task(service.run(stopping, ready, 0.5), name="service")
            waiting = asyncio.create_task(ready.wait(), name="ready")
            await asyncio.wait((running, waiting), return_when=asyncio.FIRST_COMPLETED)
            if ready.is_set():
                tell(Word(name=orders.name, what="ready", pid=os.getpid()))
            await end(waiting)
            await running
