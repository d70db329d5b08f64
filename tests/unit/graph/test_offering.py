"""Words that ask for nothing clearly: the procedures that come near are offered, and one of them is chosen."""

from __future__ import annotations

from graph.model import Event, Outcome, Reply
from tests.unit.graph.builders import LI, STRANGER, Desk, view

WORDS = "KL-778 客人不满意，请处理"


def press(desk: Desk, reply: Reply, sop: str, *, by: str = "") -> Event:
    """The event of a button of the offer."""
    values = {"sop": sop, "of": reply.values["of"], "by": reply.values["by"]}
    return desk.event("begin", STRANGER if by else LI, text=reply.values["words"], values=values)


def code(outcome: Outcome) -> str:
    """The code of the one reply."""
    [reply] = outcome.replies
    return reply.code


async def test_one_that_was_chosen_begins_with_what_was_said(desk: Desk) -> None:
    """The order that was named is there and not asked for again."""
    [reply] = (await desk.say(WORDS)).replies
    assert reply.code == "not_understood" and "zh.compensation" in reply.values and "zh.practice" not in reply.values
    begun = view(await desk.advance(press(desk, reply, "compensation")))
    assert (begun.sop, begun.order, begun.owner.id) == ("compensation", "KL-778", LI.id)


async def test_it_is_begun_once(desk: Desk) -> None:
    """A second press of the same offer, while that case is open and after it, is answered and begins nothing."""
    [reply] = (await desk.say(WORDS)).replies
    case = view(await desk.advance(press(desk, reply, "compensation"))).case
    again = await desk.advance(press(desk, reply, "refund"))
    assert (code(again), view(again).case) == ("begun_before", case)
    assert view(await desk.say("取消")).status == "cancelled"
    assert code(await desk.advance(press(desk, reply, "refund"))) == "begun_before"


async def test_only_who_said_it_chooses(desk: Desk) -> None:
    """Somebody else's press is refused."""
    [reply] = (await desk.say(WORDS)).replies
    refused = await desk.advance(press(desk, reply, "compensation", by="stranger"))
    assert (code(refused), refused.view) == ("not_asker", None)


async def test_behind_another_case_it_is_asked_where_it_belongs(desk: Desk) -> None:
    """What was offered before another case was opened waits behind that, or has a thread of its own."""
    [reply] = (await desk.say(WORDS)).replies
    case = view(await desk.say("KL-502 补 20 美元，导游迟到")).case
    asked = await desk.advance(press(desk, reply, "refund"))
    assert (code(asked), view(asked).case) == ("another", case)
    values = {name: asked.replies[0].values[name] for name in ("of", "by")}
    queued = await desk.advance(desk.event("queue", text=asked.replies[0].values["request"], values=values))
    assert [(each.sop, each.order) for each in queued.queued] == [("refund", "KL-778")]
    assert code(await desk.advance(press(desk, reply, "refund"))) == "begun_before"


async def test_a_start_by_name_in_an_open_case_is_another_request(desk: Desk) -> None:
    """It neither answers what is asked nor corrects anything."""
    case = view(await desk.say("KL-502 补 20 美元，导游迟到"))
    asked = await desk.say("start refund KL-778")
    assert (code(asked), view(asked).facts) == ("another", case.facts)
