"""Requests behind an open case: each kept, with a case of its own, and carried out in turn."""

from __future__ import annotations

import itertools

import pytest

from graph.model import Event, Outcome, RunView
from tests.unit.graph.builders import LI, STRANGER, WANG, Desk, plain, view, waits
from tests.unit.graph.test_runner_people import code
from tests.unit.graph.tripwire import Crash, Mode, Tripwire

TWO = "给 KL-778 补 80 美元现金，商户漏发接送，另外给 KL-502 补 20 积分，导游迟到"
ASKED = "给 KL-778 补 40 美元，商户漏发接送"


@pytest.fixture
def desk(shared_desk: Desk) -> Desk:
    """These tests share one."""
    return shared_desk


async def goes_on(desk: Desk, outcome: Outcome) -> Outcome:
    """What follows the outcome, as the mailbox would bring it."""
    [event] = outcome.follow
    return await desk.advance(event)


def behind(outcome: Outcome) -> RunView:
    """The only case that waits behind the outcome's."""
    [queued] = outcome.queued
    return queued


async def paid(desk: Desk) -> list[object]:
    """The orders that were paid for, in order."""
    return [each["order_id"] for each in reversed(await desk.payouts())]


async def test_two_requests_in_one_sentence_are_carried_out_in_turn(desk: Desk) -> None:
    """The second has a case and a card from the start, and begins once the first has ended."""
    first = await desk.say(TWO)
    queued = behind(first)
    assert (queued.status, queued.behind, queued.order) == ("working", view(first).case, "KL-502")
    assert queued.correctable == [] and queued.case != view(first).case
    assert await desk.runner.show(queued.case) == queued
    rows = {row.case for row in await desk.runner.cases_of(LI.id) if row.thread == desk.thread}
    assert rows == {view(first).case, queued.case}
    assert waits(first)[1] == "bank_info"
    assert await paid(desk) == []
    ended = await desk.say("取消")
    assert view(ended).status == "cancelled"
    second = await goes_on(desk, ended)
    assert (view(second).case, view(second).status, view(second).behind) == (queued.case, "done", "")
    assert (await paid(desk), second.queued, second.follow) == (["KL-502"], [], [])


async def test_the_second_begins_though_the_first_ends_at_once(desk: Desk) -> None:
    """Stopped by a rule in its first turn, it makes way."""
    first = await desk.say("KL-901 补 20 积分，导游迟到；另外 KL-502 补 20 积分，导游迟到；KL-778 补 30 积分，导游迟到")
    assert view(first).status == "stopped"
    assert [each.behind for each in first.queued] == [view(first).case] * 2
    second = await goes_on(desk, first)
    assert (view(second).order, [each.behind for each in second.queued]) == ("KL-502", [view(second).case])
    third = await goes_on(desk, second)
    assert (view(third).order, await paid(desk)) == ("KL-778", ["KL-502", "KL-778"])


async def test_what_begins_begins_once(desk: Desk) -> None:
    """The same events again give the same outcomes, and no second payout."""
    request = desk.event("message", text="KL-778 补 30 积分，导游迟到；另外 KL-502 补 20 积分，导游迟到")
    first = await desk.advance(request)
    assert await desk.advance(request) == first
    [event] = first.follow
    assert await desk.advance(event) == await desk.advance(event)
    assert await paid(desk) == ["KL-778", "KL-502"]
    again = event.model_copy(update={"id": "once more"})
    assert (await desk.advance(again)).follow == []
    assert await paid(desk) == ["KL-778", "KL-502"]


async def test_an_answer_and_a_request_in_one_sentence(desk: Desk) -> None:
    """The answer is used, the request waits for its turn."""
    await desk.say(ASKED)
    done = await desk.say("积分，另外 KL-502 补 20 积分，导游迟到")
    assert (view(done).status, plain(done)["comp_type"], behind(done).order) == ("done", "credit", "KL-502")
    assert view(await goes_on(desk, done)).status == "done"


@pytest.mark.parametrize("first", [ASKED, "给 KL-502 补 300 美元现金，客人包车迟到两小时"])
async def test_another_request_is_asked_where_it_belongs(desk: Desk, first: str) -> None:
    """While a question or an approval waits. Pressed, it waits behind the case; the case waits as before."""
    waiting = await desk.say(first)
    offered = await desk.say("KL-315 补 20 积分，导游迟到")
    assert (code(offered), view(offered), offered.queued) == ("another", view(waiting), [])
    press = queue_press(desk, offered)
    queued = await desk.advance(press)
    assert (behind(queued).order, behind(queued).behind, queued.replies) == ("KL-315", view(waiting).case, [])
    assert (waits(queued), view(queued).waiting) == (waits(waiting), view(waiting).waiting)
    again = await desk.advance(press.model_copy(update={"id": "second press"}))
    assert code(again) == "queued_before"


@pytest.mark.parametrize("said", ["这单办完再给 KL-502 补 20 积分，导游迟到", "after this: 20 credit for KL-502, 导游迟到"])
async def test_words_put_a_request_in_the_queue(desk: Desk, said: str) -> None:
    """Where they say so themselves, nothing is asked."""
    waiting = await desk.say(ASKED)
    queued = await desk.say(said)
    assert (behind(queued).order, view(queued).waiting, queued.replies) == ("KL-502", view(waiting).waiting, [])


def queue_press(desk: Desk, offered: Outcome, actor: object = LI) -> Event:
    """The press of the button that puts the request behind the open case."""
    [reply] = offered.replies
    values = {"of": reply.values["of"], "by": reply.values["by"]}
    return desk.event("queue", LI, text=reply.values["request"], values=values).model_copy(update={"actor": actor})


async def test_only_who_asked_puts_it_in_the_queue(desk: Desk) -> None:
    """Else somebody's words would count as another's."""
    await desk.say(ASKED)
    offered = await desk.advance(desk.event("message", STRANGER, text="KL-502 补 20 积分，导游迟到"))
    assert code(offered) == "another"
    assert code(await desk.advance(queue_press(desk, offered, LI))) == "not_yours"
    queued = await desk.advance(queue_press(desk, offered, STRANGER))
    assert behind(queued).owner == STRANGER


async def test_pressed_after_the_case_has_ended_it_begins_at_once(desk: Desk) -> None:
    """And only once."""
    await desk.say(ASKED)
    press = queue_press(desk, await desk.say("KL-502 补 20 积分，导游迟到"))
    await desk.say("算了")
    begun = await desk.advance(press)
    assert (view(begun).order, view(begun).status) == ("KL-502", "done")
    await desk.advance(press.model_copy(update={"id": "second press"}))
    assert await paid(desk) == ["KL-502"]


@pytest.mark.parametrize("how", ["card", "words", "order"])
async def test_a_queued_case_is_cancelled(desk: Desk, how: str) -> None:
    """From its card, or by words that name it; the open case waits as before, and nothing follows it."""
    first = await desk.say(TWO)
    queued = behind(first)
    said = {"words": f"取消 {queued.case}", "order": "KL-502 那单取消"}
    if how == "card":
        dropped = await desk.advance(desk.event("cancel", case=queued.case, reason="客人不要了"))
    else:
        dropped = await desk.say(said[how])
    assert (behind(dropped).status, view(dropped).waiting) == ("cancelled", view(first).waiting)
    shown = await desk.runner.show(queued.case)
    assert shown is not None and shown.status == "cancelled"
    ended = await desk.say("取消")
    assert (view(ended).status, ended.follow) == ("cancelled", [])


async def test_who_may_not_cancel_a_queued_case(desk: Desk) -> None:
    """Somebody else, and nobody once it is over."""
    first = await desk.say(TWO)
    assert code(await desk.advance(desk.event("cancel", WANG, case=behind(first).case))) == "not_yours"
    assert code(await desk.advance(desk.event("cancel", case="C-NONE"))) == "cancelled_done"


@pytest.mark.parametrize("said", ["两单都办", "both, in turn"])
async def test_both_orders_in_turn(desk: Desk, said: str) -> None:
    """Where a sentence names two orders and one wish, each gets what was said."""
    asked = await desk.say("KL-778 和 KL-502 都补 20 积分，导游迟到")
    request = view(asked).open_request()
    assert request is not None and request.problems[0].candidates == ["KL-778", "KL-502"]
    done = await desk.say(said)
    assert (view(done).order, view(done).status, behind(done).order) == ("KL-778", "done", "KL-502")
    second = await goes_on(desk, done)
    assert (view(second).status, plain(second)["amount"], plain(second)["comp_type"]) == ("done", "20", "credit")
    assert await paid(desk) == ["KL-778", "KL-502"]


async def test_a_case_that_begins_while_another_is_open_waits_behind_it(desk: Desk) -> None:
    """As after an operator has put its event back."""
    first = await desk.say("KL-778 补 30 积分，导游迟到；另外 KL-502 补 20 积分，导游迟到")
    other = await desk.say("给 KL-778 补 20 美元，商户漏发接送")
    placed = await goes_on(desk, first)
    assert (view(placed).case, behind(placed).behind) == (view(other).case, view(other).case)
    done = await desk.say("积分")
    assert view(await goes_on(desk, done)).order == "KL-502"


async def test_broken_off_at_any_call_both_are_paid_once(desk: Desk) -> None:
    """The process dies after each call in turn, and its events are delivered again."""
    wire = Tripwire(desk)
    swept = 0
    for at in range(1, 100, 2):
        await desk.backoffice.reset()
        desk.thread, desk.numbers = f"broken off at {at}", itertools.count(next(desk.numbers) + 100_000)
        wire.revive()
        wire.arm(at, "after", "kill")
        waiting = [desk.event("message", text="KL-778 补 30 积分，导游迟到；另外 KL-502 补 20 积分，导游迟到")]
        tripped = False
        while waiting:
            try:
                outcome = await desk.advance(waiting[0])
            except Crash:
                tripped = True
                wire.revive()
                continue
            waiting = [*waiting[1:], *outcome.follow]
        assert await paid(desk) == ["KL-778", "KL-502"], f"{wire.names[-1:]} {at}"
        if not tripped:
            break
        swept += 1
    wire.revive()
    assert swept > 5


@pytest.mark.parametrize("mode", ["kill", "error"])
async def test_what_waits_is_not_forgotten_where_the_one_before_it_breaks_off(desk: Desk, mode: Mode) -> None:
    """The second of three breaks off at each call of the turn that begins it: the third comes after it all the same."""
    swept, wire = 0, Tripwire(desk)
    for at in range(1, 60):
        desk.thread = f"{mode}-{at}"
        await desk.say("给 KL-778 补 80 美元积分，商户漏发接送")
        for order in ("KL-1001", "KL-502"):
            words, by = f"{order} 补 22 积分，导游迟到", {"by": LI.id, "of": f"{mode}-{at}-{order}"}
            queued = await desk.advance(desk.event("queue", text=words, values=by))
        [_, third] = queued.queued
        ended = await desk.say("取消")
        [start] = ended.follow
        wire.arm(at, "after", mode)
        try:
            second = await desk.advance(start)
        except Crash:
            swept += 1
            wire.revive()
            second = await desk.advance(start)
        else:
            break
        assert [each.case for each in second.follow] == [third.case], at
        last = await goes_on(desk, second)
        assert (view(last).case, view(last).order) == (third.case, "KL-502"), at
        await desk.backoffice.reset()
        async for key in desk.redis.scan_iter(match=f"{desk.keys.stake('')}*"):
            await desk.redis.delete(key)
    wire.revive()
    assert swept > 5


@pytest.mark.parametrize("kind", ["cancel", "correct", "hand_over", "message"])
async def test_a_case_whose_beginning_broke_off_is_not_carried_on_in_the_name_of_another_event(
    desk: Desk, kind: str
) -> None:
    """Its beginning was given up after an error: it is finished first, and what comes then is judged by itself."""
    await desk.say("给 KL-778 补 80 美元积分，商户漏发接送")
    for order in ("KL-1001", "KL-502"):
        words, by = f"{order} 补 22 积分，导游迟到", {"by": LI.id, "of": f"{kind}-{order}"}
        queued = await desk.advance(desk.event("queue", text=words, values=by))
    [start] = (await desk.say("取消")).follow
    wire = Tripwire(desk)
    wire.arm("_ask", "after", "error")
    with pytest.raises(Crash):
        await desk.advance(start)
    wire.revive()
    other = {
        "cancel": desk.event("cancel"),
        "correct": desk.event("correct", values={"amount": "20"}),
        "hand_over": desk.event("hand_over", to=WANG),
        "message": desk.event("message", text="取消"),
    }[kind]
    outcome = await desk.advance(other)
    assert (view(outcome).order, view(outcome).status, view(outcome).owner.id) == ("KL-1001", "done", LI.id)
    assert len(outcome.replies) == 1
    assert [each.case for each in outcome.follow] == [queued.queued[1].case]
    assert (view(await goes_on(desk, outcome)).order, await paid(desk)) == ("KL-502", ["KL-1001", "KL-502"])


async def beginning_given_up(desk: Desk, more: str = "") -> RunView:
    """The first of some cases has ended, and what was to begin the second broke off and was set aside for good."""
    others = f"另外 KL-502 补 20 积分，导游迟到；另外 KL-1001 补 22 积分，导游迟到{more}"
    await desk.say(f"给 KL-778 补 80 美元积分，商户漏发接送；{others}")
    ended = await desk.say("取消")
    wire = Tripwire(desk)
    wire.arm("reserve", "before", "kill")
    with pytest.raises(Crash):
        await goes_on(desk, ended)
    wire.revive()
    return ended.queued[0]


@pytest.mark.parametrize("by", ["words", "a click"])
async def test_a_case_whose_beginning_was_given_up_begins_with_the_next_event(desk: Desk, by: str) -> None:
    """And what waits behind it after it."""
    second = await beginning_given_up(desk)
    event = desk.event("message", text="谢谢") if by == "words" else desk.event("cancel", LI, case=second.behind)
    going = await goes_on(desk, await desk.advance(event))
    assert (view(going).case, view(going).status) == (second.case, "done")
    assert view(await goes_on(desk, going)).status == "done"
    assert await paid(desk) == ["KL-502", "KL-1001"]


async def test_what_was_cancelled_while_it_waited_does_not_come_back(desk: Desk) -> None:
    """The event that has ended the case before it is put back: what it led to had been lost."""
    await desk.say("给 KL-778 补 80 美元积分，商户漏发接送；另外 KL-502 补 20 积分，导游迟到")
    cancel = desk.event("cancel", LI)
    [second] = (await desk.advance(cancel)).queued
    await desk.advance(desk.event("cancel", LI, case=second.case))
    assert (await desk.advance(cancel)).follow == []
    assert (await desk.say("谢谢")).follow == []
    kept = await desk.cases.load(second.case)
    assert (kept is not None and kept.row.status, await paid(desk)) == ("cancelled", [])


async def test_a_new_case_goes_before_those_whose_beginning_was_given_up(desk: Desk) -> None:
    """They wait behind it, and the event that was set aside, put back after all, begins nothing twice."""
    second = await beginning_given_up(desk)
    new = await desk.say("给 KL-778 补 90 美元积分，商户漏发接送")
    assert [each.order for each in new.queued] == ["KL-502", "KL-1001"]
    given_up = desk.event("start", LI, case=second.case)
    ended = await desk.say("取消")
    done = await goes_on(desk, ended)
    assert (view(done).case, view(done).status) == (second.case, "done")
    assert view(await goes_on(desk, done)).status == "done"
    await desk.advance(given_up)
    assert await paid(desk) == ["KL-502", "KL-1001"]


DROPS = ["card", "取消 {case}", "KL-502 那单不办了", "取消", "这单不办了"]


def dropping(desk: Desk, how: str, queued: RunView) -> Event:
    """What drops the queued case: its card, or words that name it, or that mean whatever comes next."""
    if how == "card":
        return desk.event("cancel", case=queued.case, reason="客人不要了")
    return desk.event("message", text=how.format(case=queued.case))


@pytest.mark.parametrize("how", DROPS)
async def test_a_case_whose_beginning_was_given_up_is_cancelled(desk: Desk, how: str) -> None:
    """It never begins, also if what was to begin it is put back, and the one behind it comes to its turn, once."""
    second = await beginning_given_up(desk)
    dropped = await desk.advance(dropping(desk, how, second))
    assert (behind(dropped).case, behind(dropped).status, dropped.replies) == (second.case, "cancelled", [])
    given_up = await desk.advance(desk.event("start", LI, case=second.case))
    assert (given_up.follow, given_up.replies) == ([], [])
    third = await goes_on(desk, dropped)
    assert (view(third).order, view(third).status, third.follow) == ("KL-1001", "done", [])
    shown = await desk.runner.show(second.case)
    assert shown is not None and shown.status == "cancelled"
    assert await paid(desk) == ["KL-1001"]


async def test_all_that_wait_behind_a_cancelled_case_come_to_their_turn(desk: Desk) -> None:
    """In the order in which they were asked for."""
    second = await beginning_given_up(desk, "；另外 KL-1002 补 24 积分，导游迟到")
    third = await goes_on(desk, await desk.advance(dropping(desk, "card", second)))
    assert view(await goes_on(desk, third)).status == "done"
    assert await paid(desk) == ["KL-1001", "KL-1002"]


@pytest.mark.parametrize("how", DROPS[:3])
async def test_a_case_behind_one_whose_beginning_was_given_up_is_cancelled(desk: Desk, how: str) -> None:
    """The one before it begins, for something has happened in the thread, and after that nothing."""
    second = await beginning_given_up(desk)
    [third] = [row for row in await desk.runner.cases_of(LI.id) if row.thread == desk.thread and row.order == "KL-1001"]
    queued = await desk.runner.show(third.case)
    assert queued is not None
    dropped = await desk.advance(dropping(desk, how.replace("KL-502", "KL-1001"), queued))
    assert (behind(dropped).case, behind(dropped).status) == (third.case, "cancelled")
    begun = await goes_on(desk, dropped)
    assert (view(begun).case, view(begun).status, begun.follow) == (second.case, "done", [])
    assert await paid(desk) == ["KL-502"]


@pytest.mark.parametrize("how", DROPS)
async def test_a_cancel_that_broke_off_is_carried_out_as_if_it_came_first(desk: Desk, how: str) -> None:
    """The process dies at each call in turn, and the same event comes again: the same outcome."""
    wire, swept = Tripwire(desk), 0
    for at in range(1, 40):
        await desk.backoffice.reset()
        desk.thread = f"{how} broken off at {at}"
        second = await beginning_given_up(desk)
        event = dropping(desk, how, second)
        wire.arm(at, "after", "kill")
        try:
            dropped = await desk.advance(event)
        except Crash:
            wire.revive()
            dropped = await desk.advance(event)
        else:
            break
        assert (behind(dropped).case, behind(dropped).status, dropped.replies) == (second.case, "cancelled", []), at
        assert len(behind(dropped).trail) == len(second.trail) + 1, at
        assert view(await goes_on(desk, dropped)).order == "KL-1001", at
        swept += 1
    wire.revive()
    assert swept > 2


async def test_whose_case_it_is_drops_it(desk: Desk) -> None:
    """Who may not is told, and it begins; its own agent is heard, though the case before was another's."""
    await desk.say(ASKED)
    words, by = "KL-502 补 20 积分，导游迟到", {"by": STRANGER.id, "of": "a stranger's"}
    second = behind(await desk.advance(desk.event("queue", STRANGER, text=words, values=by)))
    await desk.say("取消")
    refused = await desk.advance(desk.event("cancel", LI, case=second.case))
    assert (code(refused), [each.case for each in refused.follow]) == ("not_yours", [second.case])
    own = desk.event("message", STRANGER, text=f"取消 {second.case}", addressed=False)
    assert behind(await desk.advance(own)).status == "cancelled"
    assert await paid(desk) == []


@pytest.mark.parametrize("text", ["取消", "取消 KL-778", "KL-778 那单不办了"])
async def test_a_cancel_of_the_case_before_drops_not_what_comes_next(desk: Desk, text: str) -> None:
    """It was said before that case ended, or names its order: what waits begins."""
    await desk.say(TWO)
    early = desk.event("message", text=text)
    ended = await desk.say("取消")
    late = early if text == "取消" else desk.event("message", text=text)
    outcome = await desk.advance(late)
    assert [each.case for each in outcome.follow] == [behind(ended).case]
    assert view(await goes_on(desk, outcome)).status == "done"
    assert await paid(desk) == ["KL-502"]


async def test_a_cancel_that_finishes_a_broken_payment_drops_not_what_comes_next(desk: Desk) -> None:
    """Whoever said it meant the case that seemed to stand still: it is paid, which they are told, and the next begins."""
    wire = Tripwire(desk)
    wire.arm("once", "after", "kill")
    with pytest.raises(Crash):
        await desk.say("KL-778 补 30 积分，导游迟到；另外 KL-502 补 20 积分，导游迟到")
    wire.revive()
    outcome = await desk.say("取消")
    assert (code(outcome), view(outcome).order) == ("already_paid", "KL-778")
    assert view(await goes_on(desk, outcome)).order == "KL-502"
    assert await paid(desk) == ["KL-778", "KL-502"]
