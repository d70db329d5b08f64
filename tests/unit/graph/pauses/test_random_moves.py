"""Any sequence of moves, against a plain model: a table of what each field is now, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from graph.model import Outcome
from tests.unit.graph.builders import STRANGER, Desk, view
from tests.unit.graph.pauses.moves import correcting, correction
from tests.unit.graph.pauses.walk import WALKS, Walk, settled, waiting
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
    for number, (kind, name, value) in enumerate(steps):
        if view(outcome).status != "waiting":
            name, value = fields_of(walk.name)[0]
            late = await walk.desk.say(correction(name, None, value))
            assert (view(late), [each.kind for each in late.replies]) == (view(outcome), ["refused"])
            return outcome
        before, request = outcome, waiting(outcome)
        can = set(view(outcome).plain) | {each.name for each in request.fields}
        if kind == "answer":
            outcome = await walk.answered(outcome)
        elif kind == "correct" and name in can:
            outcome = await correcting(name, value, number)(walk, outcome)
        elif kind == "talk":
            outcome = await walk.desk.say(name)
            assert view(outcome) == view(before)
        elif kind == "chatter":
            words = walk.desk.event("message", STRANGER, text=name, addressed=False)
            outcome = await walk.desk.advance(words)
            # Only a yes where one is waited for looks as if it was meant for the bot; it counts for nothing.
            told = ["not_yours"] if name == "好的" and request.kind == "confirm" else []
            assert ([each.code for each in outcome.replies], view(outcome)) == (told, view(before))
        elif kind == "restart":
            assert view(await walk.desk.say("取消")).status == "cancelled"
            outcome = await walk.said()
    while view(outcome).status == "waiting":
        outcome = await walk.answered(outcome)
    return outcome


@pytest.mark.parametrize("name", WALKS)
@settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),  # to shrink an example takes minutes here
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
async def test_any_conversation_ends_as_the_plain_model_says(desk: Desk, name: str, data: st.DataObject) -> None:
    """The same facts, end and routes as a run that was told the model's values at once, and no write more."""
    walk = Walk(desk, name, dict(told_of()[name].values))
    ended, writes = settled(await played(walk, data.draw(steps_of(name)))), walk.writes()
    right = Walk(desk, name, dict(walk.values))
    assert (ended, writes) == (settled(await right.go()), right.writes())
