"""The benchmark works; how fast things are is not looked at here."""

from __future__ import annotations

import math

from tests.bench.report import ENGINE, MEMORY, STOCK, WHOLE, limits, markdown
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


async def test_every_measure_runs_and_yields_numbers() -> None:
    """Each variant carries its cases to the end, and every limit and table has a figure."""
    told: list[str] = []
    figures, redis = await measure(TINY, told.append)
    assert {name for name, _ in figures.latency} == {MEMORY, STOCK, ENGINE, WHOLE}
    assert {path for _, path in figures.latency} == {"t6", "t1"}
    found = limits(figures)
    assert all(math.isfinite(each.value) and each.value > 0 for each in found)
    page = markdown(figures, redis, "python -m tests.bench")
    assert all(each.what in page for each in found)
    assert len(told) == 5


async def test_what_depends_on_no_clock_stays_within_its_limit() -> None:
    """Commands and bytes of a case are the same on every machine."""
    figures, _ = await measure(TINY, lambda _: None)
    whole = figures.footprints[WHOLE]
    assert whole.sent <= 40
    assert whole.kept <= 12 * 1024
