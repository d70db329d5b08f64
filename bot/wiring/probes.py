"""What a process of each role is asked for before it counts as ready, and what its metrics are made of."""

from __future__ import annotations

from datetime import UTC, datetime

import httpx
from redis.asyncio import Redis
from redis.exceptions import RedisError

from bot.backlog import backlog
from bot.health import Check, Health, Pulse
from bot.serving import Line
from bot.settings import Role
from bot.watch import Watch
from graph.store.crypt import Codec, lacking
from graph.store.figures import Figures
from graph.store.keys import Keys


def health_of(
    role: Role,
    redis: Redis,
    keys: Keys,
    codec: Codec,
    backoffice: httpx.AsyncClient,
    line: Line,
    pulse: Pulse,
    watch: Watch,
) -> Health:
    """Redis for all; Slack's line for those that listen; for those that work the back office, and the keys that others
    have sealed with since."""
    checks: dict[str, Check] = {"redis": lambda: _redis(redis)}
    if role in ("listen", "all"):
        checks["slack"] = lambda: _line(line)
    if role in ("work", "all"):
        checks["encryption"] = lambda: _keys(redis, keys, codec)
        checks["backoffice"] = lambda: _backoffice(backoffice)

    figures = Figures(redis, keys)

    async def look() -> None:
        watch.metrics.look(await backlog(redis, keys), await figures.of(datetime.now(UTC)))

    return Health(pulse=pulse, checks=checks, text=watch.metrics.text, look=look)


async def _redis(redis: Redis) -> str:
    await redis.ping()
    return ""


async def _keys(redis: Redis, keys: Keys, codec: Codec) -> str:
    """Nothing where Redis is away: that is said of Redis, and no key may be missing."""
    try:
        return await lacking(redis, keys, codec)
    except RedisError:
        return ""


async def _line(line: Line) -> str:
    return "" if line.up else "not connected"


async def _backoffice(client: httpx.AsyncClient) -> str:
    """Any answer will do: what the service says of itself is not known, that it is there is enough."""
    response = await client.get("/")
    return f"answers {response.status_code}" if response.status_code >= 500 else ""
