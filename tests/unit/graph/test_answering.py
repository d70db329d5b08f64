"""An answer never says the opposite of the handbook."""

from __future__ import annotations

import pytest

from graph.answering import agrees


@pytest.mark.parametrize(
    ("said", "quote", "fits"),
    [
        ("可以，完全没问题。", "不可以，先补偿、再退款走不通。", False),
        ("不可以，退款那边会拦。", "不可以，先补偿、再退款走不通。", True),
        ("没问题，可以补。", "不可以，先补偿、再退款走不通。", False),
        ("Yes, you can.", "No, you cannot refund after compensating.", False),
        ("You may refund it.", "No, you cannot refund after compensating.", False),
        ("No.", "No, you cannot refund after compensating.", True),
        ("You cannot.", "No, you cannot refund after compensating.", True),
        ("不行。", "可以，写明原因即可。", False),
        ("No, never.", "Yes, with a reason.", False),
        ("可以。", "可以，写明原因即可。", True),
        ("最多 150 美元。", "迟到两小时，最多补 150 美元。", True),
        ("没问题，可以补。", "可以，写明原因即可。", True),
    ],
)
def test_yes_and_no_are_those_of_the_handbook(said: str, quote: str, fits: bool) -> None:
    """Words that begin with yes are not used where the passage begins with no, nor the other way round."""
    assert agrees(said, quote) is fits
