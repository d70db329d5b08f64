"""What is said and is not of this case: another's number, another day, no reason, an amount before a decision."""

from __future__ import annotations

import re
from datetime import date

import pytest

from graph.fields import FieldSpec
from graph.fields.words import Source
from graph.model import Text
from graph.reading.alone import read_alone
from graph.reading.decided import decided
from graph.reading.foreign import foreign_code, foreign_number
from graph.reading.nothing import only_a_number, says_nothing

_TODAY = date(2026, 11, 30)


def _field(name: str, kind: str, zh: str, pattern: str | None = None) -> FieldSpec:
    return FieldSpec.model_validate(
        {"name": name, "type": kind, "label": Text(zh=zh, en=name.replace("_", " ")), "pattern": pattern}
    )


_ACCOUNT = _field("bank_account", "account", "客人收款账户", r"\d{8,34}")
_CHECK_IN = _field("check_in", "date", "入住日期")
_NIGHTS = _field("nights", "integer", "晚数")
_AMOUNT = _field("amount", "money", "金额")


@pytest.mark.parametrize(
    ("words", "foreign"),
    [
        ("商家收款账号是 6217001234567890", True),
        ("our company acct is 6217001234567890", True),
        ("don't use 6217001234567890", True),
        ("6217001234567890 belongs to the driver", True),
        ("客人的卡号 6217001234567890", False),
        ("hsbc 6217001234567890", False),
    ],
)
def test_a_number_of_somebody_else_is_none_of_the_customers(words: str, foreign: bool) -> None:
    """The words around a number tell whose it is, and whether it is in use."""
    digits = re.search(r"\d{8,}", words)
    assert digits is not None and foreign_number(words, *digits.span()) is foreign


def test_a_relatives_number_is_not_the_customers() -> None:
    """`that's his wife's number` turns a customer's number down; the bare number stands."""
    assert foreign_code("cu100200 是他老婆的号", 0, 8) and not foreign_code("cu100200", 0, 8)


@pytest.mark.parametrize(
    "words", ["待补充", "原因不详", "跟上面一样", "reason unknown", "see above", "cheers mate", "the usual"]
)
def test_words_in_the_place_of_a_reason_are_none(words: str) -> None:
    """Placeholders, pointers and greetings give no reason."""
    assert says_nothing(words)


@pytest.mark.parametrize(
    "words", ["空调坏了", "visa denied", "老人住院", "the usual guide was drunk", "same room was dirty again"]
)
def test_a_short_reason_is_one(words: str) -> None:
    """What tells something is not taken for a placeholder."""
    assert not says_nothing(words) and not only_a_number(words)


@pytest.mark.parametrize(
    ("text", "spec", "value"),
    [
        ("dec 20 is her birthday", _CHECK_IN, None),
        ("12 月 9 号满房了", _CHECK_IN, None),
        ("12 月 9 号入住", _CHECK_IN, "2026-12-09"),
        ("3 adults", _NIGHTS, None),
        ("金额改成 1", _NIGHTS, None),
        ("退房是第 3 天", _NIGHTS, None),
        ("3 nights", _NIGHTS, 3),
        ("old account 6217001234567890 is closed, use 6217009999888877", _ACCOUNT, "use 6217009999888877"),
        ("a hundred? no, make it 120", _AMOUNT, "120"),
        ("一百元美金", _AMOUNT, "100"),
        ("he demands 300 but we'll do 100", _AMOUNT, "100"),
    ],
)
def test_only_what_is_meant_for_the_field_fills_it(text: str, spec: FieldSpec, value: str | int | None) -> None:
    """A trap leaves the field empty, its twin fills it."""
    fact = read_alone(text, (spec,), asked=True, today=_TODAY).fields.get(spec.name)
    assert (fact.value if fact else None) == value


def test_what_is_added_is_no_decision() -> None:
    """`give 80, and finally another 20` leaves the 80 in force."""
    assert decided(Source("he wants 300, finally we give 20").norm, settled=True) is not None
    assert decided(Source("give 80, finally another 20").norm, settled=True) is None
