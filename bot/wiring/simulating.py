"""A dry run with the configured procedures: reads go to the back office that `BACKOFFICE_URL` names, writes nowhere."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import httpx

from bot.settings import Settings
from bot.wiring.trust import trusted
from bot.wiring.vocabulary import SHIPPED, load_library
from graph.errors import Misconfigured, ToolUnavailable
from graph.model import Fact
from graph.simulation.given import read_given
from graph.simulation.lines import Simulated
from graph.simulation.walk import Walk
from graph.tools.backoffice import BackOffice
from graph.tools.calling import ToolDoor
from graph.tools.no_journal import NoJournal
from graph.tools.stubs import stubs_of

_SECONDS: Final = 10.0
"""For one request to the back office."""


async def simulate(name: str, facts: Path, settings: Settings) -> Simulated:
    """Go through the procedure `name` on the facts of this file. SopMistakes names what is wrong with the file,
    Misconfigured what cannot be found."""
    library = await asyncio.to_thread(load_library, settings.sopdesk_sops, stubs=True)
    sop = library.sops.get(name)
    if sop is None:
        raise Misconfigured(f"there is no procedure {name!r}; there are: {', '.join(sorted(library.sops))}")
    if not await asyncio.to_thread(facts.is_file):
        raise Misconfigured(f"{facts} is no file; give the facts of the case in a YAML file, see docs/simulation.md")
    standing_in = await asyncio.to_thread(stubs_of, settings.sopdesk_sops or SHIPPED)
    now = datetime.now(UTC)
    given = await asyncio.to_thread(read_given, facts, sop, library.words, now.date())
    async with httpx.AsyncClient(base_url=settings.backoffice_url or "", timeout=_SECONDS, verify=trusted()) as client:
        door = ToolDoor(library.words.tools, BackOffice(client), NoJournal(), settings.sopdesk_tool_timeout, retries=0)

        async def read(tool: str, arguments: Mapping[str, Fact]) -> Fact:
            if settings.backoffice_url is None and tool not in standing_in:
                raise ToolUnavailable("down", "BACKOFFICE_URL is not set")
            return await door.call(tool, arguments, lang="zh", at=now.isoformat(), effect=None)

        return await Walk(sop, library.words, given, read, now.isoformat()).go()
