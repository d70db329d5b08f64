"""Whether a person's decision on a request counts, and by whose right. Pure: the one place where this is judged."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from graph.authority.levels import Authority
from graph.model import ANOTHER_AMOUNT, Actor, Decision, Principal, ReplyCode, Verdict


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
    choice: str | None = None,
) -> Judgement:
    """Judge a decision at `level`, where `votes` count so far. `barred` may not decide, nor may anybody in their place:
    standing in for somebody gives their right, never more than that. Whoever has approved may still reject, for then the
    money stays, or decide for something else: for `choice`, an option's id, '' where there are none, ANOTHER_AMOUNT; None
    is whatever they have decided for already."""
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
    same = [vote for vote in votes if choice is None or vote.option == choice]
    if any(vote.by == actor.id for vote in same):
        return Judgement("voted")
    others = [vote for vote in votes if vote in same or not _is_replaced(vote, actor.id)]
    fit = (right for right in free if not any(_count_once(vote, actor.id, right.id, could) for vote in others))
    right = next(fit, None)
    return Judgement("", right, could) if right is not None else Judgement("voted_for")


def counting(votes: Sequence[Decision], left_out: Collection[str]) -> list[Decision]:
    """The approvals that count: of each person the latest, and none of or for somebody who has become barred since, by a
    hand-over."""
    kept: list[Decision] = []
    for each in votes:
        if each.verdict == "approve":
            kept = [*(vote for vote in kept if not _is_replaced(vote, each.by)), each]
    return [each for each in kept if each.option != ANOTHER_AMOUNT and each.by not in left_out and each.of not in left_out]


def _is_replaced(vote: Decision, person: str) -> bool:
    """Whether a vote gives way to a new one of this person: their own, or the one that was given in their place."""
    return person in (vote.by, vote.of)


def _count_once(vote: Decision, person: str, of: str, could: Collection[str]) -> bool:
    """Whether a vote and one of `person` by the right of `of` count once together. It is the same in either order: else it
    would depend on who clicks first."""
    theirs, mine = {vote.by, vote.of}, {person, of}
    return bool(theirs & {*mine, *could} or mine & {*theirs, *vote.could})
