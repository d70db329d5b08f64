"""Corrections in words: what is said to be another, and what only looks like it."""

from __future__ import annotations

import pytest

from graph.model import Fact
from graph.reading.changes import changes
from graph.reading.orders import drops, hands_over
from tests.unit.graph.builders import money, shipped, word

LIBRARY = shipped()
FIELDS = LIBRARY.words.fields
TOLD = [FIELDS[name] for name in LIBRARY.sops["compensation"].told]
KNOWN = {
    "order_id": Fact(type="code", value="KL-778"),
    "amount": money("80"),
    "reason": word("商户漏发接送"),
    "comp_type": Fact(type="choice", value="cash"),
}

CORRECTIONS: list[tuple[str, dict[str, str]]] = [
    ("金额改成 200", {"amount": "200"}),
    ("把金额改为200美元", {"amount": "200"}),
    ("把 KL-778 的金额改成 200", {"amount": "200"}),
    ("金额改成三百", {"amount": "300"}),
    ("改为1,200.50 USD", {"amount": "1200.50"}),
    ("改成 200", {"amount": "200"}),
    ("改成积分", {"comp_type": "credit"}),
    ("换成积分吧", {"comp_type": "credit"}),
    ("改成 200 积分", {"amount": "200", "comp_type": "credit"}),
    ("金额改成 200，方式改成积分", {"amount": "200", "comp_type": "credit"}),
    ("客人要求改成积分", {"comp_type": "credit"}),
    ("不要现金，给积分", {"comp_type": "credit"}),
    ("不是 778 是 788", {"order_id": "KL-788"}),
    ("不是 KL-778，是 KL-788", {"order_id": "KL-788"}),
    ("单号是KL-788不是KL-778", {"order_id": "KL-788"}),
    ("订单号写错了，是 KL-788", {"order_id": "KL-788"}),
    ("订单应该是 KL-502", {"order_id": "KL-502"}),
    ("change KL-778 to KL-502", {"order_id": "KL-502"}),
    ("it's KL-788, not KL-778", {"order_id": "KL-788"}),
    ("not 778 but 788", {"order_id": "KL-788"}),
    ("not cash but credit", {"comp_type": "credit"}),
    ("不是80是200", {"amount": "200"}),
    ("从 80 改成 200", {"amount": "200"}),
    ("打错了，是 200", {"amount": "200"}),
    ("金额 200", {"amount": "200"}),
    ("amount: 200", {"amount": "200"}),
    ("change the amount to 200", {"amount": "200"}),
    ("can you change the amount to 200?", {"amount": "200"}),
    ("make it 200", {"amount": "200"}),
    ("make it credit", {"comp_type": "credit"}),
    ("200 instead of 80", {"amount": "200"}),
    ("sorry, I meant 200", {"amount": "200"}),
    ("原因改成导游迟到", {"reason": "导游迟到"}),
    ("原因改成导游迟到，客人很生气", {"reason": "导游迟到，客人很生气"}),
    ("不是商户漏发接送，是导游迟到", {"reason": "导游迟到"}),
    ("reason should be the guide was late", {"reason": "the guide was late"}),
    ("账号改成 中国银行 6222 0000 9999，户名王女士", {"bank_account": "中国银行 6222 0000 9999，户名王女士"}),
]
NONE = [
    "积分",
    "行",
    "金额不对",
    "能改成积分吗",
    "别改成 200",
    "先别改成200",
    "如果客人同意就改成 200",
    "don't change the amount to 200",
    "商户把集合时间改成 8 点",
    "导游把行程改成半天",
    "客人昨天花了 50 美元",
    "给 KL-502 改成补 200",
    "订单金额改成 200",
    "不是 70 是 90",
    "not credit but cash",
    "算了，金额改成 200",
    "KL-502 的金额改成 200",
]


@pytest.mark.parametrize(("said", "wanted"), CORRECTIONS, ids=[said for said, _ in CORRECTIONS])
def test_a_correction_is_read_with_its_words(said: str, wanted: dict[str, str]) -> None:
    """The new values, and nothing else; each quote stands in the message."""
    found = changes(said, KNOWN, TOLD)
    assert found is not None
    assert {name: fact.value for name, fact in found.fields.items()} == wanted
    assert all(fact.quote and fact.quote in said for fact in found.fields.values())
    assert found.problems == []


@pytest.mark.parametrize("said", NONE)
def test_what_only_looks_like_a_correction_changes_nothing(said: str) -> None:
    """Questions, conditions, refusals, stories, another order, an old value that is not the known one."""
    assert changes(said, KNOWN, TOLD) is None


@pytest.mark.parametrize(
    ("said", "code"),
    [("金额改成 200 欧元", "currency"), ("金额改成50到80", "range"), ("方式改成现金还是积分都行", "several")],
)
def test_a_value_that_cannot_be_taken_is_named(said: str, code: str) -> None:
    """Instead of being taken for something else."""
    found = changes(said, KNOWN, TOLD)
    assert found is not None and found.fields == {}
    assert [problem.code for problem in found.problems] == [code]


def test_an_answer_is_an_answer() -> None:
    """What is asked for and not known is no correction, though said as one; beside one it is taken, too."""
    asked = [FIELDS["comp_type"]]
    known = {name: fact for name, fact in KNOWN.items() if name != "comp_type"}
    alone, both = changes("改成积分", known, TOLD, asked), changes("积分，金额改成 50", known, TOLD, asked)
    assert alone is not None and both is not None
    assert (alone.answers, {name: fact.value for name, fact in alone.fields.items()}) == (True, {"comp_type": "credit"})
    assert not both.answers
    assert {name: fact.value for name, fact in both.fields.items()} == {"amount": "50", "comp_type": "credit"}


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("原因改成导游迟到，谢谢", {"reason": "导游迟到"}),
        ("reason should be the guide was late", {"reason": "the guide was late"}),
        ("打错了，是 200", {"amount": "200"}),
        ("房间应该是海景房", None),
        ("导游说应该是下午到", None),
    ],
)
def test_an_answer_may_be_said_as_a_correction(said: str, wanted: dict[str, str] | None) -> None:
    """The words around the value are not taken for a part of it; a story that sounds like them stays whole."""
    asked = [FIELDS[name] for name in ("amount", "reason", "comp_type")]
    found = changes(said, {"order_id": KNOWN["order_id"]}, TOLD, asked)
    assert (found and {name: fact.value for name, fact in found.fields.items()}) == wanted
    assert found is None or found.answers


@pytest.mark.parametrize(
    ("said", "how"),
    [
        ("转给 @王", "named"),
        ("把这单转给@U0WANG 处理", "named"),
        ("hand over to @Kim", "named"),
        ("please assign this to @王", "named"),
        ("转交给同事", "unnamed"),
        ("hand this over", "unnamed"),
        ("转给客人", ""),
        ("transfer it to my account", ""),
        ("转到 6222000", ""),
    ],
)
def test_a_hand_over_is_told_from_a_transfer(said: str, how: str) -> None:
    """Money is transferred to accounts, cases are handed to people."""
    assert hands_over(said) == how


@pytest.mark.parametrize(
    ("said", "dropped"),
    [("这单不办了，谢谢", True), ("please cancel this case", True), ("主管不同意", False), ("行程取消了，客人生气", False)],
)
def test_a_message_that_drops_the_case(said: str, dropped: bool) -> None:
    """And does nothing else."""
    assert drops(said) is dropped
