"""The two classifiers, without a model."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from graph.coach.hearing import hear_customer, hear_trainee
from graph.coach.lexicon import Lexicon
from tests.unit.graph.coach.practice import invoice, scenarios

CASES = Path(__file__).resolve().parents[3] / "cases" / "coach_utterances.yaml"


def test_what_trainees_type_is_understood_without_a_model() -> None:
    """Of the hand-labelled messages in both languages, at least 95 % get the right act and the right nodes."""
    wrong, count = [], 0
    for name, cases in yaml.safe_load(CASES.read_text(encoding="utf-8")).items():
        for case in cases:
            heard = hear_trainee(scenarios()[name], case["said"])
            count += 1
            if (heard.agent_act, list(heard.touched)) != (case["act"], case["nodes"]):
                wrong.append(f"{case['said']}: {heard.agent_act} {heard.touched}")
    assert count >= 60
    assert len(wrong) <= count * 0.05, wrong


def test_a_step_that_is_denied_is_not_offered() -> None:
    """Words that are turned down touch nothing, in either language."""
    assert hear_trainee(invoice(), "您不用联系卖家").provided_steps == ()
    assert hear_trainee(invoice(), "You don't need to contact the seller").provided_steps == ()


def test_a_condition_is_no_question() -> None:
    """What stands in a clause of condition is not asked."""
    heard = hear_trainee(invoice(), "如果订单还未完成，您进订单详情就能改发票")
    assert (heard.asked_slots, heard.provided_steps) == ((), ("A1",))


def test_what_the_trainee_takes_for_granted_is_noted() -> None:
    """A slot value that is stated is a fact mentioned, not a question."""
    heard = hear_trainee(invoice(), "您这是自营订单。")
    assert (heard.asked_slots, heard.mentioned_facts) == ((), ("Q1=self",))


@pytest.mark.parametrize(
    ("said", "slots"),
    [
        ("是第三方店铺的。", {"Q1": "third_party"}),
        ("不是自营，是第三方卖家的", {"Q1": "third_party"}),
        ("还没完成", {"Q2": "unfinished"}),
        ("It's finished already", {"Q2": "finished"}),
        ("嗯", {}),
    ],
)
def test_the_customers_words_become_slot_values(said: str, slots: dict[str, str]) -> None:
    """A value is taken when it is the only one said and is not denied."""
    assert hear_customer(invoice(), said).asked_slots_updates == slots


def test_the_customers_result_of_a_step_is_heard() -> None:
    """A no outweighs a yes; without an awaited step there is no result."""
    assert hear_customer(invoice(), "好的，可是还是改不了", "A1").provided_steps_updates == {"A1": "fail"}
    assert hear_customer(invoice(), "好的，改好了", "A1").provided_steps_updates == {"A1": "success"}
    assert hear_customer(invoice(), "好的，改好了").provided_steps_updates == {}


def test_slips_of_the_pen_are_put_right() -> None:
    """A letter left out, doubled or swapped is forgiven where only one word fits; other words stay as they are."""
    words = Lexicon({"what": ["invoice", "finished", "third party"]})
    assert words.put_right("the INVOCIE is finnished") == "the invoice is finished"
    assert words.put_right("ＯＫ thrid party") == "ok third party"
    assert words.put_right("a voice in the parish") == "a voice in the parish"
