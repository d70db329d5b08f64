"""Who approves, as cards say it: votes, delegates, reminders, and the question after an expiry."""

from __future__ import annotations

import pytest

from blocks import Place, Surroundings, approval_card, confirm_card, delegations_card, deputised_card, reminder_card
from graph.model import Decision, Delegation, Lang, Text
from tests.unit.blocks import views as v
from tests.unit.blocks.reading import header_of, labels, lines, require_sendable

AWAY = Delegation(
    of="U0WANG",
    of_name="王",
    to="U0EMMA",
    to_name="Emma",
    until="2026-12-05T15:59:00+00:00",
    since="",
    levels=("supervisor",),
)


def around(*away: Delegation) -> Surroundings:
    """The usual workspace, with persons named one by one and some of them away."""
    place = Place(
        label=Text(zh="主管", en="supervisor"),
        channel="C0SUP",
        mention="<@U0WANG> <@U0KIM>",
        people=("U0WANG", "U0KIM"),
        away=away,
    )
    return v.AROUND.model_copy(update={"levels": {**v.AROUND.levels, "supervisor": place}})


def vote(name: str, at: str, of: str = "") -> Decision:
    """An approval by this person."""
    by = f"U-{name}"
    return Decision(verdict="approve", by=by, name=name, at=at, event=f"e-{name}", of=of or by, of_name=of)


WANG_VOTED = vote("Wang", "2026-11-30T14:14:00+00:00")
OF_WANG = WANG_VOTED.model_copy(update={"by": "U0EMMA", "of": "U0WANG"})
FOR_BOTH = OF_WANG.model_copy(update={"could": ["U0WANG", "U0KIM"]})
SPLIT = [
    WANG_VOTED.model_copy(update={"by": f"U0{name}", "of": f"U0{name}", "name": name, "option": option})
    for name, option in (("WANG", "pay"), ("KIM", "later"))
]
EMMA_VOTED = vote("Emma", "2026-11-30T14:20:00+00:00", of="Kim")


@pytest.mark.parametrize(
    ("lang", "line"), [("zh", "已批 1/2：Wang 14:14"), ("en", "1 of 2: Wang 14:14")]
)
def test_an_open_card_counts_the_approvals_that_came(lang: Lang, line: str) -> None:
    """With who and when; nothing where one is enough or none counts, as after a hand-over to the one who had approved."""
    view = v.t1_approval(lang, quorum=2, counted=[WANG_VOTED])
    card = approval_card(view, view.requests[0], v.AROUND, lang)
    require_sendable(card)
    assert line in lines(card)
    for given in ({"quorum": 1, "counted": [WANG_VOTED]}, {"quorum": 2}, {"quorum": 2, "votes": [WANG_VOTED]}):
        view = v.t1_approval(lang, **given)
        assert not [each for each in lines(approval_card(view, view.requests[0], v.AROUND, lang)) if "/2" in each]


@pytest.mark.parametrize(("lang", "last"), [("zh", "Wang、王（代Kim） 14:14"), ("en", "Wang, 王 for Kim 14:14")])
def test_a_closed_card_names_all_who_approved(lang: Lang, last: str) -> None:
    """And in whose place."""
    closed = v.ended("approved").model_copy(update={"acting_for": "Kim", "event": EMMA_VOTED.event})
    votes = [WANG_VOTED, EMMA_VOTED]
    view = v.t1_approval(lang, open=False, closed=closed, quorum=2, votes=votes, counted=votes)
    assert lines(approval_card(view, view.requests[0], v.AROUND, lang))[-1] == last


@pytest.mark.parametrize(
    ("lang", "foot"),
    [
        ("zh", "<@U0WANG> <@U0KIM> <@U0EMMA> · 王 不在，Emma 代批到 2026-12-05 15:59 · 18:00 前，过时上报经理"),
        (
            "en",
            "<@U0WANG> <@U0KIM> <@U0EMMA> · 王 is away; Emma stands in until 2026-12-05 15:59 · "
            "due 18:00, then passed to a manager",
        ),
    ],
)
def test_the_foot_says_who_stands_in_and_where_it_goes(lang: Lang, foot: str) -> None:
    """The delegate is called as well; the next level goes before the end."""
    view = v.t1_approval(lang, rises="2026-11-30T18:00:00+00:00", next_level="manager")
    assert foot in lines(approval_card(view, view.requests[0], around(AWAY), lang))[-1]


def test_whoever_stands_in_for_one_who_has_approved_is_not_called() -> None:
    """Their approval would not count, though they are listed themselves."""
    to_kim = AWAY.model_copy(update={"to": "U0KIM", "to_name": "Kim"})
    wang = WANG_VOTED.model_copy(update={"by": "U0WANG", "of": "U0WANG"})
    view = v.t1_approval("zh", quorum=2, counted=[wang])
    foot = lines(approval_card(view, view.requests[0], around(to_kim), "zh"))[-1]
    assert "<@U0KIM>" not in foot


def test_nobody_stands_in_for_whom_may_not_decide() -> None:
    """Neither the one who is barred nor their delegate is called."""
    view = v.t1_approval("zh", barred=["U0WANG"])
    foot = lines(approval_card(view, view.requests[0], around(AWAY), "zh"))[-1]
    assert "<@U0KIM>" in foot
    assert "<@U0EMMA>" not in foot


@pytest.mark.parametrize(
    ("given", "lang", "words"),
    [
        ({"due": "2026-11-30T20:00:00+00:00"}, "zh", "<@U0WANG> <@U0KIM> 提醒：20:00 到期"),
        ({"due": "2026-11-30T20:00:00+00:00"}, "en", "<@U0WANG> <@U0KIM> Reminder: due 20:00"),
        ({"rises": "2026-11-30T18:00:00+00:00"}, "zh", "<@U0WANG> <@U0KIM> 提醒：18:00 上报经理"),
        ({"rises": "2026-11-30T18:00:00+00:00"}, "en", "<@U0WANG> <@U0KIM> Reminder: goes to a manager at 18:00"),
        ({}, "zh", "<@U0WANG> <@U0KIM> 提醒：还等批准"),
        ({"counted": [OF_WANG]}, "zh", "<@U0KIM> 提醒：还等批准"),
        ({"counted": [FOR_BOTH]}, "zh", "提醒：还等批准"),
        ({"counted": SPLIT}, "zh", "<@U0WANG> <@U0KIM> 提醒：还等批准"),
        ({"due": "2026-12-01T13:00:00+00:00"}, "zh", "<@U0WANG> <@U0KIM> 提醒：2026-12-01 13:00 到期"),
        ({"due": "2026-12-01T13:00:00+00:00"}, "en", "<@U0WANG> <@U0KIM> Reminder: due 2026-12-01 13:00"),
        ({"level": "unknown"}, "en", "Reminder: still waiting for a decision"),
    ],
)
def test_a_reminder_calls_those_who_may_decide(given: dict[str, object], lang: Lang, words: str) -> None:
    """But for those who have, themselves or in somebody's place, or whose delegate has; of a split all. And says what comes
    next, with its day where that is another."""
    view = v.t1_approval(lang, **{"due": None, "next_level": "manager"} | given)
    card = reminder_card(view, view.requests[0], around(), lang)
    require_sendable(card)
    assert lines(card) == [words]
    assert "80.00 USD" in card.text


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh", "Emma 2026-11-30 14:20 代你批准 80.00 USD 现金补偿（王女士 KL-778）"),
        ("en", "Emma approved 80.00 USD cash compensation (王女士 KL-778) in your place at 2026-11-30 14:20"),
    ],
)
def test_whoever_is_away_hears_what_was_decided_in_their_place(lang: Lang, words: str) -> None:
    """What, by whom and when, with a link to the card where one is known."""
    view = v.t1_approval(lang)
    card = deputised_card(view, view.requests[0], EMMA_VOTED, v.AROUND, lang)
    require_sendable(card)
    assert lines(card)[0].startswith(f"{words} · <https://")
    rejected = EMMA_VOTED.model_copy(update={"verdict": "reject"})
    bare = lines(deputised_card(view, view.requests[0], rejected, Surroundings(), lang))[0]
    assert ("驳回" if lang == "zh" else "rejected") in bare
    assert "https" not in bare


@pytest.mark.parametrize(
    ("lang", "question", "buttons"),
    [
        ("zh", "80.00 USD 现金补偿 没有人批，已过期，没有付款。再提交一次？", ["再提交*", "更正…"]),
        (
            "en",
            "80.00 USD cash compensation: nobody decided, so it expired unpaid. Submit it again?",
            ["Submit again*", "Correct…"],
        ),
    ],
)
def test_after_an_expiry_the_requester_is_asked(lang: Lang, question: str, buttons: list[str]) -> None:
    """Submit again or correct; cancelling is on the case card."""
    view = v.t1_approval(lang, kind="confirm", error="expired", level=None)
    card = confirm_card(view, view.requests[0], v.AROUND)
    require_sendable(card)
    assert lines(card)[0] == question
    assert labels(card) == buttons


def test_both_sides_of_a_delegation_see_it() -> None:
    """In whose place I decide, and who decides in mine; one known by id alone is mentioned."""
    other = AWAY.model_copy(update={"of": "U0ZHAO", "of_name": "U0ZHAO", "to": "U0WANG"})
    card = delegations_card([AWAY, other], "U0WANG", "en")
    require_sendable(card)
    assert "\n".join(lines(card)).split("\n") == [
        "Emma decides in your place until 2026-12-05 15:59",
        "You decide in the place of <@U0ZHAO> until 2026-12-05 15:59",
    ]


def test_a_passed_card_keeps_its_headline() -> None:
    """It says to which level it went."""
    passed = v.t1_approval("en", open=False, closed=v.ended("passed"))
    assert header_of(approval_card(passed, passed.requests[0], v.AROUND, "en")).startswith("Passed to an approver: ")


@pytest.mark.parametrize(
    ("lang", "due", "last"),
    [
        ("zh", "2026-11-30T21:00:00+00:00", "21:00 前无人处理"),
        ("zh", "2026-12-01T13:00:00+00:00", "2026-12-01 13:00 前无人处理"),
        ("en", "2026-11-30T21:00:00+00:00", "Nobody decided by 21:00"),
        ("en", "2026-12-01T13:00:00+00:00", "Nobody decided by 2026-12-01 13:00"),
    ],
)
def test_an_expired_card_names_the_day_where_it_is_another(lang: Lang, due: str, last: str) -> None:
    """Than that on which it was asked; Slack shows it in words of the reader's own."""
    closed = v.ended("expired").model_copy(update={"at": due})
    view = v.t1_approval(lang, open=False, closed=closed, due=due)
    assert lines(approval_card(view, view.requests[0], v.AROUND, lang))[-1] == last
