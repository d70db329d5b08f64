"""`/sop show`: the diagram of a procedure, or of a case in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from blocks import Card, diagram_card
from blocks.text import md
from bot.desk import Desk
from bot.pictures import Pictures
from bot.showing import Showing, edge, line
from graph.errors import StateLost
from graph.model import Actor, Lang
from graph.phrases import say

_CASE = re.compile(r"C-[0-9A-Z]+")


@dataclass(frozen=True)
class Drawing:
    """A diagram in one language: a PNG, and its steps in words."""

    title: str
    lines: tuple[str, ...]
    png: bytes


class Draws(Protocol):
    """What can be drawn."""

    def names(self) -> list[str]:
        """The procedures that people may ask for."""
        ...

    async def of_sop(self, name: str, lang: Lang) -> Drawing | None:
        """A procedure as it is today; None for an unknown name."""
        ...

    async def of_case(self, case: str, lang: Lang) -> Drawing | None:
        """A case in the version it follows; None without one. StateLost where that cannot be read any more."""
        ...


class NoDrawings:
    """Where nothing can be drawn."""

    def names(self) -> list[str]:
        """None."""
        return []

    async def of_sop(self, name: str, lang: Lang) -> Drawing | None:
        """None."""
        return None

    async def of_case(self, case: str, lang: Lang) -> Drawing | None:
        """None."""
        return None


class Diagrams:
    """Answers `/sop show`. What a person may not see of a case is not drawn for them either."""

    def __init__(self, desk: Desk, draws: Draws, pictures: Pictures, showing: Showing) -> None:
        self._desk = desk
        self._draws = draws
        self._pictures = pictures
        self._showing = showing

    async def answer(self, words: Sequence[str], actor: Actor) -> Card:
        """The diagram of what is named, with its picture where the workspace takes it."""
        named = words[0].strip("`*_") if words else ""
        lang, known = actor.lang, self._draws.names()
        listed = ", ".join(f"`{name}`" for name in known)
        if not named:
            return line(say("diagram.which", lang, names=listed))
        if named.lower() in known:
            drawing = await self._draws.of_sop(named.lower(), lang)
        elif _CASE.fullmatch(named.upper()):
            return await self._of_case(named.upper(), actor)
        else:
            drawing = None
        return await self._card(named.lower(), drawing, lang) if drawing else _unknown(named, listed, lang)

    async def _of_case(self, case: str, actor: Actor) -> Card:
        view = await self._desk.show(case)
        if view is None:
            return edge("no_such_case", actor.lang, case=md(case, 40))
        if not await self._showing.may_see(view, actor):
            return edge("not_for_you", actor.lang, case=md(case, 40))
        try:
            drawing = await self._draws.of_case(case, actor.lang)
        except StateLost:
            drawing = None
        if drawing is None:
            return line(say("diagram.lost", actor.lang, case=md(case, 40)))
        return await self._card(case, drawing, actor.lang)

    async def _card(self, name: str, drawing: Drawing, lang: Lang) -> Card:
        title = say("diagram.of_case", lang, case=name, title=drawing.title)
        return diagram_card(title, drawing.lines, await self._pictures.upload(drawing.png, f"{name}.png", title))


def _unknown(named: str, listed: str, lang: Lang) -> Card:
    return line(say("diagram.unknown", lang, name=md(named, 40), names=listed))
