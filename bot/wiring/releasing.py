"""Released procedures in a running process: in force at its start, and swapped in without a restart."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass

from redis.exceptions import RedisError

from graph.engine import Engine
from graph.errors import SopMistakes
from graph.library import Library
from graph.releasing.library import with_releases
from graph.store.releases import Releases

log = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0


async def released(files: Library, releases: Releases) -> tuple[Library, int]:
    """The library with what is in force, and the number of releases that it knows. SopMistakes where a version does not go
    with today's fields, tools, rules and levels. Without any release: the files as they are."""
    count = await releases.count()
    if not count:
        return files, count
    in_force = await releases.in_force()
    earlier = [each for name in in_force for each in await releases.versions(name)]
    return await asyncio.to_thread(with_releases, files, in_force.values(), earlier), count


@dataclass
class Reloading:
    """Looks once a second whether something was released, and swaps the whole library at once: a turn that is under way
    goes on with the text that its case keeps. What does not load replaces nothing."""

    engine: Engine
    files: Library
    releases: Releases
    known: int

    async def run(self, stopping: asyncio.Event) -> None:
        """Look until `stopping`."""
        while not stopping.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), _LOOK_SECONDS)
            with contextlib.suppress(RedisError, OSError):  # away for a moment: the others of the process say so
                await self.look()

    async def look(self) -> bool:
        """Take in what was released since; False where that is nothing, or does not load."""
        if await self.releases.count() == self.known:
            return False
        try:
            library, self.known = await released(self.files, self.releases)
        except SopMistakes as error:
            self.known = await self.releases.count()
            log.error("a released procedure does not load and replaces nothing: %s", error)
            return False
        self.engine.library = library
        log.info("procedures as of release %d are in force", self.known)
        return True
