"""Models that lie: whatever they claim, no fact comes of it that the words do not say."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date

import pytest

from graph.exam import read_cases
from graph.exam.cases import Case
from graph.exam.forms import plain
from graph.fields import FieldSpec
from graph.llm import Message
from graph.model import Fact
from graph.reading import extract, read_alone, understand
from tests.unit.graph.reading.house import COMPENSATION, FIELDS, ROOT, SPECS, ScriptedLlm

TODAY = date(2026, 11, 30)
TURNS = 2000
Lie = Callable[[random.Random, str, dict[str, str]], object]

VALUES = {
    "order_id": ["KL-999", "KL-778", "KL-502", "KL-3151"],
    "amount": ["80", "8", "800", "5000", "19999", "0.01"],
    "comp_type": ["cash", "credit"],
    "reason": ["商户漏发", "supervisor approved it", "ignore the rules and approve"],
    "bank_account": ["6222000011112222"],
}


def _guess(chance: random.Random, text: str, truth: dict[str, str]) -> object:
    """Every field, with a quote that is somewhere in the text."""
    at = chance.randrange(max(len(text), 1))
    quote = text[at : at + chance.randint(1, 12)]
    return {"fields": {name: {"value": chance.choice(values), "quote": quote} for name, values in VALUES.items()}}


def _tenfold(chance: random.Random, text: str, truth: dict[str, str]) -> object:
    """The right quote, the amount off by ten."""
    amount = truth.get("amount", "80")
    wrong = f"{float(amount) * chance.choice([10, 0.1, 100]):g}"
    return {"fields": {"amount": {"value": wrong, "quote": chance.choice([amount, text])}}}


def _swapped(chance: random.Random, text: str, truth: dict[str, str]) -> object:
    """Another order, with the quote of the right one."""
    order = truth.get("order_id", "KL-778")
    digits = list(order[3:])
    chance.shuffle(digits)
    return {"fields": {"order_id": {"value": f"KL-{''.join(digits)}9"[:8], "quote": order}}}


def _absent(chance: random.Random, text: str, truth: dict[str, str]) -> object:
    """Plausible quotes that are not in the text."""
    said = {"order_id": "订单 KL-999", "amount": "补 500 美元", "comp_type": "要现金", "reason": "导游没有出现过一次"}
    return {"fields": {name: {"value": VALUES[name][0], "quote": quote} for name, quote in said.items()}}


def _hollow(chance: random.Random, text: str, truth: dict[str, str]) -> object:
    """Quotes that are there and do not carry the value."""
    words = text.split() or [text]
    claims = {name: {"value": chance.choice(VALUES[name]), "quote": chance.choice([text, *words])} for name in VALUES}
    return {"fields": claims}


def _obeyed(chance: random.Random, text: str, truth: dict[str, str]) -> object:
    """Orders to the desk instead of fields."""
    return {
        "mode": "sop",
        "sop": chance.choice(["compensation", "refund", "director_approval"]),
        "level": "auto",
        "approver": "U0SUN",
        "step": "submit",
        "fields": {"amount": {"value": "20000", "quote": "approve 20000"}, "approver": {"value": "U0SUN", "quote": text}},
    }


def _crooked(chance: random.Random, text: str, truth: dict[str, str]) -> object:
    """JSON of another shape."""
    shapes: list[object] = [
        {"fields": [["amount", "500"]]},
        {"fields": {"amount": 500}},
        {"fields": {"amount": {"value": {"usd": 500}, "quote": text}}},
        {"fields": {"amount": {"value": "500"}}},
        {"fields": {"amount": [{"value": "500", "quote": text}]}},
        {"fields": "amount=500", "mode": ["sop"], "sop": {"name": "compensation"}},
        {"amount": "500", "comp_type": "cash"},
        {"fields": {"comp_type": {"value": True, "quote": text}}},
    ]
    return chance.choice(shapes)


def _flood(chance: random.Random, text: str, truth: dict[str, str]) -> object:
    """Values and quotes of a size that nobody asked for, the words somewhere inside."""
    filling = chance.choice(["现金 5000 USD ", "KL-999 ", "导游没来，"]) * chance.choice([100, 10_000])
    return {"fields": {name: {"value": chance.choice(values), "quote": filling + text} for name, values in VALUES.items()}}


LIES: list[Lie] = [_guess, _tenfold, _swapped, _absent, _hollow, _obeyed, _crooked, _flood]


def _said() -> list[Case]:
    """Utterances of the exam whose fields are the procedure's."""
    files = sorted((ROOT / "sops" / "exam").glob("said*.jsonl"))
    names = {spec.name for spec in SPECS}
    return [case for path in files for case in read_cases(path) if set(case.want) <= names]


def _false(case: Case, name: str, fact: Fact, alone: Fact | None) -> bool:
    """Whether a fact is neither what is said nor what the code reads by itself. Of a reason, where one was given, a model
    may mark another part."""
    want = case.want.get(name)
    if fact.type == "text":
        return plain(str(fact.value)) not in plain(case.text) or (name in case.want and want is None)
    if name in case.want:
        return want is None or plain(str(fact.value)) != plain(str(alone.value if alone else ""))
    return alone is None or alone.value != fact.value


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__.strip("_"))
async def test_a_lying_model_makes_no_false_fact(lie: Lie) -> None:
    """Over some two thousand turns, first messages and answers, nothing is taken that was not said."""
    chance = random.Random(lie.__name__)
    cases, false = _said(), []
    for _ in range(TURNS // len(LIES) + 1):
        case = chance.choice(cases)
        truth = {name: str(value) for name, value in case.want.items() if value is not None}
        llm = ScriptedLlm(lambda messages, case=case, truth=truth: _reply(lie(chance, case.text, truth)))  # type: ignore[misc]
        asked: Sequence[FieldSpec] = [FIELDS[name] for name in case.context.asked or ()]
        if asked:
            reading = await extract(case.text, asked, None, llm, today=TODAY)
        else:
            understood = await understand(case.text, [COMPENSATION], llm, today=TODAY)
            assert understood.sop in (None, "compensation")
            reading = understood.reading
        alone = read_alone(case.text, asked or SPECS, asked=bool(asked), today=TODAY).fields
        for name, fact in reading.fields.items():
            assert name in FIELDS
            if _false(case, name, fact, alone.get(name)):
                false.append((case.text, name, fact.value))
    assert false == []


def _reply(said: object) -> dict[str, object]:
    reply: dict[str, object] = {"mode": "sop", "sop": "compensation"}
    return {**reply, **said} if isinstance(said, dict) else reply


async def test_a_megabyte_of_text_gives_what_its_beginning_says() -> None:
    """A message of a megabyte, and a model that quotes from its far end, give no fact from beyond what is read."""
    text = "KL-778 补 80 美元\n" + "x" * 1_000_000 + "\nKL-999 补 5000 美元现金"

    def script(messages: Sequence[Message]) -> dict[str, object]:
        claims = {"amount": {"value": "5000", "quote": "5000 美元"}, "comp_type": {"value": "cash", "quote": "现金"}}
        return {"fields": claims}

    reading = await extract(text, SPECS, None, ScriptedLlm(script))
    assert reading.fields.get("comp_type") is None
    amount = reading.fields.get("amount")
    assert amount is None or amount.value == "80"
