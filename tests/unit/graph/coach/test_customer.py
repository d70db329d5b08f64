"""The customer in two layers: what is said is planned, and checked against the plan."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import TypeVar

import pytest
from pydantic import BaseModel

from graph.coach.customer import Intent, answer, begin
from graph.coach.drill import take
from graph.coach.prompts import HearReply
from graph.coach.scenario import Question, Scenario
from graph.coach.speaker import fits, template
from graph.coach.state import DrillState
from graph.errors import ModelUnavailable
from graph.prompts import Messages
from tests.unit.graph.coach.practice import SEEDS, at, every, invoice, message, play

T = TypeVar("T", bound=BaseModel)


class Scripted:
    """A model that says what it is told to, and counts how often it was asked."""

    def __init__(self, words: Sequence[str], heard: dict[str, object] | None = None) -> None:
        self.words_said = list(words)
        self.heard = heard
        self.asked = 0

    async def json(self, messages: Messages, reply: type[T]) -> T:
        """See `graph.coach.model.Model`."""
        if self.heard is None:
            raise ModelUnavailable
        return reply.model_validate(self.heard)

    async def words(self, messages: Messages) -> str:
        """See `graph.coach.model.Model`."""
        self.asked += 1
        return self.words_said[(self.asked - 1) % len(self.words_said)]


def whole(scenario: Scenario, lang: str) -> list[str]:
    """Every line of a scenario that reveals a slot value."""
    return [
        line
        for node in scenario.questions
        for value in node.values.values()
        for line in (value.says.zh if lang == "zh" else value.says.en)
    ]


async def test_a_speaker_that_leaks_everything_shows_nothing_unreleased() -> None:
    """In 500 turns with a model that pours out the whole scenario, no fact is said that was not asked for."""
    chance, turns = random.Random(7), 0
    leaks = [
        "是第三方卖家的，而且订单已经完成了，我现在改不了。",
        "是平台自营的，订单还没完成呢",
        "It is self-operated and the order is finished already.",
        "好的。另外这是第三方店铺的单子，货已经签收了",
    ]
    while turns < 500:
        name, scenario = chance.choice(list(every()))
        state = begin(scenario, lang=chance.choice(("zh", "en")), seed=chance.randrange(64))
        model = Scripted([*leaks, *("，".join(chance.sample(whole(scenario, state.lang), 2)) for _ in range(4))])
        for _ in range(8):
            node = chance.choice([each.id for each in scenario.due_nodes])
            state = await take(scenario, state, message(scenario, node, state.lang), model)
            turns += 1
            assert unreleased(scenario, state) == [], f"{name}: {state.turns[-1].reply}"
            if state.over:
                break


def unreleased(scenario: Scenario, state: DrillState) -> list[str]:
    """Lines of the scenario that stand in the last reply though what they reveal is not visible."""
    return [
        line
        for node in scenario.questions
        for value, spec in node.values.items()
        if f"{node.id}={value}" not in state.visible_facts
        for line in (*spec.says.zh, *spec.says.en, spec.label.zh, spec.label.en)
        if re.search(rf"(?<![a-z]){re.escape(line.rstrip('。.'))}(?![a-z])", state.turns[-1].reply)
    ]


@pytest.mark.parametrize("useless", ["天气真好", "嗯", "Sure!", "不告诉你", "x" * 500, "\n\n"])
async def test_a_speaker_that_says_nothing_useful_gives_way_to_the_template(useless: str) -> None:
    """It is asked twice, then the file's own line is said."""
    model = Scripted([useless])
    state = begin(invoice(), lang="zh", seed=1)
    after = await take(invoice(), state, message(invoice(), "Q1"), model)
    assert model.asked == 2
    assert after.turns[-1].reply == template(invoice(), state, Intent("answer_slot", "Q1", "third_party"))
    assert after.slots["Q1"] == "third_party"


async def test_a_speaker_that_says_it_well_is_shown() -> None:
    """Words that say the intent and nothing else are let through, at the second try as well."""
    model = Scripted(["是第三方卖家的，而且已经完成了。", "嗯，是第三方卖家的订单，谢谢"])
    after = await take(invoice(), begin(invoice(), lang="zh", seed=1), message(invoice(), "Q1"), model)
    assert after.turns[-1].reply == "嗯，是第三方卖家的订单，谢谢"


@pytest.mark.parametrize(
    "words",
    [
        "是第三方卖家的，东西早拿到了",  # a fact in words that the scenario does not know
        "是自营的。",  # another value
        "是第三方卖家的，订单号 88231",
        "It is a third-party seller's order and it is closed",
    ],
)
def test_more_than_the_point_is_refused(words: str) -> None:
    """What is left over once the point is taken away might be a fact, so it does not pass."""
    state = begin(invoice(), lang="zh", seed=1)
    intent = Intent("answer_slot", "Q1", "third_party", ("I1=yes", "Q1=third_party"))
    assert not fits(invoice(), state, intent, words)


def test_the_template_always_fits() -> None:
    """Every line of every file passes the check that a model's words must pass."""
    for name, scenario in every():
        for lang in ("zh", "en"):
            state = begin(scenario, lang="zh" if lang == "zh" else "en")
            for node in scenario.due_nodes:
                for value in scenario.domains[node.id]:
                    fact = (f"{node.id}={value}",) if isinstance(node, Question) else ()
                    kind = "answer_slot" if fact else "feedback_step_result"
                    intent = Intent("answer_slot" if fact else "feedback_step_result", node.id, value, ("I1=yes", *fact))
                    assert fits(scenario, state, intent, template(scenario, state, intent)), (name, kind, node.id, value)


async def test_only_what_is_asked_and_due_is_revealed() -> None:
    """A question out of turn is answered with the problem; one asked again with what is known already."""
    state = await at(invoice(), "Q1=third_party")
    assert (await play(invoice(), state, "Q2")).turns[-1].intent == "repeat_problem"
    again = await play(invoice(), state, "Q1")
    assert (again.turns[-1].intent, again.visible_facts) == ("answer_slot", state.visible_facts)


async def test_the_model_can_move_a_drill_on_but_never_costs_points() -> None:
    """What only a model understood counts when it is due and quoted; when it is not due it counts for nothing."""
    said = "贵平台还是别处，商家那种？咱也不清楚"
    due = Scripted(["嗯"], {"nodes": [{"id": "Q1", "quote": "商家"}, {"id": "A2", "quote": "商家"}]})
    state = begin(invoice(), lang="zh", seed=1)
    after = await take(invoice(), state, "自己人卖的那种，懂吧", due)
    assert after.score == 100
    assert after.turns[-1].touched == ()  # the quote does not stand there
    moved = await take(invoice(), state, "商家", due)
    assert (moved.turns[-1].touched, moved.score, moved.slots.get("Q1")) == (("Q1",), 100, "third_party")
    assert (await take(invoice(), state, said, due)).score == 100


async def test_the_score_does_not_depend_on_the_model() -> None:
    """The same messages score the same without a model, with one that lies and with one that is down."""
    messages = [message(invoice(), node) for node in ("Q2", "Q1", "A1", "P1", "Q2", "A2", "A1", "E")]
    liar = Scripted(["胡说"], {"nodes": [{"id": node, "quote": "您"} for node in ("Q1", "Q2", "A1", "A2", "P1")]})
    scores = set()
    for model in (None, liar, Scripted(["胡说"])):
        state = begin(invoice(), lang="zh", seed=1)
        for said in messages:
            state = await take(invoice(), state, said, model)
        scores.add((state.score, tuple(turn.points for turn in state.turns)))
    assert len(scores) == 1


def test_seeds_count_through_the_answers() -> None:
    """Each seed has its own answers, the same ones always; a persona decides whether steps help."""
    nodes = [node.id for node in invoice().due_nodes]
    combinations = {
        tuple(answer(invoice(), begin(invoice(), lang="zh", seed=seed), node) for node in nodes) for seed in SEEDS
    }
    assert len(combinations) == len(SEEDS)
    for seed in SEEDS:
        assert answer(invoice(), begin(invoice(), lang="zh", seed=seed, persona="easy"), "A2") == "success"
        assert answer(invoice(), begin(invoice(), lang="zh", seed=seed, persona="unlucky"), "A2") == "fail"


async def test_a_curt_customer_only_takes_note() -> None:
    """The persona `brief` acknowledges or asks for help instead of reporting results."""
    kinds = set()
    for seed in SEEDS:
        state = begin(invoice(), lang="en", seed=seed, persona="brief")
        while not state.over:
            state = await play(invoice(), state, state.expected_node_ids[0])
        kinds |= {turn.intent for turn in state.turns}
    assert kinds == {"answer_slot", "acknowledge", "needs_fallback"}


def test_a_models_reply_of_another_shape_is_no_node() -> None:
    """An answer without nodes names none."""
    assert HearReply.model_validate({"x": 1}).nodes == []
