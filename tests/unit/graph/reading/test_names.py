"""Names of people in what the bot writes: each must be in what it was written from."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.reading import grounded
from graph.reading.names import names_in
from tests.unit.graph.builders import shipped

RECORD = "订单 KL-778 客人 王女士 80 USD 批准人 陈晓明 approved_by Emma Stone amount reason 导游迟到"


@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("已为王女士补偿 80 USD", True),
        ("由陈晓明批准", True),
        ("主管批准了 80 USD", True),
        ("金额已批准，现金余款待转", True),
        ("Emma Stone approved 80 USD", True),
        ("Approved by Emma. The customer was told; USD 80 was submitted.", True),
        ("The agent transfers it. Compensation is submitted", True),
        ("已为李女士补偿 80 USD", False),
        ("由赵敏批准", False),
        ("主管张伟已批准", False),
        ("批准人：周杰", False),
        ("欧阳经理同意了", False),
        ("Approved by John Smith", False),
        ("Peter approved 80 USD", False),
        ("Mr. Wang was paid 80 USD", False),
        ("80 USD was paid after Emma Watson agreed", False),
    ],
)
def test_a_name_must_be_in_a_source(said: str, true: bool) -> None:
    """With a title, as who decided, or with a capital letter; roles and the head of a sentence are no names."""
    assert grounded(said, [RECORD]) is true


PIECES = st.sampled_from(
    (
        *("王女士", "由陈晓明批准", "主管", "金额", "Emma Stone approved", "Mr. Li", "80 USD", "KL-778", "9月4日"),
        *("5 到 7 个工作日", "已提交。", "by "),
    )
)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.lists(PIECES, max_size=8).map(" ".join))
def test_what_is_said_is_grounded_in_itself(text: str) -> None:
    """Whatever a text names, the same text bears it out."""
    assert grounded(text, [text])


def test_the_handbook_is_grounded_in_itself() -> None:
    """An answer in a passage's own words passes, in both languages; no heading of ours looks like a person."""
    for passage in shipped().handbook.passages:
        for words in (passage.text.zh, passage.text.en):
            assert grounded(words, [words])
            assert {name for name in names_in(words) if not name.isascii()} == set()
