"""Who would decide on an amount: the tier, its people, and what else would count."""

from __future__ import annotations

from collections.abc import Mapping

from graph.authority import Authority
from graph.model import Fact, Mine, Stake, Stakes
from graph.phrases import fact_money
from graph.simulation.lines import Line
from graph.steps import ApproveSpec
from graph.steps.tiers import Weighed, subject_of, weighed


def decides(
    step: ApproveSpec, facts: Mapping[str, Fact], authority: Authority, at_stake: str | None, now: str
) -> Line:
    """The line of an approval: `auto`, who `decides`, or `no_tier` where no amount is known or no tier covers it."""
    amount = facts.get(step.amount)
    known = amount if amount is not None and amount.type == "money" and amount.value is not None else None
    if known is None or known.decimal() <= 0:
        if step.tiers[0].max is not None:
            return Line(step=step.id, what="no_tier", values={"amount": step.amount})
        found = Weighed(step.tiers[0].level)
    else:
        found = _weighed(step, known, facts, at_stake, now)
    shown = fact_money(known) if known is not None else ""
    if found.level is None:
        return Line(step=step.id, what="no_tier", values={"amount": shown}, amount=shown)
    beside = f"{fact_money(found.beside.others)} → {fact_money(found.beside.total)}" if found.beside else ""
    if found.level == "auto":
        return Line(step=step.id, what="auto", level="auto", amount=shown, beside=beside, values={"amount": shown})
    level = authority.levels.get(found.level)
    people = (*(level.people if level else ()), *(f"@{each}" for each in (level.groups if level else ())))
    quorum = authority.quorum(found.level)
    return Line(
        step=step.id,
        what="decides",
        level=found.level,
        people=people,
        channel=level.channel if level else "",
        quorum=quorum,
        amount=shown,
        beside=beside,
        values={
            "level": level.label if level else found.level,
            "amount": shown,
            "people": ", ".join(people) or "-",
            "channel": level.channel if level else "-",
            "quorum": str(quorum),
        },
    )


def _weighed(
    step: ApproveSpec, amount: Fact, facts: Mapping[str, Fact], at_stake: str | None, now: str
) -> Weighed:
    held = []
    if at_stake is not None and step.cumulative is not None and subject_of(step.cumulative, facts):
        held.append(
            Stake(run="earlier", step=step.id, amount=at_stake, currency=amount.currency or "", at=now, level="", event="")
        )
    return weighed(step.tiers, step.cumulative, amount, Mine("this", step.id, ""), facts, Stakes(held=held), now)
