"""Who may decide: levels, who stands in for whom, and the leads. An empty list lets nobody in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from graph.authority.hours import Hours
from graph.model import Actor, Level, Principal


class Deputy(NamedTuple):
    """What the file says: `to` stands in for `of` from one day to another, both included, where the level works."""

    of: str
    to: str
    first: date | None
    last: date


class Authority:
    """The levels by name, ordered by rank, their working hours and delegates, and who leads. `authors` may propose another
    text of a procedure, `releasers` may put it into force."""

    def __init__(
        self,
        levels: Mapping[str, Level],
        leads: Iterable[str] = (),
        lead_groups: Iterable[str] = (),
        hours: Mapping[str, Hours] | None = None,
        deputies: Mapping[str, tuple[Deputy, ...]] | None = None,
        auditors: Iterable[str] = (),
        auditor_groups: Iterable[str] = (),
        authors: Iterable[str] = (),
        releasers: Iterable[str] = (),
    ) -> None:
        self.levels = dict(sorted(levels.items(), key=lambda item: item[1].rank))
        self.leads = tuple(leads)
        self.lead_groups = tuple(lead_groups)
        self.auditors = tuple(auditors)
        self.auditor_groups = tuple(auditor_groups)
        self.authors = tuple(authors)
        self.releasers = tuple(releasers)
        self._hours = dict(hours or {})
        self._deputies = dict(deputies or {})

    def rights(self, level: str, actor: Actor, now: datetime) -> tuple[Principal, ...]:
        """By whose right this person may decide at `level`: their own first, then of those they stand in for, whoever is
        asked at this very level before those above it. Nobody's for a level that does not exist, or for a person of
        another team."""
        if actor.foreign:
            return ()
        own = Principal(id=actor.id, name=actor.name, groups=actor.groups)
        found: dict[str, tuple[int, Principal]] = {}
        if self._listing(level, own) is not None:
            found[own.id] = (-1, own)
        for principal in actor.stands_for:
            if (above := self._listing(level, principal)) is not None:
                found.setdefault(principal.id, (above, principal))
        for above, each in enumerate(self._from(level)):
            for deputy in self.deputies(each.name, now):
                if deputy.to == actor.id:
                    found.setdefault(deputy.of, (above, Principal(id=deputy.of, name=deputy.of)))
        return tuple(right for _, right in sorted(found.values(), key=lambda ranked: ranked[0]))

    def may_decide(self, level: str, actor: Actor, now: datetime) -> bool:
        """Whether this person may decide at `level`, by their own right or another's."""
        return bool(self.rights(level, actor, now))

    def is_lead(self, actor: Actor) -> bool:
        """Whether this person may act for any agent."""
        led = actor.id in self.leads or bool(set(actor.groups) & set(self.lead_groups))
        return led and not actor.foreign

    def is_auditor(self, actor: Actor) -> bool:
        """Whether this person may read audit logs: leads may, and who is named for it."""
        named = actor.id in self.auditors or bool(set(actor.groups) & set(self.auditor_groups))
        return self.is_lead(actor) or (named and not actor.foreign)

    def levels_of(self, person: Principal | Actor) -> tuple[str, ...]:
        """The names of the levels that list this person, lowest first; none for one of another team."""
        if isinstance(person, Actor) and person.foreign:
            return ()
        return tuple(name for name, each in self.levels.items() if _is_in(each, person))

    def listed(self, level: str) -> tuple[str, ...]:
        """The people named at `level` and above, lowest rank first. Groups are not resolved here."""
        return tuple(dict.fromkeys(person for each in self._from(level) for person in each.people))

    def has_anyone(self, level: str, without: Iterable[str]) -> bool:
        """Whether as many may decide at `level` as it needs who are not in `without`. A user group counts as enough."""
        above = self._from(level)
        if not above:
            return False
        return len(set(self.listed(level)) - set(without)) >= above[0].quorum or any(each.groups for each in above)

    def next_level(self, level: str) -> str | None:
        """The level above, or None."""
        return next((each.name for each in self._from(level)[1:]), None)

    def quorum(self, level: str) -> int:
        """How many different persons must approve at `level`."""
        wanted = self.levels.get(level)
        return wanted.quorum if wanted else 1

    def covers(self, level: str, other: str) -> bool:
        """Whether `level` ranks above `other`, so that what it decided counts there, too."""
        one, another = self.levels.get(level), self.levels.get(other)
        return one is not None and another is not None and one.rank >= another.rank

    def hours(self, level: str) -> Hours | None:
        """When `level` works; None: always."""
        return self._hours.get(level)

    def deputies(self, level: str, now: datetime) -> tuple[Deputy, ...]:
        """Who stands in for whom at this very level, by the file, now."""
        hours = self._hours.get(level)
        today = now.astimezone(ZoneInfo(hours.timezone) if hours else UTC).date()
        named = self._deputies.get(level, ())
        return tuple(each for each in named if (each.first is None or each.first <= today) and today <= each.last)

    def _from(self, level: str) -> list[Level]:
        """The level and those above it; none for one that does not exist."""
        wanted = self.levels.get(level)
        return [] if wanted is None else [each for each in self.levels.values() if each.rank >= wanted.rank]

    def _listing(self, level: str, person: Principal) -> int | None:
        """How many levels above `level` this person is listed first, 0 for that very level; None where at none."""
        listing = (
            above
            for above, each in enumerate(self._from(level))
            if (person.levels is None or each.name in person.levels) and _is_in(each, person)
        )
        return next(listing, None)


def _is_in(level: Level, person: Principal | Actor) -> bool:
    return person.id in level.people or bool(set(person.groups) & set(level.groups))
