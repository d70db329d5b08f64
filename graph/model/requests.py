"""What a step waits for: a request, with its parts, its votes and its end."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from graph.model.approvals import Beside, Inquiry, Passage
from graph.model.events import Verdict
from graph.model.facts import Fact, Text


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


RequestKind = Literal["ask", "confirm", "approve", "hold", "park", "wait", "drill"]
ProblemCode = Literal[
    "not_found",  # the back office does not know the code
    "negative",
    "zero",
    "range",  # 50 to 80
    "several",  # two candidates; `candidates` holds them
    "currency",  # another currency than the field's; `limit` is the field's
    "too_much",
    "too_little",
    "decimals",
    "pattern",
    "approximate",  # 两百多, about 80
    "too_long",
    "not_a_choice",
    "denied",  # only negated: 不要现金
    "unreadable",
    "now_needed",  # the back office wants it, though it was not asked for before
    "cancelling",  # the answer also says to drop the whole
    "waiting",  # the answer also says not yet, or under a condition
    "beside",  # the answer also names something else, doubts or asks back
]
RouteKind = Literal["gateway", "manual_transfer", "credit"]
ANOTHER_AMOUNT: Final = "another amount"
"""What somebody decides for who names another amount than was asked; no option has this id."""


class Problem(_Plain):
    """Why a field was not taken. `quote` is what was said, `candidates` plain values that can be offered."""

    field: str
    code: ProblemCode
    quote: str = ""
    candidates: list[str] = Field(default_factory=list)
    limit: str = ""


class Route(_Plain):
    """Where a part of the money goes. `account` is sensitive: whole here, masked by whoever shows it."""

    kind: RouteKind
    amount: str
    currency: str
    account: str | None = None


class Option(_Plain):
    """One way to decide that a card offers beside a plain yes and no: its id, the button's label, what it counts as."""

    id: str
    label: Text
    verdict: Verdict = "approve"


class Offered(_Plain):
    """One thing that can be taken: its value, its name, and what is said beside it."""

    value: str
    label: str
    note: str = ""


class Timer(_Plain):
    """A clock of a request: a stable id, and when it is due (ISO 8601)."""

    id: str
    due: str


class Decision(_Plain):
    """What a person decided on a request. `of` is whose right it was: their own, or that of the one they stand in for,
    whom `of_name` then names; `could` are all in whose place they could have decided. `option` is the one they decided
    for, where the card offered several; ANOTHER_AMOUNT where they approved less than was asked."""

    verdict: Verdict
    by: str
    name: str
    at: str
    event: str
    reason: str = ""
    of: str
    of_name: str = ""
    could: list[str] = Field(default_factory=list)
    option: str = ""


class Request(_Plain):
    """What a step waits for, computed once and stored before the pause (law 3).

    `id` is `run/step/n`, our own. `digest` binds a decision to the facts named in `reads` and to the SOP's text (law
    7). `facts` is what was known when it was made, masked: its card shows that for good. `error` is the code of the
    tool for a `hold`. An approval needs `quorum` different persons; `votes` are all that came, also those that count no
    more. `reminded` is when its level was reminded; `beside` is what else is at stake, `policy` what the handbook says,
    `reasons` are offered for a rejection, `inquiries` were put to the requester. `options` are the buttons of a
    decision that has more than a yes and a no. `offers` are the things to take one of, after the `remark`; `without` is
    the label of going on without any.
    """

    id: str
    kind: RequestKind
    step: str
    made_at: str
    missing: list[str] = Field(default_factory=list)
    prompt: Text | None = None
    problems: list[Problem] = Field(default_factory=list)
    level: str | None = None
    amount: Fact | None = None
    digest: str | None = None
    reads: list[str] = Field(default_factory=list)
    routes: list[Route] = Field(default_factory=list)
    facts: dict[str, Fact] = Field(default_factory=dict)
    tool: str | None = None
    error: str | None = None
    timers: list[Timer] = Field(default_factory=list)
    quorum: int = 1
    votes: list[Decision] = Field(default_factory=list)
    reminded: str | None = None
    options: list[Option] = Field(default_factory=list)
    offers: list[Offered] = Field(default_factory=list)
    remark: str = ""
    without: Text | None = None
    beside: Beside | None = None
    policy: Passage | None = None
    reasons: list[Text] = Field(default_factory=list)
    inquiries: list[Inquiry] = Field(default_factory=list)


Ending = Literal["answered", "approved", "rejected", "withdrawn", "replaced", "expired", "passed", "resumed"]


class ClosedRequest(_Plain):
    """A request that no longer waits: how it ended, through whom, and what was answered (plain, masked). `acting_for`
    names the agent of the case where a lead ended it in their place, or the approver for whom a delegate decided."""

    request: Request
    ending: Ending
    by: str
    name: str
    at: str
    event: str
    reason: str = ""
    answer: str = ""
    acting_for: str = ""
