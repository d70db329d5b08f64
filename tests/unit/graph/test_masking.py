"""What is sensitive is reduced to four signs."""

from __future__ import annotations

import pytest

from graph.fields import parse
from graph.fields.spec import FieldSpec
from graph.masking import masked_fact
from graph.model import Fact, Problem, Text
from graph.phrases import catalogue, last_four, masked, problem_text, without_numbers


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("中国银行 6222 0000 1234，户名王女士", "1234"),
        ("Bank of China 6222 0000 1234, Ms Wang", "1234"),
        ("DE89370400440532013000 Anna", "3000"),
        ("6222-0000-1234", "1234"),
        ("6222 0000 1234 尾 5678", "1234"),
        ("6222 0000 1234，户名王女士，手机 13800138000", "1234"),
        ("anna.berg", "berg"),
        ("1234", ""),
        ("abc", ""),
        ("", ""),
        ("…1234", "1234"),
        ("…", ""),
    ],
)
def test_last_four_are_digits_where_there_is_a_number(value: str, shown: str) -> None:
    """The last four digits are shown, never a name that follows them; nothing of a value too short to hide the rest."""
    assert last_four(value) == shown


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("商户漏发接送 转到 6222000012345678 中国银行", "商户漏发接送 转到 …5678 中国银行"),
        ("电话 138 0013 8000 打不通", "电话 …8000 打不通"),
        ("2026-12-01 14:00 出发，迟到两小时", "2026-12-01 14:00 出发，迟到两小时"),
        ("补偿单 RA261130115344：150 USD", "补偿单 RA261130115344：150 USD"),
    ],
)
def test_free_text_hides_long_numbers(words: str, shown: str) -> None:
    """An account that somebody wrote into a reason is not shown; dates and numbers of documents stay."""
    assert without_numbers(words) == shown


def test_masking_twice_is_masking_once() -> None:
    """A masked fact stays what it is, and no quote of a sensitive value survives."""
    fact = Fact(type="account", value="Bank of China 6222 0000 1234, Ms Wang", quote="6222 0000 1234", sensitive=True)
    once = masked_fact(Fact(type="record", value={"account": fact, "open": Fact(type="text", value="yes")}))
    assert masked_fact(once) == once
    assert once.plain() == {"account": "…1234", "open": "yes"}
    assert "6222" not in once.model_dump_json()


def test_masked_in_both_languages() -> None:
    """People read the ending, or that it is hidden."""
    assert masked("6222 0000 1234") == Text(zh="尾号 1234", en="ending 1234")
    assert masked("12") == catalogue()["common.hidden"]


@pytest.mark.parametrize("code", [name.partition(".")[2] for name in catalogue() if name.startswith("problems.")])
def test_every_problem_can_be_said(code: str) -> None:
    """Each code of a problem has its words, with the field's label and what was said."""
    given = {"field": "amount", "code": code, "quote": "QUOTE", "limit": "USD", "candidates": ["1", "2"]}
    problem = Problem.model_validate(given)
    said = problem_text(problem, Text(zh="金额", en="amount"))
    assert "金额" in said.zh
    assert "amount" in said.en.lower()


def test_a_refused_account_is_a_problem_in_words() -> None:
    """A value that a form refuses gives a problem that can be put under the field."""
    spec = FieldSpec(name="account", type="account", label=Text(zh="账户", en="account"), pattern=r"\d{8,34}")
    refused = parse(spec, "12")
    assert isinstance(refused, Problem)
    assert "account" in problem_text(refused, spec.label).en.lower()
