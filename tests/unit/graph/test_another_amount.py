"""Approving another amount: amount and decision are one move."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.library import open_library
from graph.model import Outcome
from tests.unit.graph.builders import (
    KIM,
    RULES,
    SHIPPED,
    SUN,
    TOOLS,
    WANG,
    ZHAO,
    Desk,
    library_with,
    view,
    waits,
    write_library,
)

ASKED = "给 KL-502 补 80 积分，客人包车迟到两小时"
NEEDED = """\
  - id: small
    kind: ask
    when: amount < 60
    fields: [bank_account]
    prompt: {zh: 收款账户, en: Account}

  - id: approval
"""
"""A field that only a small amount needs, before the approval."""


async def other(desk: Desk, waiting: Outcome, amount: str, actor: object = WANG, reason: str = "按手册") -> Outcome:
    """The form, sent."""
    event = desk.event(
        "decision",
        actor,  # type: ignore[arg-type]  # an Actor
        thread=waiting.thread,
        request=view(waiting).waiting,
        verdict="approve",
        values={"amount": amount},
        reason=reason,
    )
    return await desk.advance(event)


async def test_it_is_paid_and_recorded_as_approved(desk: Desk) -> None:
    """By the level that was asked, through this person, with the reason; the record has both amounts."""
    done = await other(desk, await desk.say(ASKED), "55.50")
    assert (view(done).status, view(done).plain["amount"], view(done).plain["approver"]) == ("done", "55.50", "supervisor")
    closed = view(done).requests[0].closed
    assert closed is not None
    assert (closed.ending, closed.answer, closed.reason) == ("approved", "55.50 USD", "按手册")
    assert [each["amount"] for each in await desk.payouts()] == ["55.50"]
    entry = next(each for each in view(done).trail if each.what == "approve")
    assert (entry.by, entry.values, entry.reason) == (WANG.id, {"amount": "55.50"}, "按手册")


async def test_the_very_amount_is_a_plain_approval(desk: Desk) -> None:
    """However it is written."""
    done = await other(desk, await desk.say(ASKED), "80.00 USD")
    assert (view(done).status, view(done).plain["amount"]) == ("done", "80")


@pytest.mark.parametrize(
    ("amount", "reason", "code"),
    [
        ("80.01", "x", "amount"),
        ("0", "x", "amount"),
        ("-1", "x", "amount"),
        ("50 EUR", "x", "amount"),
        ("some", "x", "amount"),
        ("55", " ", "no_reason"),
    ],
)
async def test_what_cannot_be_approved_is_refused(desk: Desk, amount: str, reason: str, code: str) -> None:
    """Should it come past the form: nothing changes, and whoever sent it is told."""
    waiting = await desk.say(ASKED)
    refused = await other(desk, waiting, amount, reason=reason)
    assert [(each.code, each.private) for each in refused.replies] == [(code, True)]
    assert view(refused).waiting == view(waiting).waiting
    assert await desk.payouts() == []


async def test_a_field_that_becomes_necessary_is_asked_before_the_payout(desk: Desk, tmp_path: Path) -> None:
    """The approval stands over the question, and is not asked for again."""
    text = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    desk.engine.library = library_with(tmp_path / "sops", compensation=text.replace("  - id: approval\n", NEEDED))
    asked = await other(desk, await desk.say(ASKED), "55")
    assert waits(asked) == ("ask", "small", ["bank_account"], None)
    assert await desk.payouts() == []
    done = await desk.advance(
        desk.event("answer", request=view(asked).waiting, values={"bank_account": "6222000012345678"})
    )
    assert (view(done).status, view(done).plain["approved_by"]) == ("done", WANG.id)
    assert [each["amount"] for each in await desk.payouts()] == ["55"]


async def test_what_is_corrected_meanwhile_is_asked_again(desk: Desk, tmp_path: Path) -> None:
    """The approval was for other facts: whoever named the amount does not decide on it, another does."""
    text = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    desk.engine.library = library_with(tmp_path / "sops", compensation=text.replace("  - id: approval\n", NEEDED))
    asked = await other(desk, await desk.say(ASKED), "55")
    corrected = await desk.advance(desk.event("correct", values={"reason": "行程取消"}))
    assert waits(corrected)[1] == "small"
    again = await desk.advance(
        desk.event("answer", request=view(asked).waiting, values={"bank_account": "6222000012345678"})
        if view(corrected).waiting == view(asked).waiting
        else desk.event("answer", request=view(corrected).waiting, values={"bank_account": "6222000012345678"})
    )
    assert waits(again) == ("approve", "approval", [], "supervisor")
    assert [each.code for each in (await desk.decide(again)).replies] == ["own_facts"]
    assert view(await desk.decide(again, actor=KIM)).status == "done"


async def test_beyond_the_persons_rank_it_is_asked_of_the_tier(desk: Desk) -> None:
    """With what was paid meanwhile even the smaller amount belongs to the manager."""
    desk.thread = "a"
    one = await desk.say(ASKED.replace("80", "400"))
    desk.thread = "b"
    two = await desk.say(ASKED.replace("80", "400"))
    assert view(await desk.decide(one)).status == "done"
    asked = await other(desk, two, "390", KIM)
    assert waits(asked) == ("approve", "approval", [], "manager")
    request = view(asked).open_request()
    assert request is not None and request.amount == "390.00 USD"
    closed = view(asked).requests[0].closed
    assert closed is not None and (closed.ending, closed.answer) == ("replaced", "390.00 USD")
    assert view(await desk.decide(asked, actor=ZHAO)).status == "done"
    assert sorted(str(each["amount"]) for each in await desk.payouts()) == ["390", "400"]


async def test_a_reason_stands_on_the_question_of_an_approver(desk: Desk) -> None:
    """A question without words, and of somebody who may not decide, is refused; the answer comes with words alone."""
    waiting = await desk.say(ASKED)
    request = view(waiting).waiting
    empty = await desk.advance(desk.event("inquire", WANG, request=request, text=" "))
    assert [each.code for each in empty.replies] == ["no_reason"]
    stranger = await desk.advance(desk.event("inquire", request=request, text="?"))
    assert [each.code for each in stranger.replies] == ["not_listed"]
    asked = await desk.advance(desk.event("inquire", WANG, request=request, text="有照片吗"))
    assert view(asked).waiting == request
    answered = await desk.say("有")
    shown = view(answered).open_request()
    assert shown is not None and shown.id == request
    assert [(each.question, each.answer, each.answered_by) for each in shown.inquiries] == [("有照片吗", "有", "李")]
    assert view(await desk.decide(answered)).status == "done"


@pytest.mark.parametrize("first", [True, False], ids=["first of two", "second of two"])
async def test_where_two_must_approve_the_others_decide_on_any_other_amount(
    desk: Desk, tmp_path: Path, first: bool
) -> None:
    """Also on one that would need nobody had it been asked for: two more people approve it, and stand in the record."""
    directory = write_library(tmp_path / "sops", compensation=(SHIPPED / "compensation.yaml").read_text())
    approvals = (directory / "approvals.yaml").read_text()
    two = approvals.replace("U0KIM]\n    hours", "U0KIM, U0SUN]\n    quorum: 2\n    hours")
    assert two != approvals
    (directory / "approvals.yaml").write_text(two)
    desk.engine.library = open_library(directory, TOOLS, RULES)
    waiting = await desk.say(ASKED)
    if not first:
        waiting = await desk.decide(waiting, actor=SUN)
    named = await other(desk, waiting, "40")
    assert (waits(named), await desk.payouts()) == (("approve", "approval", [], "supervisor"), [])
    assert view(await desk.decide(named)).status == "waiting"
    one = await desk.decide(named, actor=KIM)
    assert (view(one).status, await desk.payouts()) == ("waiting", [])
    done = await desk.decide(one, actor=SUN)
    assert (view(done).status, view(done).plain["approver"]) == ("done", "supervisor")
    assert [each["amount"] for each in await desk.payouts()] == ["40"]


async def test_nobody_changes_an_amount_that_too_few_others_could_approve(desk: Desk, tmp_path: Path) -> None:
    """Two directors must approve and there are two: another amount of one could never be approved. With a third it can, and
    so can one that is the manager's."""
    for people, amount, code in (
        ("U0SUN, U0PAN", "2500", "against"),
        ("U0SUN, U0PAN, U0QIN", "2500", ""),
        ("U0SUN, U0PAN", "1500", ""),
    ):
        directory = write_library(tmp_path / f"{people} {amount}", compensation=(SHIPPED / "compensation.yaml").read_text())
        approvals = (directory / "approvals.yaml").read_text()
        two = approvals.replace("people: [U0SUN]\n    hours", f"people: [{people}]\n    quorum: 2\n    hours", 1)
        assert two != approvals
        (directory / "approvals.yaml").write_text(two)
        desk.engine.library = open_library(directory, TOOLS, RULES)
        desk.thread = f"T1:C1:{people} {amount}"
        waiting = await desk.say(ASKED.replace("80", "3000"))
        named = await other(desk, waiting, amount, actor=SUN)
        shown = view(named).open_request()
        assert shown is not None and shown.level == ("manager" if amount == "1500" else "director")
        assert ([reply.code for reply in named.replies], shown.error) == ([code] if code else [], None)
        assert (shown.id == view(waiting).waiting) == bool(code)


async def test_it_goes_where_approving_leads(desk: Desk, tmp_path: Path) -> None:
    """As an approval of the amount that was asked does, and one that nobody has to give: not on to the next step."""
    shipped = (SHIPPED / "compensation.yaml").read_text()
    past = shipped.replace("    on_reject: ", "    on_approve: {goto: note}\n    on_reject: ", 1)
    assert past != shipped
    desk.engine.library = library_with(tmp_path / "sops", compensation=past)
    asked = await desk.decide(await desk.say(ASKED))
    desk.thread = "T1:C1:other"
    named = await other(desk, await desk.say(ASKED.replace("502", "778")), "70")
    desk.thread = "T1:C1:small"
    small = await desk.say(ASKED.replace("502", "1001").replace("80", "30"))
    assert [await desk.payouts(), waits(named)[:2], waits(small)[:2]] == [[], waits(asked)[:2], waits(asked)[:2]]
