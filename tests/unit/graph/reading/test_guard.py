"""What the bot writes is grounded in what it was written from."""

from __future__ import annotations

import pytest

from graph.reading import grounded

RECORD = (
    "订单 KL-778 王女士 amount 80 USD, gateway 60, manual_transfer 20, account 中国银行 6222 0000 1234, RA260904153247, "
    "2026-09-04 15:32"
)
POLICY = "退款一般在 5 到 7 个工作日到账。先补偿再退款不可以。上限 500 美元，积分有效期百分之八十"


@pytest.mark.parametrize(
    ("said", "source", "true"),
    [
        ("已为 KL-778 补偿 80 美元，60.00 走网关，RA260904153247。", RECORD, True),
        ("补偿八十美元，$20 手工转到尾号 1234", RECORD, True),
        ("８０ USD", RECORD, True),
        ("一笔补偿已提交", RECORD, True),
        ("one transfer of 20 USD", RECORD, True),
        ("9月4日 15:32 提交", RECORD, True),
        ("2026年9月4日", RECORD, True),
        ("Nothing left to do", RECORD, True),
        ("", RECORD, True),
        ("补偿 81 美元", RECORD, False),
        ("共 140 USD", RECORD, False),
        ("两百 USD", RECORD, False),
        ("几百 USD", RECORD, False),
        ("80 EUR", RECORD, False),
        ("20 元待转", RECORD, False),
        ("80%", RECORD, False),
        ("KL-779", RECORD, False),
        ("RA260904153248", RECORD, False),
        ("尾号 5678", RECORD, False),
        ("转到 622200001235", RECORD, False),
        ("9月5日", RECORD, False),
        ("15:33", RECORD, False),
        ("三天内到账", RECORD, False),
        ("马上到账", RECORD, False),
        ("it will arrive soon", RECORD, False),
        ("by Friday", RECORD, False),
        ("明天到账", RECORD, False),
        ("退款 5-7 个工作日到账", POLICY, True),
        ("Refunds take 5 to 7 business days", POLICY, True),
        ("7 个工作日内到账", POLICY, True),
        ("80%", POLICY, True),
        ("5 个工作日内到账", POLICY, False),
        ("refunds take three business days", POLICY, False),
        ("several days", POLICY, False),
    ],
)
def test_numbers_ids_dates_and_promises_must_be_in_a_source(said: str, source: str, true: bool) -> None:
    """A number, id, date, currency or time that no source holds, in whatever writing, is not grounded."""
    assert grounded(said, ["nothing here", source]) is true


def test_a_long_source_is_read_to_its_end() -> None:
    """A number at the end of a long handbook is found."""
    assert grounded("500 美元", ["客人 " * 20_000 + POLICY])
    assert not grounded("501 美元", ["客人 " * 20_000 + POLICY])
    assert not grounded("80", [])
