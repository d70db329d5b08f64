"""What belongs to an approval beside its decision: evidence from the handbook, questions, what else is at stake."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

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
    who did (`auto` where nobody had to), `receipt` the number under which the back office knows the payout. `pays` names
    the payment: all stakes of the same one count once. `key` is the part of its name that tells it from the others of the
    run: each decision has a stake of its own, so that one which is given up leaves the one before it as it was."""

    run: str
    step: str
    amount: str
    currency: str
    at: str
    level: str
    event: str
    paid: bool = False
    receipt: str = ""
    pays: str = ""
    key: str = ""

    @property
    def name(self) -> str:
        """Under what it is kept. One that an older version put there has its payment or its step alone."""
        return f"{self.run}|{self.key or self.pays or self.step}"

    @property
    def payment(self) -> tuple[str, str]:
        """What it is for: the run, and its payment."""
        return self.run, self.pays or self.step

    def named(self) -> Stake:
        """The same under a name of its own."""
        words = "\x1f".join((self.pays, self.step, self.event, self.level, self.amount, self.currency))
        return self.model_copy(update={"key": hashlib.sha256(words.encode()).hexdigest()[:12]})


class Mine(NamedTuple):
    """What an approval in step `step` of `run` lets happen: the payment `pays`."""

    run: str
    step: str
    pays: str

    def covers(self, stake: Stake) -> bool:
        """Whether that stake is for the same payment, whichever approval put it there."""
        same = stake.pays == self.pays if stake.pays else stake.step == self.step and not stake.paid
        return stake.run == self.run and same

    def owns(self, stake: Stake) -> bool:
        """Whether this approval takes the place of that stake."""
        return self.covers(stake) and stake.step == self.step


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
