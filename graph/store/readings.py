"""What a model read in a turn: a replay after a crash must not read it anew, for it may read something else."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Final

from redis.asyncio import Redis

from graph.json_text import dumps
from graph.model import JsonValue
from graph.store.crypt import Codec
from graph.store.keys import Keys

_KEPT: Final = timedelta(days=7)
"""Longer than any event waits to be replayed."""


class Readings:
    """Keeps one reading for each event and place."""

    def __init__(self, redis: Redis, keys: Keys, codec: Codec | None = None) -> None:
        self._redis = redis
        self._keys = keys
        self._codec = codec or Codec()

    async def recall(self, event: str, place: str) -> JsonValue:
        """What was read for this event at this place, or None."""
        kept = await self._redis.get(self._keys.reading(event, place))
        found: JsonValue = None if kept is None else json.loads(self._codec.open(str(kept)))
        return found

    async def keep(self, event: str, place: str, reading: JsonValue) -> None:
        """Remember a reading for a week."""
        sealed = self._codec.seal(dumps(reading))
        await self._redis.set(self._keys.reading(event, place), sealed, ex=_KEPT)
