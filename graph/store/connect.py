"""The one way to Redis: pooled, checked, and never repeating a command by itself."""

from __future__ import annotations

from typing import Final

from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

from graph.errors import Misconfigured
from graph.store import sentinel
from graph.store.client import Client
from graph.store.patience import Patience, end, stopped_first, within

__all__ = [
    "BLOCK_SECONDS",
    "Patience",
    "connect",
    "end",
    "is_away",
    "pool_of",
    "replicas_of",
    "require_durable",
    "require_modules",
    "require_writable",
    "stopped_first",
    "within",
]

BLOCK_SECONDS: Final = 5.0
"""The longest that any read blocks on the server."""
_CONNECT_SECONDS: Final = 5.0
_HEALTH_CHECK_SECONDS: Final = 30
_NEEDED: Final = {"rejson": "RedisJSON", "search": "RediSearch"}
_AWAY: Final = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.BusyLoadingError,
    exceptions.ReadOnlyError,
)
_OVERRIDE: Final = (
    "where losing cases is accepted, or the service takes care of it by other means, start with --allow-volatile"
)
_NOT_NOW: Final = ("NOREPLICAS", "MASTERDOWN", "READONLY", "LOADING")
"""Words by which a server refuses for a while, also from inside a script."""


def connect(url: str, *, max_connections: int = 64) -> Redis:
    """A client for `url` (redis://, rediss://, unix:// or redis+sentinel://). Nothing is opened before the first command.

    No command is retried: what was sent may have been carried out though the answer was lost. A caller that may
    repeat asks `is_away`. When all connections are in use, callers wait.
    """
    return Client.from_pool(pool_of(url, max_connections=max_connections))


def pool_of(url: str, *, max_connections: int, decode_responses: bool = True) -> BlockingConnectionPool:
    """The connections of a client. Misconfigured when `url` is none that can be used."""
    kwargs: dict[str, object] = {
        "decode_responses": decode_responses,
        "max_connections": max_connections,
        # The limit of a command is that of its wait for a connection, too.
        "timeout": None,
        "socket_connect_timeout": _CONNECT_SECONDS,
        # redis-py's own default ends a blocking read after five seconds, and makes a task of each write.
        "socket_timeout": None,
        "socket_keepalive": True,
        "health_check_interval": _HEALTH_CHECK_SECONDS,
        "retry": Retry(NoBackoff(), 0),
        # While these are on, the pool does not notice that an idle connection was closed by a restart.
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }
    try:
        if sentinel.is_sentinel(url):
            return sentinel.PrimaryPool(sentinel.parse(url), **kwargs)
        return BlockingConnectionPool.from_url(url, **kwargs)
    except ValueError as error:
        raise Misconfigured(f"REDIS_URL cannot be used: {error}") from error


async def require_modules(redis: Redis) -> None:
    """Check once, at start, that Redis answers, has both modules and evicts nothing.

    Raises Misconfigured, saying what was found and what to do.
    """
    where = _where(redis)
    try:
        modules = await redis.info("modules")
        memory = await redis.info("memory")
    except exceptions.AuthenticationError as error:
        raise Misconfigured(f"Redis at {where} refuses the user or password in REDIS_URL") from error
    except (*_AWAY, OSError) as error:
        raise Misconfigured(
            f"Redis at {where} does not answer ({type(error).__name__}). Start it, or correct REDIS_URL."
        ) from error
    loaded = {str(module["name"]).lower() for module in modules.get("modules", [])}
    missing = [label for name, label in _NEEDED.items() if name not in loaded]
    if missing:
        raise Misconfigured(
            f"Redis at {where} lacks {' and '.join(missing)}. Use Redis 8 or Redis Stack, or load them with --loadmodule."
        )
    policy = memory.get("maxmemory_policy", "noeviction")
    if policy != "noeviction" and memory.get("maxmemory", 0):
        raise Misconfigured(
            f"Redis at {where} may evict keys (maxmemory-policy {policy}) and so forget payments. Set it to noeviction."
        )


async def require_writable(redis: Redis) -> None:
    """Check once, at start, that Redis takes writes now: it is no replica, and as many replicas follow it as it wants.

    Raises Misconfigured, saying what was found and what to do.
    """
    found = await redis.info("replication")
    if found.get("role") != "master":
        raise Misconfigured(f"Redis at {_where(redis)} is a replica: it takes no writes. Name the primary or the Sentinels")
    wanted, there = await _configured(redis, "min-replicas-to-write"), found.get("min_slaves_good_slaves")
    if wanted.isdecimal() and there is not None and int(there) < int(wanted):
        raise Misconfigured(
            f"Redis at {_where(redis)} takes no writes: {there} of {wanted} replicas follow it "
            "(min-replicas-to-write). Start the replicas, then start this again"
        )


async def require_durable(redis: Redis) -> None:
    """Check once, at start, that Redis keeps what it confirms: over a restart, by an append-only file or save points, and
    behind Sentinel over a failover, by confirming only what a replica can get.

    Raises Misconfigured. On a server that does not tell, `--allow-volatile` is the operator's word for it.
    """
    if not (await redis.info("persistence")).get("aof_enabled") and not await _configured(redis, "save"):
        raise Misconfigured(
            f"Redis at {_where(redis)} keeps nothing over a restart: neither an append-only file nor save points are on. "
            f"Set `appendonly yes`; {_OVERRIDE}"
        )
    if replicas_of(redis) and await _configured(redis, "min-replicas-to-write") in ("", "0"):
        raise Misconfigured(
            f"Redis at {_where(redis)} confirms what a failover loses: an old primary goes on alone for a while. "
            f"Set `min-replicas-to-write 1` on every server; {_OVERRIDE}"
        )


def replicas_of(redis: Redis) -> int:
    """How many replicas must have a write before money moves on it: one behind Sentinel, which fails over, else none."""
    return int(isinstance(redis.connection_pool, sentinel.PrimaryPool))


async def _configured(redis: Redis, name: str) -> str:
    """A setting of the server; empty when it does not tell."""
    try:
        return str((await redis.config_get(name)).get(name, "")).strip()
    except exceptions.ResponseError:
        return ""


def is_away(error: BaseException | None) -> bool:
    """Whether Redis could not be reached or is not ready: a matter of waiting, whoever wrapped the error."""
    while error is not None:
        if isinstance(error, exceptions.AuthenticationError):
            return False
        if isinstance(error, _AWAY):
            return True
        if isinstance(error, exceptions.RedisError):
            return any(word in str(error) for word in _NOT_NOW)
        error = error.__cause__
    return False


def _where(redis: Redis) -> str:
    """Host and port, never the password."""
    pool = redis.connection_pool
    if isinstance(pool, sentinel.PrimaryPool):
        return pool.where
    settings = pool.connection_kwargs
    if "path" in settings:
        return str(settings["path"])
    return f"{settings.get('host', 'localhost')}:{settings.get('port', 6379)}"
