"""What a card needs to know of the workspace and a run's view does not tell; the sender fills it in."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph.model import Delegation, Text

Offer = Literal["another_amount", "ask_requester", "settle", "new_case", "handbook", "practise"]


_FIRST_RANK = 1
"""Below it stand levels that watch over a procedure and approve no amount."""


class Place(BaseModel):
    """Where a level's cards go. `channel` is an id or a name, `mention` ready text such as `<!subteam^S1>` or `<@U1>`.
    `people` are the ids behind it, where it names persons: a card calls only those of them who may decide. `away` are
    those of the level for whom somebody stands in now."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    label: Text
    channel: str = ""
    mention: str = ""
    people: tuple[str, ...] = ()
    rank: int = 1
    away: tuple[Delegation, ...] = ()


class Surroundings(BaseModel):
    """The workspace around a case.

    `levels` by level name; `links` are permalinks by request id (its card) and by case id (its case card); `leads` is
    the ready mention of the leads; `names` are shown names by person id. `offers` names the optional deeds that the engine
    behind can carry out: no button leads nowhere.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    levels: dict[str, Place] = {}
    links: dict[str, str] = {}
    leads: str = ""
    names: dict[str, str] = {}
    offers: frozenset[Offer] = frozenset()

    def link(self, key: str | None) -> str:
        """The permalink under a request id or a case id; empty where none is known."""
        return self.links.get(key, "") if key else ""

    def asks_again(self, level: str | None) -> bool:
        """Whether approving at this level needs a second yes: every level above the first rank, and one not known."""
        place = self.levels.get(level) if level else None
        return place is None or place.rank > max(_FIRST_RANK, min(known.rank for known in self.levels.values()))
