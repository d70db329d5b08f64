"""Who may decide: the levels of `approvals.yaml`, and the leads. An empty list lets nobody in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import BaseModel, ConfigDict

from graph.model import Actor, Lang, Level, Text
from graph.sources import Source


class _LevelEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    label: Text | None = None
    rank: int
    channel: str
    lang: Lang = "zh"
    people: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


class _People(BaseModel):
    model_config = ConfigDict(extra="forbid")

    people: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    levels: dict[str, _LevelEntry]
    leads: _People = _People()


class Authority:
    """The levels by name, ordered by rank, and who leads."""

    def __init__(self, levels: Mapping[str, Level], leads: Iterable[str] = (), lead_groups: Iterable[str] = ()) -> None:
        self.levels = dict(sorted(levels.items(), key=lambda item: item[1].rank))
        self.leads = tuple(leads)
        self.lead_groups = tuple(lead_groups)

    def may_decide(self, level: str, actor: Actor) -> bool:
        """Whether this person is listed at `level` or at a higher one. False for a level that does not exist."""
        wanted = self.levels.get(level)
        return wanted is not None and any(
            actor.id in each.people or set(actor.groups) & set(each.groups)
            for each in self.levels.values()
            if each.rank >= wanted.rank
        )

    def is_lead(self, actor: Actor) -> bool:
        """Whether this person may act for any agent."""
        return actor.id in self.leads or bool(set(actor.groups) & set(self.lead_groups))

    def listed(self, level: str) -> tuple[str, ...]:
        """The people named at `level` and above, lowest rank first. Groups are not resolved here."""
        wanted = self.levels.get(level)
        if wanted is None:
            return ()
        people = [person for each in self.levels.values() if each.rank >= wanted.rank for person in each.people]
        return tuple(dict.fromkeys(people))

    def has_anyone(self, level: str, without: Iterable[str]) -> bool:
        """Whether somebody may decide at `level` who is not in `without`. A user group counts as somebody."""
        wanted = self.levels.get(level)
        if wanted is None:
            return False
        above = [each for each in self.levels.values() if each.rank >= wanted.rank]
        return bool(set(self.listed(level)) - set(without)) or any(each.groups for each in above)

    def next_level(self, level: str) -> str | None:
        """The level above, or None."""
        wanted = self.levels.get(level)
        if wanted is None:
            return None
        return next((each.name for each in self.levels.values() if each.rank > wanted.rank), None)


def load_authority(source: Source) -> Authority | None:
    """`approvals.yaml`. None, and mistakes in the source, when it is wrong."""
    file = source.read(_File, source.data)
    if file is None:
        return None
    ranks: dict[int, str] = {}
    for name, entry in file.levels.items():
        if name == "auto":
            source.wrong(("levels", name), "'auto' is the tier without a person; name the level otherwise")
        if entry.rank in ranks:
            source.wrong(("levels", name, "rank"), f"rank {entry.rank} belongs to {ranks[entry.rank]!r}; ranks differ")
        ranks[entry.rank] = name
    levels = {
        name: Level(
            name=name,
            label=entry.label or Text(zh=name, en=name),
            rank=entry.rank,
            channel=entry.channel.removeprefix("#"),
            lang=entry.lang,
            people=entry.people,
            groups=entry.groups,
        )
        for name, entry in file.levels.items()
    }
    return Authority(levels, file.leads.people, file.leads.groups)
