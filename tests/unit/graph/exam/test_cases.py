"""The exam's files: what is accepted, and how a mistake is named."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from graph.errors import SopMistakes
from graph.exam import Case, read_cases
from graph.exam.marks import mark
from graph.model import Fact


def _written(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines), encoding="utf-8")
    return path


def _one(tmp_path: Path, line: object) -> Case:
    return read_cases(_written(tmp_path / "f.jsonl", line))[0]


@pytest.mark.parametrize(
    "context",
    [
        {"sop": "compensation", "asked": ["amount"]},
        {"sop": "compensation", "fields": ["amount"]},
        {"sop": "compensation", "asked": "amount"},
        {"procedure": "compensation", "missing": ["amount"]},
        {"sop": "compensation", "fields": {"amount": {"type": "money"}}},
        {"sop": "compensation", "asked": [{"name": "amount", "type": "money"}]},
        {"sop": "compensation", "fields": {"amount": "money"}},
        {"sop": "compensation", "fields": {"amount": None}},
    ],
)
def test_the_fields_just_asked_for_may_be_written_in_several_ways(tmp_path: Path, context: object) -> None:
    """Names, one name, definitions by name or in a list: all say which fields were asked for."""
    case = _one(tmp_path, {"text": "80", "context": context, "want": {"amount": "80"}})
    assert (case.context.sop, case.context.asked) == ("compensation", ("amount",))


def test_a_context_line_holds_for_the_lines_after_it(tmp_path: Path) -> None:
    """Procedures and the day that stand in a line of their own need not be repeated."""
    sops = [{"name": "refund", "title": "退款", "description": {"zh": "退钱", "en": "Money back"}}]
    path = _written(tmp_path / "f.jsonl", {"sops": sops, "today": "2026-11-30"}, "", {"text": "退款", "route": "refund"})
    (case,) = read_cases(path)
    assert case.context.sops and case.context.sops[0].title.en == "退款"
    assert case.context.today == date(2026, 11, 30) and case.line == 3


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "2: one JSON object a line"),
        ("[1]", "2: one JSON object a line: this is a list"),
        ({"text": "80"}, "2: line: neither `want`"),
        ({"want": {"amount": None}}, "2: text: Field required"),
        ({"text": "80", "want": {"amount": "80"}, "context": {"colour": 1}}, "2: context.colour: Extra inputs"),
        ({"text": "80", "want": {"amount": {"usd": 80}}}, "2: want: amount: a value is written bare"),
        ({"text": "80", "want": ["amount"]}, "2: want: Input should be a valid dictionary"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_line(tmp_path: Path, line: object, said: str) -> None:
    """Every wrong line is named, with its place and what was expected."""
    path = _written(tmp_path / "f.jsonl", {"text": "a", "want": {}}, line)
    with pytest.raises(SopMistakes) as error:
        read_cases(path)
    assert str(error.value).startswith(f"{path}:{said}")


@pytest.mark.parametrize(
    ("want", "right"),
    [
        *((80, True), ("80", True), ("80.00", True), ("80 USD", True), ("$80", True), ({"amount": "80"}, True)),
        *(({"value": 80, "currency": "USD"}, True), ([70, {"value": "80 USD"}], True)),
        *(("80 CNY", False), ({"value": 80, "currency": "EUR"}, False)),
        *((8, False), (None, False), ({"value": None}, False), ("", False)),
    ],
)
def test_money_may_be_wanted_in_several_ways(tmp_path: Path, want: object, right: bool) -> None:
    """With and without its currency, as a number, a string or a map; another currency is another amount."""
    for line in ({"want": {"amount": want}}, {"want": [{"field": "amount", "value": want}]}):
        case = _one(tmp_path, {"text": "80 dollars", **line})
        fact = Fact(type="money", value="80", currency="USD")
        assert (mark(case, "amount", case.want["amount"], fact, "").verdict == "found") is right


@pytest.mark.parametrize(
    ("route", "routes"),
    [
        *((None, ("unclear", "question", "chat")), ("none", ("unclear", "question", "chat")), ("refund", ("refund",))),
        *((["refund", None], ("refund", "unclear", "question", "chat")), ({"sop": "refund"}, ("refund",))),
        *(({"mode": "question"}, ("question",)), ("question", ("question",))),
    ],
)
def test_a_route_may_be_written_in_several_ways(tmp_path: Path, route: object, routes: tuple[str, ...]) -> None:
    """A name, a mode, several of them, or null for whatever is no procedure."""
    assert _one(tmp_path, {"text": "hello", "route": route}).routes == routes
