"""The audit stream: decisions, and clicks that were refused."""

from __future__ import annotations

from typing import cast

from redis.asyncio import Redis
from redis.typing import EncodableT, FieldT

from graph.failpoints import around
from graph.store.keys import Keys


class Audit:
    """Appends only."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def note(self, case: str, entry: dict[str, str]) -> None:
        """One line: who did what on which request, and why it did or did not count. No customer data."""
        fields = {"case": case, **{name: value for name, value in entry.items() if value}}
        await around("audit.note", self._redis.xadd(self._keys.audit(), cast(dict[FieldT, EncodableT], fields)))

    async def of(self, case: str, limit: int = 1000) -> list[dict[str, str]]:
        """The newest lines about one case, oldest first. What a crash made stand twice is given once."""
        rows = await self._redis.xrevrange(self._keys.audit(), count=limit)
        lines = [{str(name): str(value) for name, value in (fields or {}).items()} for _, fields in reversed(rows or [])]
        return list({tuple(sorted(line.items())): line for line in lines if line.get("case") == case}.values())
