"""Cases as lists show them: one row each, and where others than its agent look for it."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, ConfigDict

from graph.model.drill import DrillRow
from graph.model.facts import Lang
from graph.model.views import Headline, Status

LEADS: Final = "@leads"
"""The place where what only a lead can settle waits; all other places are levels."""


class CaseRow(BaseModel):
    """A case in a list. `request` is what waits, since when, and at which level; `place` is where others than its agent
    look for it. `asks_agent`: its agent is asked, by a step or by an approver. `needed_person`: an approval was asked of
    somebody, or a lead had to settle something. `drill` is set for practice that has ended."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    case: str
    thread: str
    status: Status
    headline: Headline
    order: str = ""
    customer: str = ""
    lang: Lang = "zh"
    waits_for: str = ""
    updated_at: str
    sop: str = ""
    owner: str = ""
    request: str = ""
    level: str = ""
    place: str = ""
    since: str = ""
    asks_agent: bool = False
    needed_person: bool = False
    drill: DrillRow | None = None
