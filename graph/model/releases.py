"""Versions of procedures: what was proposed by whom, and what is in force since when."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph.model.facts import JsonValue
from graph.model.log import LogLine


class Proposal(BaseModel):
    """A procedure's text that its author wants to be in force. `at` is ISO 8601, `digest` that of the text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sop: str
    digest: str
    text: str
    author: str
    note: str
    at: str


class Release(Proposal):
    """A text that came into force at `at`, by whom and why; `author` is who proposed it."""

    by: str
    kind: Literal["release", "rollback"] = "release"

    def line(self) -> LogLine:
        """What the audit log says of it."""
        values: dict[str, JsonValue] = {"sop": self.sop, "author": self.author}
        return LogLine(
            id=f"{self.kind}:{self.sop}:{self.digest}:{self.at}",
            log="decision",
            what=self.kind,
            at=self.at,
            request_id=f"{self.sop}:{self.at}",
            trace_id="releases",
            version=self.digest,
            by=self.by,
            reason=self.note,
            values=values,
        )
