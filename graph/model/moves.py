"""How a step moves the run, and what the record says of it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from graph.model.events import Reply
from graph.model.facts import Fact, JsonValue, Text
from graph.model.requests import ClosedRequest, Request, Route


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


TrailKind = Literal[
    "plan",
    "call",
    "check",
    "ask",
    "answer",
    "skip",
    "known",
    "confirm",
    "approve",
    "reject",
    "auto",
    "hold",
    "retry",
    "correct",
    "cancel",
    "hand_over",
    "stop",
    "error",
    "withdraw",
    "kept",
    "settle",
    "vote",
    "remind",
    "pass_on",
    "expire",
    "choose",  # `values`: offered, chosen, arguments, result, seconds; `reason` where the choice was refused
    "wait",
    "raised",  # an approval that did not cover the tier any more; asked at the higher level
    "unbound",  # facts changed after the approval: not written, asked anew
    "inquire",  # an approver asked the requester
    "reply",  # who answered
    "drill",  # practice begins or ends; `values`: scenario, score, reason
]


class TrailEntry(_Plain):
    """One line of the record, as data; words are made when it is shown, in the reader's language.

    `values` are plain facts set or used; sensitive ones are masked before they come here. `acting_for` names whose right
    a delegate used. `context` is what was known when an action was picked; it goes to the audit log alone.
    """

    step: str
    what: TrailKind
    at: str
    by: str = ""
    tool: str | None = None
    rule: str | None = None
    level: str | None = None
    reason: str = ""
    goto: str | None = None
    fields: list[str] = Field(default_factory=list)
    values: dict[str, JsonValue] = Field(default_factory=dict)
    routes: list[Route] = Field(default_factory=list)
    acting_for: str = ""
    context: dict[str, JsonValue] = Field(default_factory=dict)


class _Moved(_Plain):
    """What every move may do beside moving: facts, the record, a request's end, and words to whoever acted. `notes` are
    what steps remember of themselves between two visits, such as how often they tried: no facts, so nobody sees or
    corrects them."""

    set: dict[str, Fact] = Field(default_factory=dict)
    drop: list[str] = Field(default_factory=list)
    trail: list[TrailEntry] = Field(default_factory=list)
    closed: ClosedRequest | None = None
    replies: list[Reply] = Field(default_factory=list)
    model_calls: int = 0
    notes: dict[str, JsonValue] = Field(default_factory=dict)


class Next(_Moved):
    """The step is done: on to the following one."""


class Stay(_Moved):
    """The step waits for `request`, which answers to its id."""

    request: Request


class Goto(_Moved):
    """On to the step `to`. `again` runs every step from there anew (going back)."""

    to: str
    again: bool = True


class Stop(_Moved):
    """The run ends here. `rule` and `why` say what stood against it, `next` what the agent can do, `instead` in which case
    it goes on."""

    status: Literal["stopped", "cancelled"] = "stopped"
    step: str
    rule: str = ""
    why: Text
    next: Text | None = None
    instead: str = ""


Move = Next | Stay | Goto | Stop
