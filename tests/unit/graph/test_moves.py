"""Moves in the middle of a case, by words: they are recognised at any pause, and the case goes on where it was."""

from __future__ import annotations

import pytest

from graph.model import Outcome
from tests.unit.graph.builders import ACCOUNT, KIM, LI, STRANGER, T1, WANG, ZHOU, Desk, plain, view, waits
from tests.unit.graph.test_runner_people import code

ASKED = "给 KL-778 补 80 美元，商户漏发接送"


@pytest.fixture
def desk(shared_desk: Desk) -> Desk:
    """These tests share one."""
    return shared_desk


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ("金额改成 50", "amount", "50"),
        ("change the amount to 50", "amount", "50"),
        ("不是 778 是 502", "order_id", "KL-502"),
        ("原因改成导游迟到", "reason", "导游迟到"),
    ],
)
async def test_a_field_is_corrected_while_another_is_asked(desk: Desk, said: str, field: str, value: str) -> None:
    """The question that waits is put again, and its answer ends the case with the new value."""
    asked = await desk.say(ASKED)
    corrected = await desk.say(said)
    assert (waits(corrected), plain(corrected)[field]) == (waits(asked), value)
    assert view(corrected).facts[[fact.name for fact in view(corrected).facts].index(field)].quote in said
    assert plain(await desk.say("积分"))[field] == value


async def test_an_answer_and_a_correction_in_one_sentence(desk: Desk) -> None:
    """Both are taken."""
    await desk.say(ASKED)
    done = await desk.say("积分，金额改成 50")
    assert (view(done).status, plain(done)["amount"], plain(done)["comp_type"]) == ("done", "50", "credit")


async def test_a_correction_while_an_approval_waits_withdraws_its_card(desk: Desk) -> None:
    """And a click on the old card is told what changed."""
    await desk.say(T1)
    old = await desk.say(ACCOUNT)
    new = await desk.say("金额改成 90")
    closed = next(each.closed for each in view(new).requests if each.id == view(old).waiting)
    assert closed is not None and (closed.ending, plain(new)["amount"]) == ("replaced", "90")
    assert code(await desk.decide(old)) == "changed"


@pytest.mark.parametrize("said", ["金额改成 90", "不是 80 是 90", "cancel", "算了"])
async def test_after_the_payout_it_is_refused(desk: Desk, said: str) -> None:
    """And the lead is named as the one to ask."""
    await desk.say(T1)
    done = await desk.decide(await desk.say(ACCOUNT))
    late = await desk.say(said)
    assert (code(late), view(late)) == ("already_paid", view(done))


async def test_a_value_that_cannot_be_taken_is_refused_with_the_reason(desk: Desk) -> None:
    """The request waits on."""
    await desk.say(T1)
    waiting = await desk.say(ACCOUNT)
    late = await desk.say("金额改成 200 欧元")
    assert (code(late), view(late)) == ("field", view(waiting))


async def test_a_case_is_handed_over_by_words(desk: Desk) -> None:
    """To whoever is mentioned; where nobody is, that is asked."""
    waiting = await desk.say(ASKED)
    assert code(await desk.say("转交给同事")) == "to_whom"
    handed = await desk.advance(desk.event("message", LI, text="转给 @Kim", mentioned=[KIM]))
    assert (view(handed).owner, waits(handed)) == (KIM, waits(waiting))


WHYS = [(ASKED, [], "后面要用到方式"), (T1, [], "后面要用到"), (T1, [ACCOUNT], "80.00 USD 按流程要过")]


@pytest.mark.parametrize(("first", "then", "words"), WHYS)
async def test_why_is_answered_where_the_file_gives_no_reason(
    desk: Desk, first: str, then: list[str], words: str
) -> None:
    """From what later steps use it for; in both languages, and the case waits as before."""
    waiting = await desk.say(first)
    for said in then:
        waiting = await desk.say(said)
    for said in ("为什么要问这个", "why do you ask?"):
        told = await desk.say(said)
        [reply] = told.replies
        assert reply.code == "why" and reply.text is not None
        assert words in reply.text.zh and not any("一" <= sign <= "鿿" for sign in reply.text.en)
        assert view(told) == view(waiting)


@pytest.mark.parametrize("said", ["转给 @王", "为什么", "这单怎么处理？", "金额改成 60", "算了", "我看一下", "好的"])
async def test_people_talk_in_a_thread(desk: Desk, said: str) -> None:
    """What somebody else says there without naming the bot is neither used nor answered."""
    waiting = await desk.say(ASKED)
    heard = await desk.advance(desk.event("message", STRANGER, text=said, addressed=False))
    assert (heard.replies, view(heard)) == ([], view(waiting))


async def test_an_answer_of_somebody_else_is_refused(desk: Desk) -> None:
    """So is whatever names the bot; a lead's words count."""
    await desk.say(ASKED)
    other = await desk.advance(desk.event("message", STRANGER, text="积分", addressed=False))
    assert code(other) == "not_yours"
    named = await desk.advance(desk.event("message", STRANGER, text="金额改成 60"))
    assert code(named) == "not_yours"
    lead = await desk.advance(desk.event("message", ZHOU, text="金额改成 60", addressed=False))
    assert plain(lead)["amount"] == "60"


async def test_words_of_an_approver_that_decide_are_sent_to_the_buttons(desk: Desk) -> None:
    """Other words of theirs are none of the bot's business, unless it is named."""
    await desk.say(T1)
    await desk.say(ACCOUNT)
    talk = desk.event("message", WANG, text="商户那边核实过吗", addressed=False)
    assert (await desk.advance(talk)).replies == []
    decides = desk.event("message", WANG, text="同意", addressed=False)
    assert code(await desk.advance(decides)) == "press_button"


def answered_in(outcome: Outcome) -> str:
    """The language that the outcome speaks."""
    return view(outcome).lang


async def test_both_languages_in_one_thread(desk: Desk) -> None:
    """Whatever language a later sentence has, it counts, and the bot goes on in that of the first."""
    asked = await desk.say("给 KL-778 补 80 美元，商户漏发接送")
    corrected = await desk.say("change the amount to 40")
    asked_why = await desk.say("why")
    done = await desk.say("credit")
    assert [answered_in(each) for each in (asked, corrected, asked_why, done)] == ["zh"] * 4
    assert (view(done).status, plain(done)["amount"], plain(done)["comp_type"]) == ("done", "40", "credit")
    desk.thread = "english"
    english = await desk.say("$20 for KL-778, the merchant missed the pickup", actor=KIM)
    mixed = await desk.say("金额改成 30", actor=KIM)
    assert [answered_in(each) for each in (english, mixed)] == ["en", "en"]
    assert plain(mixed)["amount"] == "30"
