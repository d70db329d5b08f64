"""Whether a person's decision on a request counts, and by whose right. Pure: the one place where this is judged."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from graph.authority.levels import Authority
from graph.model import Actor, Decision, Principal, ReplyCode, Verdict


class Judgement(NamedTuple):
    """Why a decision does not count, empty when it does; then the person by whose right, and all whose right it could
    have been."""

    code: ReplyCode
    by_right_of: Principal | None = None
    could: tuple[str, ...] = ()


def judge(
    authority: Authority,
    level: str,
    actor: Actor,
    barred: Collection[str],
    votes: Sequence[Decision],
    now: datetime,
    verdict: Verdict | None = "approve",
) -> Judgement:
    """Judge a decision at `level`, where `votes` count so far. `barred` may not decide, nor may anybody in their place:
    standing in for somebody gives their right, never more than that. Whoever has approved may still reject, for then the
    money stays."""
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
    could = tuple(right.id for right in free)
    if verdict != "approve":
        return Judgement("", free[0], could)
    if any(vote.by == actor.id for vote in votes):
        return Judgement("voted")
    fit = (right for right in free if not any(_count_once(vote, actor.id, right.id, could) for vote in votes))
    right = next(fit, None)
    return Judgement("", right, could) if right is not None else Judgement("voted_for")


def counting(votes: Sequence[Decision], left_out: Collection[str]) -> list[Decision]:
    """The approvals that count: none of or for somebody who has become barred since, by a hand-over."""
    return [
        each for each in votes if each.verdict == "approve" and each.by not in left_out and each.of not in left_out
    ]


def _count_once(vote: Decision, person: str, of: str, could: Collection[str]) -> bool:
    """Whether a vote and one of `person` by the right of `of` count once together. It is the same in either order: else it
    would depend on who clicks first."""
    theirs, mine = {vote.by, vote.of}, {person, of}
    return bool(theirs & {*mine, *could} or mine & {*theirs, *vote.could})
