"""The class of a message, by rule, by what a model wrote, and as the state of the case overrules it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.reading.classes import CLASSES, Class, Sent, Stage, by_rules, fallback, read_class, route

STAGES: tuple[Stage, ...] = ("gathering", "confirming", "offered", "other")


@pytest.mark.parametrize(
    ("text", "stage", "found"),
    [
        ("直接推荐一个吧", "gathering", "recommend"),
        ("别问了，快推荐", "gathering", "recommend"),
        ("just recommend something", "gathering", "recommend"),
        ("What would you suggest?", "gathering", "recommend"),
        ("预算五百", "gathering", None),
        ("随便推荐一个", "confirming", "confirm"),
        ("我要办理", "offered", "convert"),
        ("留个电话吧", "offered", "convert"),
        ("sign me up", "offered", "convert"),
        ("再推荐几个", "offered", "recommend"),
        ("我要办理", "gathering", None),
        ("你好", "gathering", "chat"),
        ("thanks!", "offered", "chat"),
        ("好的，谢谢", "confirming", "confirm"),
    ],
)
def test_rules_come_first(text: str, stage: Stage, found: Class | None) -> None:
    """What the words or the state settle is never asked of a model."""
    assert by_rules(text, stage) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('{"class": "question"}', "question"),
        ('```json\n{"class": "chat"}\n```', "chat"),
        ("I think this is a question.", "question"),
        ('{"class": "Question"}', "question"),
        ('{"class": "pay"}', "gather"),
        ("chat or question", "gather"),
        ("", "gather"),
        ('["chat"', "chat"),
        ("[1]", "gather"),
    ],
)
def test_a_models_word_is_read_leniently_and_never_invented(reply: str, found: Class) -> None:
    """Out of a fence, as JSON, by name; two names or none leave it to the state."""
    assert read_class(reply, "gathering") == found


@given(st.text(), st.sampled_from(STAGES))
def test_anything_a_model_writes_is_a_class(reply: str, stage: Stage) -> None:
    """Nothing it writes raises or makes up a class."""
    assert read_class(reply, stage) in CLASSES


def test_the_state_overrules_the_class() -> None:
    """The whole table: what was named, where the case stands, where the message goes."""
    table: dict[Stage, dict[Class, Sent]] = {
        stage: {named: route(named, stage) for named in CLASSES} for stage in STAGES
    }
    for stage in STAGES:
        assert table[stage]["question"] == "question"
        assert table[stage]["gather"] == table[stage]["intent"] == table[stage]["convert"] == "answer"
    assert {stage: table[stage]["recommend"] for stage in STAGES} == {
        "gathering": "gate",
        "confirming": "answer",
        "offered": "answer",
        "other": "answer",
    }
    assert table["confirming"]["chat"] == "answer"
    assert table["gathering"]["chat"] == table["offered"]["chat"] == "chat"
    assert [fallback(stage) for stage in STAGES] == ["gather", "confirm", "convert", "gather"]
