"""Questions set right before the handbook is searched: width, spelling, and what "it" stands for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.wiring.vocabulary import load_library
from graph.reading.repair import repaired

WORDS = {"bandwidth", "installation", "termination", "streaming", "invoice", "monthly", "payment"}


@pytest.mark.parametrize(
    ("asked", "subject", "meant"),
    [
        ("ｈｏｗ ｌｏｎｇ ｄｏｅｓ ｉｎｓｔａｌｌａｔｉｏｎ ｔａｋｅ？", "", "how long does installation take?"),
        ("early terminaton fee?", "", "early termination fee?"),
        ("how much bandwith for straeming", "", "how much bandwidth for streaming"),
        ("它有公网地址吗", "机房专线 1000M", " 机房专线 1000M 有公网地址吗"),
        ("这款能直播吗", "直播宽带 200M", " 直播宽带 200M 能直播吗"),
        ("does it come with a static IP?", "Hosting line", "does  Hosting line  come with a static ip?"),
        ("it's fine", "Hosting line", "it's fine"),
        ("这个月能装吗", "直播宽带", "这个月能装吗"),
        ("monthly payments", "", "monthly payments"),
    ],
)
def test_a_question_is_read_as_it_was_meant(asked: str, subject: str, meant: str) -> None:
    """Slips are set right, and what is talked of takes the place of its pronoun."""
    assert repaired(asked, subject, WORDS) == meant


@given(st.text(alphabet="abcdefghij 0123456789-,.€$KL", max_size=60))
def test_no_number_or_code_is_changed(asked: str) -> None:
    """Whatever is set right, the figures stay as they were."""
    assert re.findall(r"\d+", repaired(asked, "", WORDS)) == re.findall(r"\d+", asked)


def test_a_misspelled_question_finds_its_section() -> None:
    """Through the handbook that is shipped."""
    handbook = load_library(None).handbook
    asked = repaired("what is the penaltly for early terminaton", "", handbook.vocabulary)
    assert next(passage.heading.en for passage in handbook.find(asked)) == "Ending a contract early"
