"""Tiers by amount: what the loader does not ask of them."""

from __future__ import annotations

from graph.lint.kinds import Facts, Kind
from graph.lint.report import Report
from graph.sop_file import Vocabulary
from graph.steps import AnySpec, ApproveSpec


def check_tiers(report: Report, step: AnySpec, words: Vocabulary, facts: Facts) -> None:
    """Record an amount that is no money, and a larger amount that a lower level decides."""
    if not isinstance(step, ApproveSpec):
        return
    kind = facts.at(step.amount)
    if isinstance(kind, Kind) and kind.type not in ("", "money"):
        wrong = f"{step.amount!r} is a {kind.type}; tiers go by an amount of money"
        report.add(("amount",), wrong, code="wrong-type", text=step.amount)
    ranks = {"auto": -1} | {name: level.rank for name, level in words.authority.levels.items()}
    highest = None
    for number, tier in enumerate(step.tiers):
        if tier.level not in ranks:
            continue
        if highest is not None and ranks[tier.level] < ranks[highest]:
            wrong = f"a larger amount is decided at {tier.level!r}, below {highest!r}, who decides smaller ones"
            report.add(
                ("tiers", number, "level"), wrong, code="tier-order", text=tier.level, hint="levels rise with amounts"
            )
        else:
            highest = tier.level
