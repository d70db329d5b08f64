"""Whoever has approved may decide for something else: then their former vote counts no more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.authority import counting, judge
from graph.model import ANOTHER_AMOUNT, Actor, Decision, ReplyCode
from tests.unit.graph.authority.people import person, principal, three_levels, vote
from tests.unit.graph.builders import START

HELPER = person("HELPER", stands_for=(principal("LOW1"),))
PEOPLE = (
    *(person(each) for each in ("LOW1", "LOW2", "MID")),
    *(HELPER, person("LOW2", stands_for=(principal("LOW1"),)), person("HELPER", stands_for=(principal("MID"),))),
    person("LOW1", stands_for=(principal("LOW2"), principal("MID"))),
)


def clicks(*pairs: tuple[Actor, str]) -> list[Decision]:
    """The votes after these decisions, of which those count that are judged to."""
    votes: list[Decision] = []
    for actor, option in pairs:
        found = judge(three_levels(2), "low", actor, (), counting(votes, ()), START, "approve", option)
        if found.by_right_of is not None:
            votes.append(vote(actor.id, found.by_right_of.id, option, found.could))
    return votes


@pytest.mark.parametrize(
    ("actor", "choice", "code"),
    [
        ("LOW1", "pay", "voted"),
        ("LOW1", "later", ""),
        ("LOW1", ANOTHER_AMOUNT, ""),
        ("LOW1", None, "voted"),
        ("LOW2", "pay", ""),
        ("LOW2", "later", ""),
    ],
)
def test_another_choice_is_taken_and_the_same_refused(actor: str, choice: str | None, code: ReplyCode) -> None:
    """Of the one who has approved; anybody else has not chosen yet."""
    votes = [vote("LOW1", option="pay")]
    assert judge(three_levels(2), "low", person(actor), (), votes, START, "approve", choice).code == code


def test_of_each_person_the_latest_vote_counts() -> None:
    """Changed, and changed back."""
    votes = clicks((person("LOW1"), "pay"), (person("LOW2"), "later"), (person("LOW1"), "later"), (person("LOW1"), "pay"))
    assert len(votes) == 4
    assert {(each.by, each.option) for each in counting(votes, ())} == {("LOW1", "pay"), ("LOW2", "later")}


def test_whoever_is_back_may_change_what_was_chosen_in_their_place() -> None:
    """It is their right that was used; the delegate may not change what they chose themselves."""
    votes = clicks((HELPER, "pay"), (person("LOW1"), "pay"), (person("LOW1"), "later"))
    assert [(each.by, each.option) for each in votes] == [("HELPER", "pay"), ("LOW1", "later")]
    assert [each.by for each in counting(votes, ())] == ["LOW1"]
    assert [each.by for each in clicks((person("LOW1"), "later"), (HELPER, "pay"))] == ["LOW1"]


def test_a_choice_that_was_given_up_does_not_come_back() -> None:
    """Also where the one that took its place counts no more, because the case went to the person it was made for."""
    votes = [vote("LOW2", option="pay"), vote("LOW2", of="LOW1", option="later")]
    assert [each.option for each in counting(votes, ())] == ["later"]
    assert counting(votes, ("LOW1",)) == []


def test_whoever_names_another_amount_has_not_approved_this_one() -> None:
    """Nor do they any more, where they had."""
    assert counting([vote("LOW1"), vote("LOW2"), vote("LOW1", option=ANOTHER_AMOUNT)], ()) == [vote("LOW2")]


@given(st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(["pay", "later"])), max_size=12))
def test_nobody_is_ever_counted_twice(pairs: list[tuple[Actor, str]]) -> None:
    """However people and those who stand in for them click and change: each person is in one vote that counts, neither
    by themselves nor by another, and nobody's vote stands beside one of whoever could act for them."""
    counted = counting(clicks(*pairs), ())
    for number, one in enumerate(counted):
        for other in counted[number + 1 :]:
            assert not {one.by, one.of} & {other.by, other.of, *other.could}
            assert not {other.by, other.of} & {one.by, one.of, *one.could}
