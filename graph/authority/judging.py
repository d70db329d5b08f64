"""Whether a person's decision on a request counts, and by whose right. Pure: the one place where this is judged."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from graph.authority.levels import Authority
from graph.model import Actor, Decision, Principal, ReplyCode, Verdict


class Judgement(NamedTuple):
    """Why a decision does not count, empty when it does; and then the person by whose right."""

    code: ReplyCode
    by_right_of: Principal | None = None


def judge(
    authority: Authority,
    level: str,
    actor: Actor,
    barred: Collection[str],
    votes: Sequence[Decision],
    now: datetime,
    verdict: Verdict | None = "approve",
) -> Judgement:
    """Judge a decision at `level`. `barred` may not decide, nor may anybody in their place: standing in for somebody gives
    their right, never more than that. Whoever has approved may still reject, for then the money stays."""
    if actor.foreign:
        return Judgement("foreign")
    rights = authority.rights(level, actor, now)
    if not rights:
        return Judgement("not_listed")
    if actor.id in barred:
        return Judgement("own_facts")
    free = [right for right in rights if right.id not in barred]
    if not free:
        return Judgement("own_facts_of")
    if verdict != "approve":
        return Judgement("", free[0])
    if any(vote.by == actor.id for vote in votes):
        return Judgement("voted")
    used = {person for vote in votes for person in (vote.of, vote.by)}
    unused = [right for right in free if right.id not in used]
    return Judgement("", unused[0]) if unused else Judgement("voted_for")
