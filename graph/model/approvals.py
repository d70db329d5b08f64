"""What belongs to an approval beside its decision: evidence from the handbook, questions, what else is at stake."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from graph.model.facts import Fact, Text
from graph.model.people import Actor


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Passage(_Plain):
    """What the handbook says on the matter: where it stands, and the sentence."""

    source: Text
    quote: Text


class Inquiry(_Plain):
    """A question of an approver to the requester, and the answer once there is one. Times are ISO 8601. `request` is where
    it was put: it goes with the question when that is passed on to the level above."""

    question: str
    by: str
    name: str
    at: str
    answer: str = ""
    answered_by: str = ""
    answered_id: str = ""
    answered_at: str = ""
    request: str = ""


class Beside(_Plain):
    """What an approval adds to its own amount: paid, or approved and not yet paid, for the same subject within the window
    (`days`, rounded up)."""

    others: Fact
    total: Fact
    days: int


class Stake(_Plain):
    """An amount that a step of a run has approved: reserved until it is paid. `event` is the one that approved it, `level`
    who did (`auto` where nobody had to), `receipt` the number under which the back office knows the payout."""

    run: str
    step: str
    amount: str
    currency: str
    at: str
    level: str
    event: str
    paid: bool = False
    receipt: str = ""


class Stakes(_Plain):
    """All stakes of one subject. `version` changes with each of them: what was seen is what counts."""

    version: int = 0
    held: list[Stake] = Field(default_factory=list)


class Reserved(_Plain):
    """Where a run keeps a stake: the subject (`by` and its value), for how many seconds a paid one counts."""

    by: str
    value: str
    keep: int
    stake: Stake


class Grant(_Plain):
    """An approval of another amount than was asked, on its way through the steps that depend on the amount. `bound` are
    the digests of the other facts that were decided on, by name."""

    actor: Actor
    level: str
    amount: Fact
    event: str
    bound: dict[str, str]
