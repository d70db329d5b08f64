"""What the command line needs to propose, release, go back and compare: the files, the versions, and lint before both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.settings import Settings
from bot.wiring.engine import open_redis
from bot.wiring.vocabulary import SHIPPED, authority_of, lint_text, load_library
from graph.authority import Authority
from graph.errors import Misconfigured, SopMistakes
from graph.library import APPROVALS, FIELDS, read_source
from graph.model.releases import Release
from graph.releasing.library import with_releases
from graph.sop import digest_of
from graph.store.audit import Audit
from graph.store.releases import Releases

_LOG = "releases"
"""The audit log that releases stand in: it is no case's, but chained and verified like one."""


@dataclass(frozen=True)
class Versions:
    """Procedures in files and in force. `authority` is that of the files: it says who may do what."""

    directory: Path
    authority: Authority
    store: Releases
    audit: Audit

    def texts(self) -> dict[str, str]:
        """The files' texts, by procedure; those that name none are left out."""
        found: dict[str, str] = {}
        for path in sorted(self.directory.glob("*.yaml")):
            source = read_source(path)
            name = source.data.get("name") if isinstance(source.data, dict) else None
            if path.name not in (FIELDS, APPROVALS) and isinstance(name, str):
                found[name] = source.text
        return found

    def text_of(self, sop: str) -> str:
        """The file's text of a procedure. Misconfigured where no file has it."""
        found = self.texts()
        if sop not in found:
            raise Misconfigured(f"no file in {self.directory} holds the procedure {sop!r}")
        return found[sop]

    def digest_of(self, text: str) -> str:
        """By what a version is named."""
        return digest_of(text)

    async def require_sound(self, text: str, name: str) -> None:
        """SopMistakes with all that lint finds in the text of a procedure."""
        found = await asyncio.to_thread(lint_text, name, text, self.directory)
        if found:
            raise SopMistakes([str(each) for each in found])

    async def require_fitting(self, release: Release) -> None:
        """SopMistakes where the directory's files have mistakes, or the release does not go with what else is in force."""
        others = {**await self.store.in_force(), release.sop: release}
        files = await asyncio.to_thread(load_library, self.directory)
        await asyncio.to_thread(with_releases, files, others.values())

    async def note(self, release: Release) -> None:
        """Write the release into its audit log."""
        await self.audit.note(_LOG, _LOG, [release.line()], fence=None)


@asynccontextmanager
async def open_versions(settings: Settings) -> AsyncIterator[Versions]:
    """The versions on the configured Redis. Files with mistakes do not stand in the way of going back."""
    directory = settings.sopdesk_sops or SHIPPED
    authority = await asyncio.to_thread(authority_of, directory)
    async with open_redis(settings) as (redis, keys, codec):
        yield Versions(directory, authority, Releases(redis, keys), Audit(redis, keys, codec))
