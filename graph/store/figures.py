"""Figures by week and procedure: how many cases ended, and how many needed a person. `graph.store.cases` counts them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict
from redis.asyncio import Redis

from graph.store.keys import Keys

FIGURES_SECONDS: Final = 2 * 366 * 86400
"""How long a week is known after its last case."""
ENDED: Final = "ended"
BY_PERSON: Final = "person"


class Figure(BaseModel):
    """One procedure in one week (ISO 8601, UTC, by when the case ended). `needed_person`: an approval was asked of
    somebody, or a lead had to settle something."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    week: str
    sop: str
    ended: int
    needed_person: int

    @property
    def share(self) -> float:
        """The share of cases that needed a person, 0 to 1."""
        return self.needed_person / self.ended if self.ended else 0.0


def week_of(moment: datetime) -> str:
    """The week that a moment is in, such as `2026-W49`."""
    year, week, _ = moment.isocalendar()
    return f"{year}-W{week:02d}"


class Figures:
    """Reads what was counted."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def of(self, now: datetime, weeks: int = 1) -> list[Figure]:
        """The last `weeks` weeks, this one included, the newest first; of each the procedures by name."""
        names = [week_of(now - timedelta(weeks=back)) for back in range(weeks)]
        async with self._redis.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.hgetall(self._keys.figures(name))
            counted = await pipe.execute()
        return [figure for name, counts in zip(names, counted, strict=True) for figure in _figures(name, counts)]


def _figures(week: str, counts: dict[str, str]) -> list[Figure]:
    sops = sorted({field.rpartition("|")[0] for field in counts})
    return [
        Figure(
            week=week,
            sop=sop,
            ended=int(counts.get(f"{sop}|{ENDED}", 0)),
            needed_person=int(counts.get(f"{sop}|{BY_PERSON}", 0)),
        )
        for sop in sops
    ]
