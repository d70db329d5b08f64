"""Dialogues, and the procedures that they are about, found on the disk and played."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.settings import Settings
from bot.wiring.stage import play_all
from bot.wiring.vocabulary import SHIPPED, load_library
from graph.dialogues.format import Dialogues, read_dialogues
from graph.dialogues.report import Report, report_of
from graph.errors import Misconfigured
from graph.library import FIELDS

SHIPPED_DIALOGUES = SHIPPED.parent / "tests" / "dialogues"
"""Those of the shipped procedures."""


async def rehearse(settings: Settings, directory: Path | None) -> Report:
    """Play the dialogues of `directory`. A directory of procedures has them in `dialogues/` beside its files; any other
    holds dialogues of the configured procedures. Without one: those that are shipped. SopMistakes names what is wrong in
    files, Misconfigured where there are none."""
    procedures, folder = _places(settings, directory)
    library = await asyncio.to_thread(load_library, procedures, stubs=True)
    dialogues, guards = await asyncio.to_thread(_read, folder)
    return report_of(await play_all(dialogues, settings, library), library.sops, guards)


def _places(settings: Settings, directory: Path | None) -> tuple[Path | None, Path]:
    configured = settings.sopdesk_sops
    if directory is not None and not (directory / FIELDS).is_file():
        return configured, directory
    procedures = directory or configured
    return procedures, SHIPPED_DIALOGUES if procedures is None else procedures / "dialogues"


def _read(folder: Path) -> Dialogues:
    paths = sorted(folder.rglob("*.yaml"))
    if not paths:
        raise Misconfigured(f"there are no dialogues in {folder}; write one, or name another directory")
    return read_dialogues(paths)
