"""The places of the crash test: one table, all of it in use, and nothing happens there unless a test arms them."""

from __future__ import annotations

import re

import pytest

from graph.failpoints import PLACES, armed, around
from tests.unit.project import ROOT


async def deed() -> str:
    """Something that is done at a place."""
    return "done"


def test_every_place_is_known() -> None:
    """The places that the code names, and a script each, are those of the table."""
    named: set[str] = set()
    for room in ("bot", "graph"):
        for file in (ROOT / room).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            for found in re.findall(r"around\(\s*(.+)", text):
                named.update(re.findall(r'"([a-z_]+\.[a-z_]+)"', found))
    scripts = {f"script.{file.stem}" for file in (ROOT / "bot" / "lua").glob("*.lua") if file.stem != "common"}
    assert named | scripts == set(PLACES)


async def test_nothing_happens_unless_armed() -> None:
    """Without a crash test a place gives the deed's result, whatever its name."""
    assert await around("no.place", deed()) == "done"


async def test_armed() -> None:
    """A crash test is told before and after the deed, and no longer once it is over."""
    told: list[str] = []

    async def reached(point: str) -> None:
        told.append(point)

    with armed(reached):
        assert await around("journal.begin", deed()) == "done"
        with pytest.raises(KeyError, match=r"no\.place"):
            await around("no.place", done := deed())
        done.close()
    await around("journal.end", deed())
    assert told == ["journal.begin:before", "journal.begin:after"]
