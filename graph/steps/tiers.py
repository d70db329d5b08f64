"""Tiers: who decides on how much, and what counts into that amount beside the request's own (item 2 of approvals)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, NamedTuple, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict

from graph.context import Context
from graph.fields import canonical_money
from graph.model import Beside, Fact, Mine, Stake, Stakes

_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


class Limited(Protocol):
    """A tier: amounts up to `max` (without one, all) are decided at `level`."""

    @property
    def max(self) -> Decimal | None: ...
    @property
    def level(self) -> str: ...


def _window(given: object) -> object:
    if isinstance(given, timedelta):
        return given
    found = re.fullmatch(r"([1-9]\d{0,3})([hdw])", str(given))
    if found is None:
        raise ValueError(f"{given!r} is no length of time; write a whole number with h, d or w, such as 30d")
    return int(found[1]) * _UNITS[found[2]]


class Cumulative(BaseModel):
    """What else counts: the amounts that were approved with the same value of the fact `by`, for as long as they are not
    paid, and for `within` once they are. `paid` is the path of a list of what the back office has paid beside: records with
    `amount`, `at` (ISO 8601) and `no`, by which a payout of ours is not counted twice."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: str
    within: Annotated[timedelta, BeforeValidator(_window)]
    paid: str | None = None

    @property
    def seconds(self) -> int:
        """The window in seconds."""
        return int(self.within.total_seconds())


class Weighed(NamedTuple):
    """Who decides on an amount with what else is at stake. `level` is None where no tier covers it. `version` and `own`
    (what the same approval has put there before) are of the stakes that were looked at."""

    level: str | None
    beside: Beside | None = None
    version: int = 0
    own: Sequence[Stake] = ()


def level_for(tiers: Sequence[Limited], amount: Decimal) -> str | None:
    """The level of the first tier whose limit covers the amount."""
    return next((each.level for each in tiers if each.max is None or amount <= each.max), None)


async def weigh(
    tiers: Sequence[Limited],
    cumulative: Cumulative | None,
    amount: Fact,
    step: str,
    facts: Mapping[str, Fact],
    ctx: Context,
) -> Weighed:
    """Find the tier. A sum that cannot be made, because the subject is unknown or a part is in another currency, belongs to
    the last tier (law 8)."""
    subject = subject_of(cumulative, facts) if cumulative is not None else None
    stakes = await ctx.commits.look(cumulative.by, subject) if cumulative is not None and subject is not None else Stakes()
    return weighed(tiers, cumulative, amount, ctx.commits.mine(step), facts, stakes, ctx.now)


def weighed(
    tiers: Sequence[Limited],
    cumulative: Cumulative | None,
    amount: Fact,
    mine: Mine,
    facts: Mapping[str, Fact],
    stakes: Stakes,
    now: str,
) -> Weighed:
    """The tier, with these stakes of the subject beside the amount that is `mine`."""
    if cumulative is None:
        return Weighed(level_for(tiers, amount.decimal()))
    if subject_of(cumulative, facts) is None:
        return Weighed(tiers[-1].level)
    own = [each for each in stakes.held if mine.owns(each)]
    others = _others(cumulative, stakes, amount, facts, mine, now)
    if others is None:
        return Weighed(tiers[-1].level, None, stakes.version, own)
    total = amount.decimal() + others
    beside = None
    if others:
        beside = Beside(
            others=_money(others, amount), total=_money(total, amount), days=-(-cumulative.within // timedelta(days=1))
        )
    return Weighed(level_for(tiers, total), beside, stakes.version, own)


def subject_of(cumulative: Cumulative, facts: Mapping[str, Fact]) -> str | None:
    """The value by which amounts are added up; None while it is not known."""
    fact = facts.get(cumulative.by)
    return None if fact is None or fact.value in (None, "") else str(fact.value)


def _others(
    cumulative: Cumulative, stakes: Stakes, amount: Fact, facts: Mapping[str, Fact], mine: Mine, now: str
) -> Decimal | None:
    """What is at stake beside `mine`; None when a part is in another currency or the back office's list lacks."""
    since = datetime.fromisoformat(now) - cumulative.within
    parts: list[tuple[str, str | None]] = []
    payments: dict[tuple[str, str], list[Stake]] = {}
    for stake in stakes.held:
        if not mine.covers(stake) and (not stake.paid or datetime.fromisoformat(stake.at) >= since):
            payments.setdefault(stake.payment, []).append(stake)
    for same in payments.values():
        if len({stake.currency for stake in same}) > 1:
            return None
        most = max(same, key=lambda stake: Decimal(stake.amount))
        parts.append((most.amount, most.currency))
    if cumulative.paid is not None:
        listed = _listed(cumulative.paid, facts)
        if listed is None:
            return None
        known = {stake.receipt for stake in stakes.held if stake.receipt}
        for record in listed:
            no, paid, at = record.at_path("no"), record.at_path("amount"), record.at_path("at")
            if paid is None or at is None:
                return None
            if (no is None or no.value not in known) and datetime.fromisoformat(str(at.value)) >= since:
                parts.append((str(paid.value), paid.currency))
    if any(currency != amount.currency for _, currency in parts):
        return None
    return sum((Decimal(value) for value, _ in parts), Decimal(0))


def _listed(path: str, facts: Mapping[str, Fact]) -> list[Fact] | None:
    name, _, rest = path.partition(".")
    fact = facts.get(name)
    found = fact.at_path(rest) if fact is not None and rest else fact
    return found.value if found is not None and isinstance(found.value, list) else None


def _money(value: Decimal, like: Fact) -> Fact:
    return Fact(type="money", value=canonical_money(value), currency=like.currency)
