"""What answers nothing, at every pause of every shipped procedure: the case ends as if it had not been said."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from graph.model import Event, Outcome
from tests.unit.graph.builders import KIM, LI, STRANGER, ZHOU, Desk, view
from tests.unit.graph.pauses.walk import LIBRARY, WALKS, WRITES_FAIL, Walk, given, settled, waiting

#: Words, and the kinds of reply that they may get. To a question the handbook says something, or nothing.
_ANSWERED = {"policy", "no_policy"}
TALK = (
    ("先补偿了还能退款吗？", _ANSWERED),
    ("how long does a refund take?", _ANSWERED),
    ("为什么要问这个", {"note"}),
    ("why do you ask?", {"note"}),
    ("facts", {"facts"}),
    ("执行记录", {"trail"}),
    ("帮助", {"help"}),
)
SOMETHING_ELSE = "给 KL-315 补 20 积分，导游迟到"
UNHEARD = "这单我昨天也遇到过"


def asks_for_a_code(outcome: Outcome) -> bool:
    """Whether naming an order is the answer here."""
    fields = LIBRARY.words.fields
    return any(fields[each.name].type == "code" for each in waiting(outcome).fields if waiting(outcome).kind == "ask")


@pytest.mark.parametrize("name", WALKS)
async def test_talk_at_every_pause_changes_nothing(desk: Desk, name: str) -> None:
    """A question, "why", facts, trail, help, something else, the chatter of others and a hand-over there and back: each is
    answered once, the same request waits with nothing asked of the back office, and the case ends as if it was not said."""
    base = Walk(desk, name, given()[name].values, fault=WRITES_FAIL)
    wanted, reads, writes = settled(await base.go()), base.reads(), base.writes()
    assert not writes or "hold" in {kind for _, kind, _ in base.pauses}
    walk = Walk(desk, name, given()[name].values, fault=WRITES_FAIL)
    outcome = await walk.opened()
    pauses = 0
    while view(outcome).status == "waiting":
        pauses += 1
        before, asked = outcome, len(desk.called())
        for said, kinds in TALK:
            told = await desk.say(said)
            assert (len(told.replies), {reply.kind for reply in told.replies} <= kinds) == (1, True), said
            assert (view(told), told.timers) == (view(before), before.timers), said
        if not asks_for_a_code(outcome):
            told = await desk.say(SOMETHING_ELSE)
            assert [reply.code for reply in told.replies] == ["another"]
            assert (view(told), told.queued) == (view(before), [])
        told = await desk.advance(desk.event("message", STRANGER, text=UNHEARD, addressed=False))
        assert (told.replies, view(told)) == ([], view(before))
        await desk.advance(desk.event("hand_over", LI, to=KIM))
        outcome = await desk.advance(desk.event("hand_over", ZHOU, to=LI))
        assert (view(outcome).waiting, view(outcome).plain) == (view(before).waiting, view(before).plain)
        assert len(desk.called()) == asked
        outcome = await walk.answered(outcome)
    assert pauses == len(base.pauses)
    assert (settled(outcome), walk.reads(), walk.writes()) == (wanted, reads, writes)


@pytest.mark.parametrize("name", WALKS)
async def test_a_request_beside_the_case_waits_behind_it(desk: Desk, name: str) -> None:
    """Put behind at the last pause, it begins when this case has ended as if nothing had been asked; a thread of its own
    leaves no trace in this one."""
    base = Walk(desk, name, given()[name].values)
    wanted, last = settled(await base.go()), len(base.pauses) - 1
    heard: list[Outcome] = []

    async def another(walk: Walk, outcome: Outcome) -> Outcome:
        asked = (await desk.say(SOMETHING_ELSE)).replies[0].values
        values = {"of": asked["of"], "by": LI.id}
        apart = await desk.advance(desk.event("apart", text=asked["request"], values=values))
        assert ([each.code for each in apart.replies], view(apart)) == (["apart"], view(outcome))
        queued = await desk.advance(desk.event("queue", text=asked["request"], values=values))
        assert (len(queued.queued), view(queued).waiting) == (1, view(outcome).waiting)
        heard.append(queued)
        return await walk.answered(queued)

    ended = await Walk(desk, name, given()[name].values).go(last, another)
    assert settled(ended) == wanted
    begun: list[Event] = ended.follow
    assert [each.case for each in begun] == [heard[0].queued[0].case]
    first = view(await desk.advance(begun[0]))
    assert (first.sop, first.plain["order_id"], first.plain["amount"]) == ("compensation", "KL-315", "20")


@pytest.mark.parametrize("name", WALKS)
async def test_cancelled_at_a_pause_nothing_more_is_written(desk: Desk, name: str) -> None:
    """The first, one between and the last, in either language; where something is written already, it is refused and the
    case goes on to its end."""
    base = Walk(desk, name, given()[name].values)
    wanted, writes = settled(await base.go()), base.writes()
    last = len(base.pauses) - 1
    for at in sorted({0, last // 2, last}):
        written: list[Counter[str]] = []
        walk = Walk(desk, name, given()[name].values)
        ended = await walk.go(at, partial(cancelled, written=written))
        if written[0]:
            assert (settled(ended), walk.writes()) == (wanted, writes), base.pauses[at]
        else:
            assert (view(ended).status, walk.writes()) == ("cancelled", Counter()), base.pauses[at]


async def cancelled(walk: Walk, _: Outcome, *, written: list[Counter[str]]) -> Outcome:
    """The words that cancel a case, in one language or the other; what was written before them is noted."""
    written.append(walk.writes())
    return await walk.desk.say(("算了", "please cancel this case")[len(walk.pauses) % 2])
