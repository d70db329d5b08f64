"""What Slack's edge asks about practice, from the library and the cases."""

from __future__ import annotations

from dataclasses import dataclass

from graph.library import Library
from graph.model import CaseRow, ScenarioRow
from graph.store.cases import Cases


@dataclass(frozen=True)
class Practising:
    """Scenarios as they were loaded; drills as they were kept."""

    library: Library
    cases: Cases

    def scenarios(self) -> list[ScenarioRow]:
        """See `bot.desk.Practice`."""
        known = self.library.words.scenarios.values()
        return [ScenarioRow(name=each.name, title=each.title, goal=each.goal) for each in known]

    async def drills(self, limit: int) -> list[CaseRow]:
        """See `bot.desk.Practice`."""
        return await self.cases.drills(limit)
