"""`approvals.yaml`: who may decide, in what hours, how many it takes, and who stands in for whom."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from graph.authority.hours import Date, Hours
from graph.authority.levels import Authority, Deputy
from graph.model import Lang, Level, Text
from graph.sources import Source


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _DelegateEntry(_Entry):
    of: str
    to: str
    first: Date | None = Field(default=None, alias="from")
    last: Date = Field(alias="until")


class _LevelEntry(_Entry):
    label: Text | None = None
    rank: int
    channel: str = Field(min_length=1)
    lang: Lang = "zh"
    people: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    quorum: int = Field(default=1, ge=1, le=20)
    hours: Hours | None = None
    delegates: tuple[_DelegateEntry, ...] = ()


class _People(_Entry):
    people: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


class _File(_Entry):
    levels: dict[str, _LevelEntry]
    leads: _People = _People()
    auditors: _People = _People()
    authors: tuple[str, ...] = ()
    releasers: tuple[str, ...] = ()


def load_authority(source: Source) -> Authority | None:
    """The authority that the file describes. None, and mistakes in the source, when it is wrong."""
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
        _check_people(source, name, entry)
        _check_delegates(source, name, entry)
    authority = _authority(file)
    for name, entry in file.levels.items():
        enough = authority.has_anyone(name, ())
        if entry.quorum > 1 and not enough:
            message = f"{entry.quorum} must approve, but fewer are listed at {name!r} and above; list more people"
            source.wrong(("levels", name, "quorum"), message)
    return authority


def _check_people(source: Source, name: str, entry: _LevelEntry) -> None:
    for key, listed in (("people", entry.people), ("groups", entry.groups)):
        for number, one in enumerate(listed):
            if one in listed[:number]:
                source.wrong(("levels", name, key, number), f"{one!r} stands here twice; each counts once")


def _check_delegates(source: Source, name: str, entry: _LevelEntry) -> None:
    for number, each in enumerate(entry.delegates):
        here = ("levels", name, "delegates", number)
        if each.of not in entry.people:
            allowed = ", ".join(entry.people) or "nobody"
            source.wrong((*here, "of"), f"{each.of!r} is not among the people of {name!r}; allowed: {allowed}")
        if each.to == each.of:
            source.wrong((*here, "to"), "nobody stands in for themselves")
        if each.first is not None and each.last < each.first:
            source.wrong((*here, "until"), f"{each.last} is before {each.first}")


def _authority(file: _File) -> Authority:
    levels = {
        name: Level(
            name=name,
            label=entry.label or Text(zh=name, en=name),
            rank=entry.rank,
            channel=entry.channel.removeprefix("#"),
            lang=entry.lang,
            people=entry.people,
            groups=entry.groups,
            quorum=entry.quorum,
        )
        for name, entry in file.levels.items()
    }
    return Authority(
        levels,
        file.leads.people,
        file.leads.groups,
        {name: entry.hours for name, entry in file.levels.items() if entry.hours is not None},
        {
            name: tuple(Deputy(each.of, each.to, each.first, each.last) for each in entry.delegates)
            for name, entry in file.levels.items()
            if entry.delegates
        },
        file.auditors.people,
        file.auditors.groups,
        file.authors,
        file.releasers,
    )
