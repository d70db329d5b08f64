"""Moves of the conversation: whole messages that are no values."""

from __future__ import annotations

import pytest

from graph.reading import recognise, says_yes
from tests.unit.graph.reading.house import external


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("facts", "facts"),
        ("已知信息", "facts"),
        ("Trail", "trail"),
        ("执行记录。", "trail"),
        ("help", "help"),
        ("帮助", "help"),
        ("？", "help"),
        ("retry", "retry"),
        ("再试一次", "retry"),
        ("取消", "cancel"),
        ("算了！", "cancel"),
        ("never mind", "cancel"),
        ("为什么要问这个？", "why"),
        ("Why?", "why"),
        ("对", "yes"),
        ("Yes, go on", "yes"),
        ("好的，谢谢", "yes"),
        ("👌🏽", "yes"),
        ("不", "no"),
        ("no, thanks", "no"),
        ("先补偿了还能退款吗", "question"),
        ("how can I do that?", "question"),
        ("can I give credit instead", "question"),
        ("yes no", None),
        ("那就 150", None),
        ("好，那就 150", None),
        ("积分", None),
        ("不要现金，给积分", None),
        ("300 美元，退回卡里", None),
        ("中国银行 6222 0000 1234，户名王女士", None),
        ("KL-778 能补 80 吗", None),
        ("80 USD ok?", None),
        ("先别补了", None),
        ("取消订单 KL-778", None),
        ("", None),
    ],
)
def test_a_whole_message_that_is_a_move(text: str, move: str | None) -> None:
    """Only a message that is nothing but the move is one; an answer, a mixed message or a doubt is none."""
    assert recognise(text) == move


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("对，改成 150", None),
        ("yes but make it 150", None),
        ("可以吗", None),
        ("是不是", None),
        ("同意，那不好", None),
        ("agree, it is not ok", None),
        ("对，我说了不是", None),
        ("可以退现金", None),
        ("the guide was not there", None),
        ("对，尽快", True),
        ("no problem", True),
        ("没问题", True),
        ("不是，我说是7月4号", False),
        ("不行", False),
        ("the guide was late", None),
        ("", None),
    ],
)
def test_a_yes_is_clean_or_no_yes(text: str, answer: bool | None) -> None:
    """A yes with a condition, a number, a question or a no in it is not a yes."""
    assert says_yes(text) is answer


def test_yes_and_no_as_others_collected_them() -> None:
    """The foreign cases agree, but for those that say both, which are no yes here."""
    both = {"同意，那不好", "对，我说了不是", "agree, it is not ok"}
    for name in ("zh_bool", "en_bool"):
        for case in external(name):
            want = case["want"]
            assert isinstance(want, list)
            assert says_yes(str(case["text"])) is (None if case["text"] in both else want[0]["value"]), case["text"]
