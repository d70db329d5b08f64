"""What is made while the store is waited for is given to nobody before it is stored."""

from __future__ import annotations

import asyncio

import pytest

from graph.errors import ThreadBusy
from graph.meanwhile import meanwhile


class Store:
    """A store that answers when it is told to."""

    def __init__(self, error: Exception | None = None) -> None:
        self.told: list[str] = []
        self.answers = asyncio.Event()
        self._error = error

    async def keep(self) -> None:
        """Sent; then the answer."""
        self.told.append("sent")
        await self.answers.wait()
        self.told.append("stored")
        if self._error is not None:
            raise self._error

    def make(self) -> str:
        """What is made meanwhile."""
        self.told.append("made")
        self.answers.set()
        return "view"


async def test_it_is_made_between_sending_and_the_answer() -> None:
    """So it costs no time of its own, and is given out once the answer is there."""
    store = Store()
    assert await meanwhile(store.keep(), store.make) == "view"
    assert store.told == ["sent", "made", "stored"]


async def test_what_is_not_stored_is_not_given_out() -> None:
    """Another worker has the thread: that is what the caller hears."""
    store = Store(ThreadBusy("taken over"))
    with pytest.raises(ThreadBusy):
        await meanwhile(store.keep(), store.make)


async def test_an_error_in_making_it_leaves_nothing_on_its_way() -> None:
    """It is raised once what was sent has been answered."""
    store = Store()

    def fails() -> str:
        store.make()
        raise ValueError("cannot be shown")

    with pytest.raises(ValueError, match="cannot be shown"):
        await meanwhile(store.keep(), fails)
    assert store.told == ["sent", "made", "stored"]
