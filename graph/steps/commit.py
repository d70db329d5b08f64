"""The step from an approval to what it lets happen: weighed once more, its amount put at stake, its facts bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph.context import Context
from graph.errors import ApprovalBroken, ThreadBusy
from graph.model import Fact, Goto, Next, Stake, Stakes, TrailEntry
from graph.steps.base import Targets
from graph.steps.tiers import Cumulative, Limited, Weighed, subject_of, weigh, weighed

_TRIES = 20  # others reserve on the same subject at the same moment; each look loses at most once to each of them


async def commit(
    tiers: Sequence[Limited],
    cumulative: Cumulative | None,
    amount: Fact,
    step: str,
    facts: Mapping[str, Fact],
    ctx: Context,
    *,
    covered: Sequence[str],
    level: str,
) -> Weighed | None:
    """Put `amount` at stake, as approved at `level`, if its tier is one of `covered`. None when it is done, else the tier
    that it now belongs to: nothing is done then. What this very event has put at stake before stands. ThreadBusy when
    others reserve all the time."""
    if cumulative is not None:
        # Mostly nothing is at stake beside it, and where something is the reservation is refused.
        alone = weighed(tiers, cumulative, amount, ctx.commits.mine(step), facts, Stakes(), ctx.now)
        if alone.level in covered and await _reserved(cumulative, alone, amount, step, facts, ctx, level):
            return None
    for _ in range(_TRIES):
        found = await weigh(tiers, cumulative, amount, step, facts, ctx)
        stands = any(_same(own, amount, level, ctx) for own in found.own)
        if not stands and found.level not in covered:
            return found
        if cumulative is None or await _reserved(cumulative, found, amount, step, facts, ctx, level):
            return None
    raise ThreadBusy(f"others reserve on the subject of {step!r} all the time")


def _same(own: Stake, amount: Fact, level: str, ctx: Context) -> bool:
    """Whether this very turn, before it broke off, put the same at stake: then it stands, whoever came since."""
    return (own.event, own.level, own.amount, own.currency) == (ctx.event, level, amount.value, amount.currency)


async def _reserved(
    cumulative: Cumulative, weighed: Weighed, amount: Fact, step: str, facts: Mapping[str, Fact], ctx: Context, level: str
) -> bool:
    subject = subject_of(cumulative, facts)
    if subject is None:
        # Without its subject the amount was weighed as the highest; there is nothing to add it to.
        return True
    stake = Stake(
        run=ctx.commits.run,
        step=step,
        pays=ctx.commits.mine(step).pays,
        amount=str(amount.value),
        currency=amount.currency or "",
        at=ctx.now,
        level=level,
        event=ctx.event,
    ).named()
    return await ctx.commits.reserve(cumulative.by, subject, stake, weighed.version, cumulative.seconds)


def onward(on_approve: Targets | None, level: str, move: Next) -> Next | Goto:
    """Where an approval at `level` leads."""
    target = on_approve.of(level) if on_approve else None
    if target is None:
        return move
    return Goto(to=target.goto, drop=[*move.drop, *target.reset], set=move.set, trail=move.trail, closed=move.closed)


def bound(step: str, decision: Next | Goto, facts: Mapping[str, Fact], ctx: Context) -> Next | Goto:
    """The decision of `step`, held to the facts as it leaves them: what is changed after it was not decided."""
    left = {name: fact for name, fact in facts.items() if name not in decision.drop} | decision.set
    ctx.commits.bind(step, left, decision.to if isinstance(decision, Goto) else None)
    return decision


def unapproved(step: str, tool: str, broken: ApprovalBroken, ctx: Context) -> Goto:
    """Not written: what was approved is no longer so, and is asked anew (law 7)."""
    entry = TrailEntry(step=step, what="unbound", at=ctx.now, tool=tool, goto=broken.step, fields=broken.names)
    return Goto(to=broken.step, trail=[entry])
