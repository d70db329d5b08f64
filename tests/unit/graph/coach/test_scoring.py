"""Scoring by the frontier: every path played right, and every single deviation at every node."""

from __future__ import annotations

import pytest

from graph.coach.customer import begin
from graph.coach.drill import hint, stop, take
from graph.coach.hearing import hear_trainee
from graph.coach.scoring import judge
from graph.model import Lang
from tests.unit.graph.coach.practice import SEEDS, at, every, invoice, message, play, play_right

PATHS = {
    ("I1=yes", "Q1=third_party", "A2=success"): "solution_accepted",
    ("I1=yes", "Q1=third_party", "A2=fail", "P1=success"): "fallback_given",
    ("I1=yes", "Q1=self", "Q2=unfinished", "A1=success"): "solution_accepted",
    ("I1=yes", "Q1=self", "Q2=unfinished", "A1=fail", "P1=success"): "fallback_given",
    ("I1=yes", "Q1=self", "Q2=finished", "A3=success"): "solution_accepted",
    ("I1=yes", "Q1=self", "Q2=finished", "A3=fail", "P1=success"): "fallback_given",
}
"""The tree of seed 2: what is revealed on each path, and how it ends."""

POINTS = {"skipped_step": 20, "needless_question": 10, "wrong_branch": 20, "early_ending": 30, "missing_fallback": 30}
WORDS = {
    "skipped_step": "跳步",
    "needless_question": "多余追问",
    "wrong_branch": "走错分支",
    "early_ending": "过早结束",
    "missing_fallback": "缺少兜底",
}
SK, NQ, WB, EE, MF = POINTS
DEVIATIONS = {
    (): {"Q2": SK, "A1": SK, "A2": SK, "A3": SK, "P1": SK, "E": EE},
    ("Q1=self",): {"Q1": NQ, "A1": SK, "A2": WB, "A3": SK, "P1": SK, "E": EE},
    ("Q1=self", "Q2=unfinished"): {"Q1": NQ, "Q2": NQ, "A2": WB, "A3": WB, "P1": SK, "E": EE},
    ("Q1=self", "Q2=finished"): {"Q1": NQ, "Q2": NQ, "A1": WB, "A2": WB, "P1": SK, "E": EE},
    ("Q1=third_party",): {"Q1": NQ, "Q2": NQ, "A1": WB, "A3": WB, "P1": SK, "E": EE},
    ("Q1=third_party", "A2=fail"): {"Q1": NQ, "Q2": NQ, "A1": MF, "A2": MF, "A3": MF, "E": MF},
    ("Q1=self", "Q2=unfinished", "A1=fail"): {"Q1": NQ, "Q2": NQ, "A1": MF, "A2": MF, "A3": MF, "E": MF},
    ("Q1=self", "Q2=finished", "A3=fail"): {"Q1": NQ, "Q2": NQ, "A1": MF, "A2": MF, "A3": MF, "E": MF},
}
"""At each place of the tree: every node that is not due, and what touching it is."""


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_every_path_played_right_scores_full(lang: Lang) -> None:
    """All six paths of the tree are met, each with full points, no slip, and the end that belongs to it."""
    met = {}
    for seed in SEEDS:
        state = await play_right(invoice(), seed, lang)
        assert state.score == 100
        assert all(turn.hit and not turn.slips for turn in state.turns)
        met[state.slots_history] = state.end_reason
        assert (state.stage, state.expected_node_ids) == ("S4", ())
    assert met == PATHS


async def test_every_shipped_scenario_can_be_played_right() -> None:
    """The right messages of every scenario, in both languages, score full on every path."""
    for name, scenario in every():
        for seed in range(48):
            for lang in ("zh", "en"):
                state = await play_right(scenario, seed, "zh" if lang == "zh" else "en")
                assert (state.score, state.end_reason in ("solution_accepted", "fallback_given")) == (100, True), name


@pytest.mark.parametrize("place", DEVIATIONS, ids=lambda place: "+".join(place) or "start")
async def test_every_deviation_is_scored(place: tuple[str, ...]) -> None:
    """Whatever is not due costs what its kind costs, names its node, its rule and what was due, and moves nothing on."""
    before = await at(invoice(), *place)
    assert set(DEVIATIONS[place]) | set(before.expected_node_ids) == {"Q1", "Q2", "A1", "A2", "A3", "P1", "E"}
    for node, kind in DEVIATIONS[place].items():
        after = await play(invoice(), before, node)
        turn = after.turns[-1]
        assert (turn.touched, turn.hit, turn.points) == ((node,), False, POINTS[kind]), node
        assert [(slip.kind, slip.node) for slip in turn.slips] == [(kind, node)]
        assert all(word in turn.reason.zh for word in (WORDS[kind], node, *before.expected_node_ids, "规则"))
        assert (after.slots, after.expected_node_ids) == (before.slots, before.expected_node_ids)
        assert after.visible_facts == before.visible_facts


async def test_q2_after_third_party_is_a_needless_question() -> None:
    """Seed 2's own example: the rule is cited, and the score card shows 90."""
    before = await at(invoice(), "Q1=third_party")
    after = await take(invoice(), before, "那我再帮您确认一下，这个订单现在是已完成还是未完成？")
    turn = after.turns[-1]
    assert (turn.act, turn.touched, turn.expected, turn.points) == ("ask_info", ("Q2",), ("A2",), 10)
    assert "Q1 == 'self'" in turn.reason.zh
    assert "Q1=third_party" in turn.reason.en
    done = await play(invoice(), after, "A2")
    assert done.score == (90 if done.over else done.score)


async def test_two_questions_at_once_cost_only_the_one_that_is_not_due() -> None:
    """The question that is due is answered; the other is charged."""
    state = await take(invoice(), begin(invoice(), lang="zh"), "请问是自营还是第三方？另外订单完成了吗？")
    turn = state.turns[-1]
    assert (turn.touched, [slip.node for slip in turn.slips], turn.hit) == (("Q1", "Q2"), ["Q2"], False)
    assert state.slots == {"I1": "yes", "Q1": "self"}


async def test_small_talk_and_what_is_not_understood_cost_nothing() -> None:
    """Style is not scored: a greeting touches nothing and takes nothing off."""
    for said in ("您好，很高兴为您服务", "今天天气不错", ""):
        state = await take(invoice(), begin(invoice(), lang="zh"), said)
        assert (state.score, state.turns[-1].touched, state.expected_node_ids) == (100, (), ("Q1",))


async def test_the_same_events_give_the_same_score() -> None:
    """Judging depends on state and event alone."""
    state = await at(invoice(), "Q1=self")
    event = hear_trainee(invoice(), message(invoice(), "A2"))
    first = judge(invoice(), state, event)
    assert all(judge(invoice(), state, event) == first for _ in range(20))


async def test_hints_and_ending_early_cost_points() -> None:
    """A hint costs what the file says; ending before the end is an early ending."""
    state = hint(hint(begin(invoice(), lang="zh")))
    assert state.score == 90
    ended = stop(invoice(), state)
    assert (ended.score, ended.end_reason, ended.stage) == (60, "ended_by_trainee", "S4")
    assert await take(invoice(), ended, "您好") == ended
    assert stop(invoice(), hint(ended)) == ended
