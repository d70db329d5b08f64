"""Every case of words.yaml: without a model, with a truthful one, and with one that guesses everything."""

from __future__ import annotations

import itertools

import pytest

from graph.reading import Reading, extract, read_alone, understand
from tests.unit.graph.reading.house import COMPENSATION, SPECS, WANTED, cases, saying

CASES = cases("words.yaml")
QUOTES = {"cash": ("现金", "原路退", "退回卡里", "back to the card", "cash"), "credit": ("积分", "credit")}
GUESSES: dict[str, list[str]] = {
    "order_id": ["KL-999", "KL-778", "KL-502"],
    "amount": ["80", "320", "2", "100", "50", "300"],
    "comp_type": ["cash", "credit"],
    "reason": ["商户漏发", "服务不好", "bad service", "the guest"],
}


def _check(case: dict[str, str | None], reading: Reading) -> None:
    for name in WANTED:
        if name in case:
            fact = reading.fields.get(name)
            assert (fact.value if fact else None) == case[name], (case["text"], name, reading.problems)


def _pieces(text: str) -> list[str]:
    """Quotes that stand in the text: itself, its words, its halves, and some that do not stand in it."""
    half = len(text) // 2
    return [text, text[:half], text[half:], text[:2], text[-2:], *text.split(), "invented words"]


@pytest.mark.parametrize("case", CASES, ids=[str(case["text"]) for case in CASES])
def test_code_alone_reads_what_is_said(case: dict[str, str | None]) -> None:
    """Without a model each field has the expected value, as a first message and as an answer."""
    text = str(case["text"])
    _check(case, read_alone(text, SPECS))
    _check(case, read_alone(text, SPECS, asked=True))


@pytest.mark.parametrize("case", CASES, ids=[str(case["text"]) for case in CASES])
async def test_a_truthful_model_changes_nothing(case: dict[str, str | None]) -> None:
    """With a model that says what is true, quotes included, each field has the expected value in one call."""
    text = str(case["text"])
    fields: dict[str, object] = {}
    for name in WANTED:
        value = case.get(name)
        if value is None:
            fields[name] = None
        elif name == "comp_type":
            fields[name] = {"value": value, "quote": next(quote for quote in QUOTES[value] if quote in text)}
        else:
            fields[name] = {"value": value, "quote": value if value in text else text}
    llm = saying(fields)
    understood = await understand(text, [COMPENSATION], llm)
    assert llm.calls == understood.reading.model_calls == 1
    if understood.mode == "sop":
        _check(case, understood.reading)
    answer = await extract(text, SPECS, None, saying(fields))
    assert answer.model_calls == (0 if answer.stray else 1)
    _check(case, answer)


@pytest.mark.parametrize("case", CASES, ids=[str(case["text"]) for case in CASES])
async def test_a_guessing_model_fills_nothing_unsaid(case: dict[str, str | None]) -> None:
    """A model that fills every field with plausible values and any quotes gets no unsaid or wrong value accepted."""
    text = str(case["text"])
    for quote, turn in itertools.product(_pieces(text), range(6)):
        guess = {name: {"value": values[turn % len(values)], "quote": quote} for name, values in GUESSES.items()}
        for reading in (
            (await understand(text, [COMPENSATION], saying(guess))).reading,
            await extract(text, SPECS, None, saying(guess)),
        ):
            for name in WANTED:
                if name in case and name in reading.fields and name != "reason":
                    assert reading.fields[name].value == case[name], (text, name, quote)
            if "reason" in case and case["reason"] is None:
                assert "reason" not in reading.fields, (text, quote, reading.fields["reason"])
            if case.get("reason") and "reason" in reading.fields:
                assert str(reading.fields["reason"].value) in str(case["reason"])


def test_every_accepted_quote_stands_in_the_text() -> None:
    """The quote of each fact is found, as written, in the text it came from."""
    for case in CASES:
        for fact in read_alone(str(case["text"]), SPECS, asked=True).fields.values():
            assert fact.quote and fact.quote in str(case["text"])
