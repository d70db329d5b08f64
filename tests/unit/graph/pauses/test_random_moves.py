"""Any sequence of moves, against a plain model: a table of what each field is now, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.model import Outcome
from tests.unit.graph.builders import STRANGER, Desk, view
from tests.unit.graph.pauses.walk import PROCEDURES, Walk, corrected, correction, settled, waiting
from tests.unit.graph.pauses.walk import given as told_of

Step = tuple[str, str, str]
TALK = ("先补偿了还能退款吗？", "why do you ask?", "为什么", "facts", "执行记录", "help")
CHATTER = ("我看看", "金额改成 1", "算了", "好的", "这单我处理过", "转给 @王")


def steps_of(sop: str) -> st.SearchStrategy[list[Step]]:
    """Moves of a conversation about this procedure."""
    fields = [("correct", name, value) for name, value in fields_of(sop)]
    back = [("correct", name, value) for name, value in told_of()[sop].values.items() if name in told_of()[sop].other]
    return st.lists(
        st.one_of(
            st.just(("answer", "", "")),
            st.sampled_from(fields + back),
            st.sampled_from([("talk", said, "") for said in TALK]),
            st.sampled_from([("chatter", said, "") for said in CHATTER]),
            st.just(("restart", "", "")),
        ),
        min_size=2,
        max_size=7,
    )


def fields_of(sop: str) -> list[tuple[str, str]]:
    """Every field with every value that it is corrected to."""
    return [(name, value) for name, values in told_of()[sop].other.items() for value in values]


async def played(walk: Walk, steps: Sequence[Step]) -> Outcome:
    """The conversation, and then plain answers to the end. `walk.values` becomes the model: what each field is now."""
    outcome = await walk.opened()
    for kind, name, value in steps:
        if view(outcome).status != "waiting":
            late = await walk.desk.say(correction(*fields_of(walk.sop)[0]))
            assert (view(late), [each.kind for each in late.replies]) == (view(outcome), ["refused"])
            return outcome
        before, request = outcome, waiting(outcome)
        can = set(view(outcome).plain) | {each.name for each in request.fields}
        if kind == "answer":
            outcome = await walk.answered(outcome)
        elif kind == "correct" and name in can:
            outcome = await corrected(walk, outcome, name=name, value=value, english=len(steps) % 2 == 1)
        elif kind == "talk":
            outcome = await walk.desk.say(name)
            assert view(outcome) == view(before)
        elif kind == "chatter":
            words = walk.desk.event("message", STRANGER, text=name, addressed=False)
            outcome = await walk.desk.advance(words)
            assert (outcome.replies, view(outcome)) == ([], view(before))
        elif kind == "restart":
            assert view(await walk.desk.say("取消")).status == "cancelled"
            outcome = await walk.said()
    while view(outcome).status == "waiting":
        outcome = await walk.answered(outcome)
    return outcome


@pytest.mark.parametrize("sop", PROCEDURES)
@settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
async def test_any_conversation_ends_as_the_plain_model_says(desk: Desk, sop: str, data: st.DataObject) -> None:
    """The same facts, end and routes as a run that was told the model's values at once, and no write more."""
    walk = Walk(desk, sop, dict(told_of()[sop].values))
    ended, writes = settled(await played(walk, data.draw(steps_of(sop)))), walk.writes()
    right = Walk(desk, sop, dict(walk.values))
    assert (ended, writes) == (settled(await right.go()), right.writes())
