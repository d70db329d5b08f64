"""Who may decide what: identity, level, own request, delegate and quorum, each with each, against a table by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

import pytest

from graph.authority import judge
from graph.model import Actor, Decision, ReplyCode, Verdict
from tests.unit.graph.authority.people import person, principal, three_levels, vote
from tests.unit.graph.builders import START

LEVELS = ("low", "mid", "high", "unknown")
PEOPLE = {
    # who: the person, and the levels they decide at by their own right
    "nobody": (person("NOBODY"), ()),
    "of another group": (person("NOBODY", "SELSE"), ()),
    "low": (person("LOW1"), ("low",)),
    "low by group": (person("INLOW", "SLOW"), ("low",)),
    "mid": (person("MID"), ("low", "mid")),
    "mid by group": (person("INMID", "SELSE", "SMID"), ("low", "mid")),
    "high": (person("HIGH"), ("low", "mid", "high")),
    "low of another team": (person("LOW1", foreign=True), ()),
    "high of another team": (person("HIGH", "SMID", foreign=True), ()),
}
AWAY = {
    # whom they stand in for: and the levels that this gives
    "nobody": (None, ()),
    "one without right": (principal("NOBODY2"), ()),
    "low": (principal("LOW2"), ("low",)),
    "mid": (principal("MID2", "SMID"), ("low", "mid")),
    "high": (principal("HIGH"), ("low", "mid", "high")),
    "high, for the middle level's list alone": (principal("HIGH", levels=("mid",)), ()),
}
BARRED = ("nobody", "the person", "whom they stand in for", "both")
VERDICTS: tuple[Verdict, ...] = ("approve", "reject")
VOTED = ("nobody", "another", "the person", "whom they stand in for", "by the person for them")


class Row(NamedTuple):
    """One cell of the matrix, and what it must come to."""

    said: str
    actor: Actor
    level: str
    barred: frozenset[str]
    voted: str
    away: str
    verdict: Verdict
    code: ReplyCode


def rows() -> Iterator[Row]:
    """The whole matrix. The expectation is worked out from the two tables above, not from the code."""
    for who, away, level, barred, voted, verdict in product(PEOPLE, AWAY, LEVELS, BARRED, VOTED, VERDICTS):
        (actor, own), (absent, lent) = PEOPLE[who], AWAY[away]
        if absent is not None and absent.id == actor.id:
            continue
        if absent is not None:
            actor = actor.model_copy(update={"stands_for": (absent,)})
        me, them = actor.id, absent.id if absent else "-"
        out = {"nobody": (), "the person": (me,), "whom they stand in for": (them,), "both": (me, them)}[barred]
        told = (who, away, level, barred, voted, verdict)
        code = expected(actor.foreign, level in own, level in lent, me in out, them in out, voted, verdict)
        yield Row(" · ".join(told), actor, level, frozenset(out), voted, them, verdict, code)


def expected(
    foreign: bool, own: bool, lent: bool, barred: bool, they_barred: bool, voted: str, verdict: str
) -> ReplyCode:
    """What the rules say, one sentence each."""
    if foreign:
        return "foreign"  # nobody of another team, whatever else
    if not own and not lent:
        return "not_listed"  # no right of their own and none lent
    if barred:
        return "own_facts"  # whose facts these are decides by no right at all
    if not own and they_barred:
        return "own_facts_of"  # a lent right is no better than its owner's
    if verdict == "reject" or voted in ("nobody", "another"):
        return ""  # one rejection ends it; a first approval counts
    if voted in ("the person", "by the person for them"):
        return "voted"  # a second approval of the same person
    return "voted_for" if lent and not they_barred else ""  # a person and whoever stands in for them count once


def test_the_whole_matrix() -> None:
    """No wrong accept and no wrong refusal, and every answer that a decision can get occurs."""
    authority, seen, count = three_levels(), set[str](), 0
    for row in rows():
        votes = {
            "nobody": [],
            "another": [vote("OTHER")],
            "the person": [vote(row.actor.id)],
            "whom they stand in for": [vote(row.away)],
            "by the person for them": [vote(row.actor.id, of=row.away)],
        }[row.voted]
        found = judge(authority, row.level, row.actor, row.barred, votes, START, row.verdict)
        assert found.code == row.code, row.said
        assert (found.by_right_of is not None) == (row.code == ""), row.said
        if found.by_right_of is not None:
            assert found.by_right_of.id in {row.actor.id, row.away} - row.barred, row.said
        seen.add(found.code)
        count += 1
    assert count > 7000
    assert seen == {"", "foreign", "not_listed", "own_facts", "own_facts_of", "voted", "voted_for"}


@pytest.mark.parametrize("quorum", [1, 2, 3])
def test_a_quorum_is_of_different_persons_and_different_rights(quorum: int) -> None:
    """Whoever clicks first, a person and those who stand in for them count once together; the others count each."""
    authority = three_levels(quorum)
    low1, low2, mid = person("LOW1"), person("LOW2"), person("MID")
    helper = person("HELPER", stands_for=(principal("LOW1"),))
    both = person("LOW2", stands_for=(principal("LOW1"),))
    for_both = person("HELPER", stands_for=(principal("LOW1"), principal("LOW2")))
    lent = person("LOW1", stands_for=(principal("MID"),))
    also = person("MID", stands_for=(principal("LOW1"),))
    for clicked, most in (
        ((low1, low1, low1), 1),
        ((low1, low2), 2),
        ((low1, helper), 1),
        ((low1, both), 1),
        ((low1, helper, mid), 2),
        ((helper, both), 1),
        ((helper, low2, mid), 3),
        ((low1, for_both), 1),
        ((helper, lent), 1),
        ((both, also), 2),  # whom both could stand in for has not approved
    ):
        for order in permutations(clicked):
            votes: list[Decision] = []
            for actor in order:
                found = judge(authority, "low", actor, (), votes, START)
                if found.by_right_of is not None:
                    votes.append(vote(actor.id, found.by_right_of.id, could=found.could))
            assert len(votes) == most, [each.id for each in order]
            assert len({each.of for each in votes}) == len({each.by for each in votes}) == most


def test_a_delegate_of_two_acts_for_the_one_who_is_free() -> None:
    """Somebody else could have stood in for the first of them, but did not; for the second nobody could."""
    votes = [vote("MID", could=("LOW1",))]
    helper = person("HELPER", stands_for=(principal("LOW1"), principal("LOW2")))
    found = judge(three_levels(2), "low", helper, (), votes, START)
    assert found.by_right_of is not None and found.by_right_of.id == "LOW2"


def test_whom_a_barred_person_could_have_sent_is_not_held_back() -> None:
    """Nobody can decide in the place of somebody barred: two who stand in for them both count."""
    votes = [vote("MID")]
    other = person("LOW2", stands_for=(principal("MID"),))
    assert judge(three_levels(2), "low", other, ("MID",), votes, START).code == ""
    assert judge(three_levels(2), "low", other, (), votes, START).code == "voted_for"
