"""Who stands in for whom: as approvers said themselves, and as `approvals.yaml` says of those who cannot."""

from __future__ import annotations

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

from graph.authority import Authority
from graph.model import Delegation
from graph.store.delegates import Delegates


class StandIns:
    """Both in one. What an approver says goes before what the file says of them."""

    def __init__(self, said: Delegates, authority: Authority) -> None:
        self._said = said
        self._authority = authority

    async def put(self, delegation: Delegation) -> None:
        """See `Delegates.put`."""
        await self._said.put(delegation)

    async def drop(self, of: str) -> Delegation | None:
        """See `Delegates.drop`. What the file says is ended in the file."""
        return await self._said.drop(of)

    async def standing(self, now: datetime) -> list[Delegation]:
        """See `Delegates.standing`."""
        said = await self._said.standing(now)
        return said + _of_file(self._authority, now)


def _of_file(authority: Authority, now: datetime) -> list[Delegation]:
    found: list[Delegation] = []
    for level in authority.levels:
        hours = authority.hours(level)
        zone = ZoneInfo(hours.timezone) if hours else UTC
        for each in authority.deputies(level, now):
            until = datetime.combine(each.last, time(23, 59), zone).astimezone(UTC).isoformat()
            names = {"of_name": each.of, "to_name": each.to}
            found.append(
                Delegation(of=each.of, to=each.to, until=until, since=now.isoformat(), levels=(level,), **names)
            )
    return found
