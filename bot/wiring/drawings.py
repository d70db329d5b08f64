"""What Slack's edge asks about diagrams, from the library and the cases."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bot.cli.picture import picture
from bot.diagrams import Drawing
from graph.diagram import Diagram, diagram_of
from graph.diagram.outline import outline
from graph.model import Lang
from graph.runner import Runner


@dataclass(frozen=True)
class Drawings:
    """Procedures as they are today, cases in the version they follow."""

    runner: Runner

    def names(self) -> list[str]:
        """See `bot.diagrams.Draws`."""
        return sorted(name for name, sop in self.runner.engine.library.sops.items() if not sop.internal)

    async def of_sop(self, name: str, lang: Lang) -> Drawing | None:
        """See `bot.diagrams.Draws`."""
        library = self.runner.engine.library
        sop = library.sops.get(name)
        return None if sop is None else await _drawn(diagram_of(sop, library.words.tools, lang), lang)

    async def of_case(self, case: str, lang: Lang) -> Drawing | None:
        """See `bot.diagrams.Draws`."""
        followed = await self.runner.followed(case)
        if followed is None:
            return None
        sop, view = followed
        return await _drawn(diagram_of(sop, self.runner.engine.library.words.tools, lang, view), lang)


async def _drawn(diagram: Diagram, lang: Lang) -> Drawing:
    return Drawing(diagram.title, outline(diagram, lang), await asyncio.to_thread(picture, diagram))
