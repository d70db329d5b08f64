"""The keys of an `approve` step: its tiers, their clocks, and where decisions lead."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from graph.authority import Stretch
from graph.steps.base import ByCode, StepSpec, Targets, Transition, Words
from graph.steps.options import OptionSpec
from graph.steps.tiers import Cumulative


class Tier(BaseModel):
    """Amounts up to `max` (in the amount's own currency; without `max`, all) are decided at `level`.

    The clocks count from when the request is made, in the working hours of the level: remind it, pass the request on to
    the level above, let it expire. `expire_after` goes on counting when the request is passed on.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    max: Decimal | None = Field(default=None, gt=0)
    level: str
    remind_after: Stretch | None = None
    escalate_after: Stretch | None = None
    expire_after: Stretch | None = None

    @property
    def clocks(self) -> dict[str, Stretch]:
        """Its clocks by key, in the order in which they go off."""
        given = {
            "remind_after": self.remind_after,
            "escalate_after": self.escalate_after,
            "expire_after": self.expire_after,
        }
        return {key: span for key, span in given.items() if span is not None}



class ApproveSpec(StepSpec):
    """`tiers` in rising order; `amount` names the fact they look at, `cumulative` says what counts beside it. `separate`:
    whoever set a fact does not decide; without it, only whoever opened the case does not. `on_expire`: `ask` whether to
    submit again, `stop`, or a target. `reasons` are offered to whoever rejects."""

    kind: Literal["approve"]
    tiers: tuple[Tier, ...] = Field(min_length=1)
    on_reject: Targets | None = None
    on_approve: Targets | None = None
    on_expire: Literal["ask", "stop"] | Targets = "ask"
    amount: str = "amount"
    separate: bool = True
    options: tuple[OptionSpec, ...] = Field(
        default=(), description="ways to decide beside yes and no; each needs a remark"
    )
    cumulative: Cumulative | None = None
    reasons: tuple[Words, ...] = ()

    def own_reads(self) -> tuple[str, ...]:
        """The amount, what it is added up by, and what the options' conditions look at."""
        seen = (name for _, each in self.transitions() for name in each.names())
        return tuple(dict.fromkeys((*self.weighs(), *seen)))

    def weighs(self) -> tuple[str, ...]:
        """The amount, and what it is added up by: what the tier goes by."""
        return (self.amount,) if self.cumulative is None else (self.amount, self.cumulative.by)

    def needs(self) -> tuple[str, ...]:
        """The amount."""
        return (self.amount,)

    def passes(self) -> bool:
        """Unless every decision leads elsewhere; the tier without a person never does."""
        decided = [tier.level for tier in self.tiers if tier.level != "auto"]
        ways = self.on_approve
        return len(decided) < len(self.tiers) or ways is None or any(ways.of(level) is None for level in decided)

    def unattended(self) -> bool:
        """Where there is a tier without a person."""
        return any(tier.level == "auto" for tier in self.tiers)

    def writes(self) -> tuple[str, ...]:
        """Who approved, and what the options make known."""
        return tuple(dict.fromkeys(("approver", "approved_by", *(name for each in self.options for name in each.set))))

    def transitions(self) -> tuple[tuple[tuple[str | int, ...], Transition], ...]:
        """Where the options lead."""
        return tuple(
            (("options", index, "on", number), way)
            for index, each in enumerate(self.options)
            for number, way in enumerate(each.on)
        )

    def targets(self) -> dict[str, ByCode]:
        """Where decisions lead, and an expiry."""
        given = {"on_reject": self.on_reject, "on_approve": self.on_approve, "on_expire": self.on_expire}
        return {key: value for key, value in given.items() if isinstance(value, ByCode)}

    def clocks_of(self, level: str) -> Tier | None:
        """The first tier of `level` that has clocks."""
        return next((tier for tier in self.tiers if tier.level == level and tier.clocks), None)
