"""A dialogue written from a real case, and played at once, so that it is known to pass."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from bot.settings import Settings
from bot.wiring.engine import DeskParts, open_desk
from bot.wiring.laptop import on_laptop
from bot.wiring.stage import play_all
from bot.wiring.vocabulary import load_library
from graph.dialogues.format import read_dialogues
from graph.dialogues.record import CannotRecord, Recorded


async def record(settings: Settings, case: str) -> tuple[str, list[str]]:
    """The file of a case, and what was not as it says when it was played. CannotRecord where there is no such case, or it
    went a way that a dialogue cannot go."""
    async with on_laptop(settings) as reachable, open_desk(reachable) as parts:
        written = (await _of(parts, case)).yaml()
    library = await asyncio.to_thread(load_library, settings.sopdesk_sops)
    with tempfile.TemporaryDirectory(prefix="sopdesk-record-") as folder:
        file = Path(folder) / "recorded.yaml"
        await asyncio.to_thread(file.write_text, written, encoding="utf-8")
        [played] = await play_all(read_dialogues([file]).played, settings, library)
    return written, played.wrong


async def _of(parts: DeskParts, case: str) -> Recorded:
    view = await parts.runner.show(case)
    library = parts.runner.engine.library
    if view is None or view.sop not in library.sops:
        raise CannotRecord(f"there is no case {case!r} of a procedure that is known today")
    fields = {name: library.words.fields[name] for name in library.sops[view.sop].told}
    return Recorded(view, await parts.runner.opening(case), await parts.runner.facts(case), fields)
