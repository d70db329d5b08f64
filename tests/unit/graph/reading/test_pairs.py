"""Sentences in pairs: what asks for money and what only speaks of it; what answers and what says more than that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from graph.fields import parse
from graph.model import Fact
from graph.reading import extract, recognise, understand
from tests.unit.graph.reading.house import COMPENSATION, FIELDS, ROOT, saying

PAIRS: dict[str, Any] = yaml.safe_load((ROOT / "tests" / "cases" / "pairs.yaml").read_text(encoding="utf-8"))
VALUES = ("order_id", "amount", "reason", "comp_type", "bank_account")
EAGER = {"amount": {"value": "30", "quote": "30"}, "order_id": {"value": "KL-778", "quote": "KL-778"}}


def _known(case: Mapping[str, Any]) -> dict[str, Fact]:
    read = {name: parse(FIELDS[name], value) for name, value in case.get("known", {}).items()}
    return {name: fact for name, fact in read.items() if isinstance(fact, Fact)}


@pytest.mark.parametrize("text", PAIRS["starts"])
async def test_what_asks_for_it_starts(text: str) -> None:
    """A request opens the procedure, with the order and the amount that it names."""
    understood = await understand(text, [COMPENSATION], None)
    assert understood.sop == "compensation"
    assert [understood.reading.fields[name].value for name in ("order_id", "amount")] == ["KL-778", "30"]


@pytest.mark.parametrize("text", PAIRS["stays"])
async def test_what_does_not_ask_for_it_starts_nothing(text: str) -> None:
    """No procedure is opened: not by code alone, and not with a model that calls the sentence a request."""
    for llm in (None, saying(EAGER)):
        assert (await understand(text, [COMPENSATION], llm)).mode in ("unclear", "question")


@pytest.mark.parametrize("case", PAIRS["taken"], ids=[case["text"] for case in PAIRS["taken"]])
async def test_what_answers_is_taken(case: Mapping[str, Any]) -> None:
    """A plain answer, courtesy and repetition included, is no question and gives its values."""
    assert recognise(case["text"]) is None
    fields = [FIELDS[name] for name in case["asked"]]
    reading = await extract(case["text"], fields, None, None, known=_known(case), told=list(FIELDS.values()))
    assert {name: fact.value for name, fact in reading.fields.items()} == {n: case[n] for n in VALUES if n in case}
    assert reading.stray == "" and not reading.problems


@pytest.mark.parametrize("case", PAIRS["left"], ids=[case["text"] for case in PAIRS["left"]])
async def test_what_says_more_than_the_answer_is_left(case: Mapping[str, Any]) -> None:
    """Nothing is taken, whatever a model claims; what the sentence says beside the answer is named."""
    fields = [FIELDS[name] for name in case["asked"]]
    claims = {
        "amount": {"value": "150", "quote": "150"},
        "comp_type": {"value": "credit", "quote": "积分" if "积分" in case["text"] else "credit"},
        "reason": {"value": case["text"], "quote": case["text"]},
        "bank_account": {"value": case["text"], "quote": case["text"]},
    }
    for llm in (None, saying(claims)):
        reading = await extract(case["text"], fields, None, llm, known=_known(case), told=list(FIELDS.values()))
        assert reading.fields == {}
        assert reading.stray == case.get("stray", "")
        codes = {"cancel": "cancelling", "wait": "waiting", "other": "beside", "": case.get("problem")}
        assert [problem.code for problem in reading.problems][:1] == [code for code in [codes[reading.stray]] if code]


@pytest.mark.parametrize("case", PAIRS["currency"], ids=[case["text"] for case in PAIRS["currency"]])
async def test_the_currency_counts_wherever_it_stands(case: Mapping[str, Any]) -> None:
    """Another currency beside the amount, or a second one, is asked about: in an answer and in a form."""
    reading = await extract(case["text"], [FIELDS["amount"]], None, None)
    assert (reading.fields["amount"].value if "amount" in reading.fields else None) == case["amount"]
    assert case["amount"] or reading.problems
    assert case["amount"] or not isinstance(parse(FIELDS["amount"], case["text"]), Fact)
