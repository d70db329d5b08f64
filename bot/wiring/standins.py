"""Who stands in for whom: as approvers said themselves, and as `approvals.yaml` says of those who cannot."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from graph.authority import Authority
from graph.model import Delegation, JsonValue, LogLine
from graph.store.audit import Audit
from graph.store.delegates import Delegates

_LOG: Final = "delegates"
"""The audit log that they stand in: it is no case's, but chained and verified like one."""


class StandIns:
    """Both in one. What an approver says goes before what the file says of them, and stands in the audit log."""

    def __init__(self, said: Delegates, authority: Authority, audit: Audit) -> None:
        self._said = said
        self._authority = authority
        self._audit = audit

    async def put(self, delegation: Delegation) -> None:
        """See `Delegates.put`."""
        await self._said.put(delegation)
        values: dict[str, JsonValue] = {"to": delegation.to, "until": delegation.until}
        await self._note("delegate", delegation, delegation.since, values)

    async def drop(self, of: str) -> Delegation | None:
        """See `Delegates.drop`. What the file says is ended in the file."""
        ended = await self._said.drop(of)
        if ended is not None:
            await self._note("delegate_end", ended, datetime.now(UTC).isoformat(), {"to": ended.to})
        return ended

    async def _note(self, what: str, delegation: Delegation, at: str, values: dict[str, JsonValue]) -> None:
        line = LogLine(
            id=f"{what}:{delegation.of}:{at}",
            log="decision",
            what=what,
            at=at,
            request_id=f"{delegation.of}:{at}",
            trace_id=_LOG,
            by=delegation.of,
            name=delegation.of_name,
            values=values,
        )
        await self._audit.note(_LOG, _LOG, [line], fence=0)

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
