"""Procedures that are started by name."""

from __future__ import annotations

import pytest

from graph.opening import cards
from graph.reading import understand
from graph.reading.explicit import explicit, spelled
from tests.unit.graph.builders import shipped

SOPS = cards(shipped())


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("start refund KL-901 客人退单", "refund", "KL-901 客人退单"),
        ("Start REFUND: KL-901", "refund", "KL-901"),
        ("start refund", "refund", ""),
        ("start refund_arrival KL-901", "refund_arrival", "KL-901"),
        ("start bandwidth sales", "bandwidth_sales", ""),
        ("start　ｃｏｍｐｅｎｓａｔｉｏｎ　KL-778", "compensation", "KL-778"),
    ],
)
def test_name_and_words(text: str, name: str, rest: str) -> None:
    """The longest name that the words begin with, and what follows it."""
    found = explicit(text, SOPS)
    assert found is not None
    assert (found.sop.name, found.words) == (name, rest)


def test_titles() -> None:
    """A title names its procedure in both languages, with a Chinese verb too."""
    for sop in SOPS:
        for title in (sop.title.zh, sop.title.en):
            found = explicit(f"发起 {title} KL-901", SOPS)
            assert found is not None
            assert (found.sop.name, found.words) == (sop.name, "KL-901")


@pytest.mark.parametrize(
    "text",
    [
        *("start a refund for KL-778", "restart refund", "start practice", "refund KL-901", "start", "开始"),
        *("start refund once the guest agrees", "start refund for KL-901?", "start refund 等客人同意再说"),
    ],
)
def test_what_names_none(text: str) -> None:
    """A sentence, another word, an internal procedure, a name without the verb, a question, what is put off."""
    assert explicit(text, SOPS) is None


async def test_the_name_outranks_the_words() -> None:
    """What else the words could ask for does not count, and their fields are read for the named procedure alone."""
    heard = await understand(spelled("refund", "给 KL-778 补偿 80 美元现金"), SOPS, None)
    assert (heard.mode, heard.sop) == ("sop", "refund")
    assert heard.reading.fields["order_id"].value == "KL-778"
    assert set(heard.reading.fields) <= {field.name for sop in SOPS if sop.name == "refund" for field in sop.fields}
