"""Cards as words: what the command line prints of what Slack would show."""

from __future__ import annotations

from collections.abc import Iterable

from blocks.surroundings import Place, Surroundings
from bot.notice import Notice
from bot.plain import shown
from bot.render import Renderer
from graph.authority import Authority
from graph.model import Actor, JsonValue


class _NoWorkspace:
    """Surroundings without Slack: channels and people by their names."""

    def __init__(self, authority: Authority) -> None:
        self._surroundings = Surroundings(
            levels={
                level.name: Place(
                    label=level.label,
                    channel=level.channel,
                    mention=" ".join(f"@{person}" for person in level.people),
                    rank=level.rank,
                )
                for level in authority.levels.values()
            },
            links={},
            leads=" ".join(f"@{person}" for person in authority.leads),
        )

    async def of(self, cases: Iterable[str] = (), requests: Iterable[str] = (), wait: float = 0.0) -> Surroundings:
        """See `bot.around`."""
        return self._surroundings

    async def actor(self, user: str) -> Actor:
        """See `bot.directory`."""
        return Actor(id=user, name=user)


class Words:
    """Renders notices as plain text."""

    def __init__(self, authority: Authority) -> None:
        nowhere = _NoWorkspace(authority)
        self._renderer = Renderer(nowhere, nowhere, authority.levels)

    async def of(self, notice: Notice) -> str:
        """All that the card of a notice says, without its buttons."""
        card = await self._renderer.card(notice)
        return "\n".join(line for block in card.blocks for line in _lines(block)) or shown(card.text)


def _lines(block: dict[str, JsonValue]) -> list[str]:
    found: list[str] = []
    if block.get("type") == "actions":
        return found
    for part in (block.get("text"), *_list(block.get("fields")), *_list(block.get("elements"))):
        if isinstance(part, dict) and isinstance(words := part.get("text"), str):
            found.append(shown(words))
    return found


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
