"""Work that is done while the store is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

T = TypeVar("T")


async def meanwhile(storing: Coroutine[object, object, None], make: Callable[[], T]) -> T:
    """What `make` gives, made between sending what is to be stored and the answer. Nobody is given it before it is stored:
    what storing raises is raised."""
    task = asyncio.create_task(storing)
    try:
        # So that it is sent before anything else is done.
        await asyncio.sleep(0)
        return make()
    finally:
        await task
