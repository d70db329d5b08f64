"""Options of the crash test, and what its runs share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from deploy.local.redis_server import RedisServer
from graph.store.connect import connect
from tests.crash.fleet import Nursery, nursery
from tests.crash.traps import POINTS

SHORT = 8
"""Seeded runs of a test run without options."""
AT_ONCE, AT_ONCE_AMONG_OTHERS = 4, 2
"""Runs that go on side by side, each in a world of its own: for most of its time a run waits. Fewer where other tests want
the machine, too: a worker that is not let run for a second has lost its lease, and after twenty its event is set aside."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Known where tests/crash is named on the command line; elsewhere the defaults hold."""
    group = parser.getgroup("crash")
    group.addoption("--crash-runs", type=int, default=0, help=f"seeded runs of the crash test ({SHORT})")
    group.addoption("--crash-seed", type=int, default=None, help="the one run to repeat")


def seeds(config: pytest.Config) -> list[int]:
    """The seeds to run."""
    one = config.getoption("crash_seed", None)
    if isinstance(one, int):
        return [one]
    return list(range(int(config.getoption("crash_runs", 0) or SHORT)))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Some seeds for each test; a failure names the one."""
    if "together" in metafunc.fixturenames:
        found = seeds(metafunc.config)
        size = AT_ONCE if metafunc.config.getoption("crash_runs", 0) else AT_ONCE_AMONG_OTHERS
        groups = [tuple(found[at : at + size]) for at in range(0, len(found), size)]
        metafunc.parametrize("together", groups, ids=lambda group: f"{group[0]}-{group[-1]}")
    if "many" in metafunc.fixturenames:
        metafunc.parametrize("many", [200 if metafunc.config.getoption("crash_runs", 0) else 40])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many kills there were, and at how many of the places."""
    ended = terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", [])
    noted = [pair for each in ended for pair in getattr(each, "user_properties", ())]
    found: list[list[str]] = [value for name, value in noted if name == "failpoints"]
    points = {point for each in found for point in each}
    deaths, stops = (sum(value for name, value in noted if name == wanted) for wanted in ("deaths", "stops"))
    if found:
        terminalreporter.write_line(
            f"crash: {len(found)} seeded runs; {deaths} processes killed, {stops} stopped and woken; "
            f"{len(points)} different failpoints; not reached: {', '.join(sorted(set(POINTS) - points)) or 'none'}"
        )


@pytest.fixture(scope="session")
def crash_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where servers and processes of the session keep their files."""
    return tmp_path_factory.mktemp("crash")


@pytest_asyncio.fixture(scope="session")
async def young(crash_directory: Path) -> AsyncIterator[Nursery]:
    """Starts the processes of all runs."""
    async with nursery(crash_directory / "processes.log") as made:
        yield made


@pytest_asyncio.fixture
async def own_redis(crash_directory: Path, crash_redis_server: RedisServer) -> AsyncIterator[str]:
    """The URL of a Redis with nothing in it."""
    yield crash_redis_server.url
    client = connect(crash_redis_server.url)
    await client.flushall()
    await client.aclose()


@pytest_asyncio.fixture(scope="session")
async def crash_redis_server(crash_directory: Path) -> AsyncIterator[RedisServer]:
    """A server for the runs that leave it alone; each leaves it empty."""
    async with RedisServer(crash_directory / "redis") as server:
        yield server
