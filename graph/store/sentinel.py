"""Redis behind Sentinel: `redis+sentinel://[user:password@]host[:port][,host[:port]…]/service[/db]`."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

SCHEMES: Final = {"redis+sentinel": False, "rediss+sentinel": True}
"""The URL schemes that name Sentinels, and whether the connections are encrypted."""
_PORT: Final = 26379
_ASK_SECONDS: Final = 2.0
"""For one Sentinel to answer; then the next is asked."""
_SHAPE: Final = "it has the form redis+sentinel://[user:password@]host:port[,host:port]/service/db"


class Watched(NamedTuple):
    """A service that Sentinels watch. User and password are those of the Redis servers; a Sentinel with a password of
    its own has it in the query, as `?sentinel_username=…&sentinel_password=…`."""

    sentinels: tuple[tuple[str, int], ...]
    service: str
    db: int = 0
    username: str | None = None
    password: str | None = None
    sentinel_username: str | None = None
    sentinel_password: str | None = None
    tls: bool = False
    ca_certs: str | None = None


def is_sentinel(url: str) -> bool:
    """Whether a URL names Sentinels and not a server."""
    return url.partition("://")[0] in SCHEMES


def parse(url: str) -> Watched:
    """The parts of such a URL. ValueError says what is wrong with it, and never holds the password."""
    parts = urlsplit(url)
    access, _, hosts = parts.netloc.rpartition("@")
    username, _, password = access.partition(":")
    path = [unquote(each) for each in parts.path.split("/") if each]
    if not 1 <= len(path) <= 2:
        raise ValueError(f"the name of the service is missing, or too much follows it; {_SHAPE}")
    if len(path) == 2 and not path[1].isdecimal():
        raise ValueError(f"the database is a number, not {path[1]!r}; {_SHAPE}")
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    unknown = sorted(query.keys() - {"sentinel_username", "sentinel_password", "ssl_ca_certs"})
    if unknown:
        raise ValueError(f"{', '.join(unknown)} is not known; sentinel_username, sentinel_password, ssl_ca_certs are")
    return Watched(
        sentinels=tuple(_host(each) for each in hosts.split(",")),
        service=path[0],
        db=int(path[1]) if len(path) == 2 else 0,
        username=unquote(username) or None,
        password=unquote(password) or None,
        sentinel_username=query.get("sentinel_username"),
        sentinel_password=query.get("sentinel_password"),
        tls=SCHEMES[parts.scheme],
        ca_certs=query.get("ssl_ca_certs"),
    )


class PrimaryPool(SentinelConnectionPool, BlockingConnectionPool):
    """Connections to whichever server is the primary now; callers wait when all are in use.

    After a failover, idle connections are closed when the first new one is made, and one that still speaks to the old
    primary breaks at its next write.
    """

    def __init__(self, watched: Watched, **kwargs: object) -> None:
        tls: dict[str, object] = {"ssl": True} if watched.tls else {}
        if watched.ca_certs is not None:
            tls["ssl_ca_certs"] = watched.ca_certs
        self._asked = Sentinel(  # type: ignore[no-untyped-call]  # redis-py gives it no types
            list(watched.sentinels),
            sentinel_kwargs={
                "username": watched.sentinel_username,
                "password": watched.sentinel_password,
                "socket_timeout": _ASK_SECONDS,
                "socket_connect_timeout": _ASK_SECONDS,
                "retry": Retry(NoBackoff(), 0),
                **tls,
            },
        )
        self.where = f"service {watched.service} of the Sentinels " + ", ".join(
            f"{host}:{port}" for host, port in watched.sentinels
        )
        super().__init__(  # type: ignore[no-untyped-call]  # redis-py gives it no types
            watched.service,
            self._asked,
            db=watched.db,
            username=watched.username,
            password=watched.password,
            **tls,
            **kwargs,
        )

    async def aclose(self) -> None:
        """Close the connections, those to the Sentinels as well."""
        await asyncio.gather(super().aclose(), self._asked.aclose())


def _host(given: str) -> tuple[str, int]:
    parts = urlsplit(f"//{given}")
    if not parts.hostname:
        raise ValueError(f"a Sentinel has no host; {_SHAPE}")
    return parts.hostname, parts.port or _PORT
