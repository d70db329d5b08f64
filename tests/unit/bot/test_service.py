"""The process that serves."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.settings import Settings
from bot.wiring import service


async def test_what_was_loaded_is_not_looked_through_again_while_it_serves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else each full collection would hold up every answer for as long as it takes to look at all modules."""
    frozen: list[int] = []

    class Serving:
        async def run(self, stopping: asyncio.Event) -> None:
            frozen.append(gc.get_freeze_count())

    @asynccontextmanager
    async def opened(*given: object, **named: object) -> AsyncIterator[Serving]:
        yield Serving()

    monkeypatch.setattr(service, "open_service", opened)
    monkeypatch.setattr(service, "log_to_stderr", lambda *given: None)
    monkeypatch.setattr(service, "stop_on_signals", asyncio.Event)
    before = gc.get_freeze_count()
    try:
        await service.serve(Settings())
    finally:
        gc.unfreeze()
    assert frozen[0] > before + 10_000
