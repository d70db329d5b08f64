"""Questions: answered from the handbook, in its words or in words that stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import pytest
from pydantic import BaseModel

from graph.answering import answer
from graph.errors import ModelUnavailable
from graph.llm import Message
from tests.unit.graph.builders import shipped

T = TypeVar("T", bound=BaseModel)
QUESTION = "包车迟到两小时最多补多少"
HANDBOOK = shipped().handbook


class Said:
    """A model that says one thing, or nothing."""

    def __init__(self, words: str | None) -> None:
        self._words = words

    async def json(self, messages: Sequence[Message], reply: type[T]) -> T:
        """Not asked here."""
        raise ModelUnavailable

    async def words(self, messages: Sequence[Message]) -> str:
        """What was prepared."""
        if self._words is None:
            raise ModelUnavailable(calls=1)
        return self._words


async def test_without_a_model_the_handbook_speaks() -> None:
    """The passage, quoted and named, in the thread's language."""
    reply, calls = await answer(QUESTION, "zh", "U1", HANDBOOK, None)
    assert (reply.kind, reply.to, calls) == ("policy", "U1", 0)
    assert reply.text is not None and reply.quote in reply.text.zh
    assert reply.source is not None and "›" in reply.source.zh


async def test_what_the_handbook_does_not_hold_is_said_to_be_missing() -> None:
    """No model is asked."""
    reply, calls = await answer("宇航员的工资怎么算", "zh", "U1", HANDBOOK, Said("三万"))
    assert (reply.kind, calls) == ("no_policy", 0)


@pytest.mark.parametrize("said", [None, "最多补 9999 USD。", "明天到账。", ""])
async def test_a_model_that_fails_or_makes_things_up_is_not_used(said: str | None) -> None:
    """The passage stands instead; the call counts."""
    plain, _ = await answer(QUESTION, "zh", "U1", HANDBOOK, None)
    reply, calls = await answer(QUESTION, "zh", "U1", HANDBOOK, Said(said))
    assert (reply, calls) == (plain, 1)


async def test_a_models_words_that_stand_in_the_passages_are_used() -> None:
    """With the passage as quote and source."""
    plain, _ = await answer(QUESTION, "zh", "U1", HANDBOOK, None)
    reply, calls = await answer(QUESTION, "zh", "U1", HANDBOOK, Said("有上限，见手册。"))
    assert reply.text is not None
    assert (reply.text.zh, reply.quote, reply.source, calls) == ("有上限，见手册。", plain.quote, plain.source, 1)
