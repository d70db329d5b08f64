"""What an outcome shows."""

from __future__ import annotations

from bot.notice import Notice
from bot.notices import Shown, notices
from graph.model import Actor, Outcome, Reply, ResultView, RunView
from tests.unit.bot.scripted_desk import approval, ask, case, closed

WANG = Actor(id="U0WANG", name="王")


def shown(view: RunView | None, *replies: Reply) -> list[Notice]:
    """The notices of an event that led to this view."""
    return notices(Outcome(thread="T0LOCAL:C0DESK:1.1", event="click:C0SUP::t1", view=view, replies=list(replies)))


def test_the_same_state_gives_the_same_notices() -> None:
    """Ids and fingerprints of two projections of one state are equal, whatever event led there."""
    view = case(closed(ask(), "answered", WANG), approval())
    one = shown(view)
    two = notices(Outcome(thread=view.thread, event="another", view=view))
    assert [(notice.id, notice.digest) for notice in one] == [(notice.id, notice.digest) for notice in two]
    assert [notice.id for notice in one] == ["C-1/card", "C-1/ask/1", "C-1/approve/1"]


def test_an_approval_goes_to_its_level() -> None:
    """Only the approval leaves the thread."""
    places = {notice.id: (notice.place, notice.to) for notice in shown(case(closed(ask(), "answered", WANG), approval()))}
    assert places["C-1/approve/1"] == ("level", "supervisor")
    assert places["C-1/ask/1"] == places["C-1/card"] == ("thread", "T0LOCAL:C0DESK:1.1")


def test_a_rejection_is_told_in_the_thread() -> None:
    """The card is edited, which pings nobody, so the thread gets a line of its own; an approval gives none."""
    rejected = shown(case(closed(approval(), "rejected", WANG, reason="超额")))
    assert [notice.id for notice in rejected] == ["C-1/card", "C-1/approve/1", "C-1/approve/1/rejected"]
    assert rejected[-1].place == "thread"
    approved = shown(case(closed(approval(), "approved", WANG)))
    assert [notice.id for notice in approved] == ["C-1/card", "C-1/approve/1"]


def test_a_closed_request_is_an_edit_of_its_card() -> None:
    """Closing a request changes the fingerprint under the same id."""
    before, after = shown(case(ask())), shown(case(closed(ask(), "answered", WANG)))
    assert [notice.id for notice in before] == [notice.id for notice in after]
    assert before[1].digest != after[1].digest


def test_what_no_card_of_a_request_shows_does_not_edit_it() -> None:
    """A longer trail or another time of change leaves a closed request's card as it is."""
    old = closed(ask(), "answered", WANG)
    one = shown(case(old, approval()))
    two = shown(case(old, approval(), trail=[], updated_at="2026-03-01T07:00:00+00:00", facts=[]))
    assert one[1].digest == two[1].digest


def test_a_run_that_is_over_has_a_result() -> None:
    """The result comes once the run is done."""
    view = case(closed(approval(), "approved", WANG), status="done", result=ResultView(summary="ok"))
    assert shown(view)[-1].id == "C-1/result"


def test_replies_have_the_events_id() -> None:
    """A private reply goes to the person, an open one to the thread; neither is ever edited."""
    private = Reply(kind="refused", to="U0KIM", private=True, code="not_listed")
    found = shown(case(approval()), private, Reply(kind="help", to="U0LI"))
    assert [(notice.id, notice.place, notice.to, notice.once) for notice in found[-2:]] == [
        ("click:C0SUP::t1/0", "user", "U0KIM", True),
        ("click:C0SUP::t1/1", "thread", "T0LOCAL:C0DESK:1.1", True),
    ]


def test_what_a_turn_has_to_say_that_was_finished_before_is_shown_first() -> None:
    """Each notice once: of what both outcomes show, as the later one has it."""
    reply = Reply(kind="note", to="U0LI")
    paid = case(closed(approval(), "approved", WANG), status="done", result=ResultView(summary="ok"))
    first = Outcome(thread=paid.thread, event="e1", view=paid, replies=[reply])
    other = case(ask()).model_copy(update={"case": "C-2"})
    elsewhere = notices(Outcome(thread=paid.thread, event="e2", view=other, replies=[reply]).after(first))
    assert [each.id for each in elsewhere] == [
        *("C-1/card", "C-1/approve/1", "C-1/result", "e1/0"),
        *("C-2/card", "C-1/ask/1", "e2/0"),
    ]
    before = Outcome(thread=paid.thread, event="e1", view=case(approval()), replies=[reply])
    then = Outcome(thread=paid.thread, event="e2", view=paid, replies=[reply])
    assert notices(then.after(before)) == [*notices(before)[2:], *notices(then)]


def test_a_question_without_a_case_shows_only_its_answer() -> None:
    """No case card where there is no case, or where a run only answered a question."""
    reply = Reply(kind="policy", to="U0LI")
    assert [notice.kind for notice in shown(None, reply)] == ["reply"]
    assert [notice.kind for notice in shown(case(status="answered"), reply)] == ["reply"]


def test_facts_and_trail_keep_what_they_show() -> None:
    """A reply that shows the trail carries it; the case card does not."""
    [card, reply] = shown(case(status="working"), Reply(kind="trail", to="U0LI"))
    trails = [(view.trail if (view := Shown.model_validate(each.payload).view) else None) for each in (card, reply)]
    assert trails[0] == []
    assert trails[1]
