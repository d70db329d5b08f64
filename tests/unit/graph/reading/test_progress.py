"""Asking how far a case is, told from news about it."""

from __future__ import annotations

import pytest

from graph.reading.progress import asks_how_far

ASKED = (
    *("到了吗?", "到账没", "到了没有？", "有消息了吗", "客人又在催，到了吗", "怎么样了", "批了吗", "进展如何", "什么情况"),
    *("any news?", "what's the status?", "has it arrived?", "where is the refund", "how is it going"),
    "Is there any update on this?",
)
OTHER = (
    *("到了", "到账了", "客人说到账了", "还没到", "批了", "到账要几天？", "可以退款吗", "取消", "客人要投诉", ""),
    *("it arrived", "the money has arrived", "how long does a refund take?"),
)


@pytest.mark.parametrize(("text", "asks"), [*((each, True) for each in ASKED), *((each, False) for each in OTHER)])
def test_how_far_it_is(text: str, asks: bool) -> None:
    """The whole message is the question; news, other questions and orders are not."""
    assert asks_how_far(text) is asks
