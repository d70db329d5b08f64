"""Cases that ended long ago are archived, by whichever worker looks first."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from redis.exceptions import RedisError

from graph.store.cases import Cases

_EVERY: Final = 3600.0
_PAUSE: Final = 1.0
"""Seconds between two lots, so that turns come in between."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Archiving:
    """Looks once an hour for cases that ended more than `days` ago; 0: never."""

    cases: Cases
    days: int

    async def run(self, stopping: asyncio.Event) -> None:
        """Look until `stopping`."""
        while not stopping.is_set():
            more = False
            if self.days:
                with contextlib.suppress(RedisError, OSError):  # away for a moment: the others of the process say so
                    more = await self.look(datetime.now(UTC))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), _PAUSE if more else _EVERY)

    async def look(self, now: datetime) -> bool:
        """Archive a lot; whether there may be more."""
        found = await self.cases.archive(now - timedelta(days=self.days), now)
        if found:
            log.info("%d cases that ended more than %d days ago are archived", len(found), self.days)
        return bool(found)
