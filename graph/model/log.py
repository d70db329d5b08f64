"""The audit log: what an auditor reads of a case, line by line."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from graph.model.facts import JsonValue

LogKind = Literal[
    "decision",  # what a person, a rule or a model chose, and what of it did not count
    "execution",  # calls of the back office, and what came of them
    "state",  # from where to where the case moved, and by what
]


class LogLine(BaseModel):
    """One line. Sensitive values are masked before they come here; it holds no floats, so that its encoding is exact.

    `id` is the id of the event and a number, the same on every replay. `request_id` is the event in whose turn it was
    written, `trace_id` the run: all lines of one request share the first, all lines of a case the second. `card` is the
    request that was decided on, `digest` what bound the decision to its facts, `version` the digest of the procedure.

    Of an execution: `effect` is the key of a write, `outcome` how it ended (`begun`, `done`, `refused`, `unknown`,
    `unavailable`), `code` the reason that the back office gave, `attempts` how often it was asked (0: the journal knew),
    `milliseconds` how long that took. Of a move: `before` and `after` are the status and the step.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    log: LogKind
    what: str
    at: str
    request_id: str
    trace_id: str
    version: str = ""
    step: str = ""
    by: str = ""
    name: str = ""
    acting_for: str = ""
    card: str = ""
    level: str = ""
    digest: str = ""
    amount: str = ""
    verdict: str = ""
    refused: str = ""
    rule: str = ""
    reason: str = ""
    before: str = ""
    after: str = ""
    tool: str = ""
    effect: str = ""
    outcome: str = ""
    code: str = ""
    attempts: int = 0
    milliseconds: int = 0
    values: dict[str, JsonValue] = Field(default_factory=dict)


class Logged(BaseModel):
    """A line in its place: the `number`th of its case, from 1, with its own hash and that of the line before."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    case: str
    number: int
    previous: str
    hash: str
    line: LogLine


class Broken(BaseModel):
    """Where an audit log does not hold: the line, counted from 1, and what is wrong with it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    case: str
    line: int
    why: Literal[
        "changed",  # its words do not fit its hash, or what is after it does not follow
        "unreadable",
        "foreign",  # it belongs to another case
        "moved",  # it is not the line that belongs here: lines were taken out, put in or exchanged
        "missing",  # the case's record knows of more lines
        "added",  # the case's record knows of fewer lines
        "gone",  # neither the log nor the case's record is there
    ]
