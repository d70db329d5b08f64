"""Redis behind Sentinel: the URL, and a real failover."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from graph.errors import Misconfigured
from graph.store.checkpoint import Checkpoints
from graph.store.connect import connect, require_durable, require_modules
from graph.store.sentinel import Watched, parse
from tests.parts.sentinels import Watchers, answers, promoted, turn_over, until, watchers


def test_a_whole_url_is_read() -> None:
    """Hosts, service, database, user, passwords and TLS are taken from the URL, percent signs decoded."""
    url = "rediss+sentinel://desk:p%40ss@one:5000,[::1]:5001,three/orders/2?sentinel_password=s%20p&ssl_ca_certs=/ca.pem"
    assert parse(url) == Watched(
        sentinels=(("one", 5000), ("::1", 5001), ("three", 26379)),
        service="orders",
        db=2,
        username="desk",
        password="p@ss",
        sentinel_password="s p",
        tls=True,
        ca_certs="/ca.pem",
    )


def test_a_short_url_is_enough() -> None:
    """One host and the service: the port is Sentinel's own, the database 0, nothing is encrypted."""
    assert parse("redis+sentinel://one/orders") == Watched(sentinels=(("one", 26379),), service="orders")


@pytest.mark.parametrize(
    "rest",
    ["one:26379", "one:26379/", "one/orders/x", "one/orders/0/more", "/orders", "one:port/orders", "one/orders?ssl=1"],
)
def test_a_wrong_url_is_refused(rest: str) -> None:
    """What cannot be used is refused by the name of the setting, without the password."""
    with pytest.raises(Misconfigured, match="REDIS_URL") as told:
        connect(f"redis+sentinel://:geheim@{rest}")
    assert "geheim" not in str(told.value)


@pytest.fixture(scope="module")
async def watched(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Watchers]:
    """A real Sentinel over two servers with both modules."""
    async with watchers(tmp_path_factory.mktemp("sentinel")) as found:
        yield found


async def test_a_failover_is_followed(watched: Watchers) -> None:
    """Clients of text and of checkpoints go on with the new primary, and nothing that was confirmed is lost."""
    client, saver = connect(watched.url), Checkpoints(watched.url, "failover")
    with pytest.raises(Misconfigured, match="min-replicas-to-write"):
        await require_durable(client)
    for server in watched.servers:
        async with Redis.from_url(server.url) as each:
            await each.config_set("min-replicas-to-write", "1")
    await require_durable(client)
    await require_modules(client)
    # It counts its replicas once a second.
    await until(lambda: answers(client.set("before", "1")))
    await saver.prepare()
    assert await client.wait(1, 5000) == 1
    await turn_over(watched.sentinel)
    await until(lambda: promoted(watched.servers[1]))
    await until(lambda: answers(client.set("after", "1")))
    await until(lambda: answers(saver.aget_tuple({"configurable": {"thread_id": "t", "checkpoint_ns": ""}})))
    async with Redis.from_url(watched.servers[1].url, decode_responses=True) as second:
        assert await second.mget("before", "after") == ["1", "1"]
    await saver.close()
    await client.aclose(close_connection_pool=True)


async def test_no_primary_is_being_away(watched: Watchers) -> None:
    """A service that Sentinel does not know is a matter of waiting, and named when the program starts."""
    client = connect(watched.url.replace("/desk/", "/other/"))
    with pytest.raises(Misconfigured, match="service other of the Sentinels"):
        await require_modules(client)
    await client.aclose(close_connection_pool=True)
