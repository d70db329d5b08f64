"""The benchmark works; how fast things are is not looked at here."""

from __future__ import annotations

import math

import pytest_asyncio

from tests.bench.report import BARE_MEMORY, BARE_STOCK, ENGINE, MEMORY, STOCK, WHOLE, Figures, limits, markdown
from tests.bench.run import Plan, measure

TINY = Plan(
    rounds=2,
    footprint_cases=12,
    at_once=(1, 2),
    throughput_rounds=1,
    throughput_cases=2,
    crowds=(3, 20),
    last_turn=2,
    turn_threads=2,
)


@pytest_asyncio.fixture(scope="module")
async def figures() -> Figures:
    """All figures of a run that is too short to mean anything."""
    return (await measure(TINY, lambda _: None))[0]


def test_every_measure_runs_and_yields_numbers(figures: Figures) -> None:
    """Each variant carries its cases to the end, and every limit and table has a figure."""
    assert {name for name, _ in figures.latency} == {MEMORY, STOCK, BARE_MEMORY, BARE_STOCK, ENGINE, WHOLE}
    assert {path for _, path in figures.latency} == {"t6", "t1"}
    found = limits(figures)
    assert all(math.isfinite(each.value) and each.value > 0 for each in found)
    page = markdown(figures, "8", "python -m tests.bench")
    assert all(each.what in page for each in found)


def test_commands_and_bytes_stay_within_their_limits(figures: Figures) -> None:
    """What a case asks of Redis and leaves there is the same on every machine."""
    whole = figures.footprints[WHOLE]
    assert whole.sent <= 40
    assert whole.kept <= 12 * 1024
