"""The table: every figure beside its limit."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Final

from tests.bench.footprint import Footprint
from tests.bench.variants import CasePath

MEMORY: Final = "in memory"
STOCK: Final = "stock Redis saver"
ENGINE: Final = "engine"
WHOLE: Final = "whole way"
BARE_MEMORY: Final = "bare graph, in memory"
BARE_STOCK: Final = "bare graph, stock saver"
_PACKAGES: Final = ("langgraph", "langgraph-checkpoint-redis", "redis", "pydantic")


_WORDS: Final = """\
**In memory** and **stock Redis saver** are the engine's own steps on the same state with a node execution, and so a
checkpoint, for each step (durability `sync`); they have no journal, no lease, no audit log and no record of the case.
**Bare graph** is the compensation procedure written out by hand as a graph, with plain values in its state and nothing
else: what a first design looks like. **Engine** is the project's engine with journal, lease and checkpoint on Redis.
**Whole way** is a mailbox, a running worker, the engine and the outbox. All read words with the same code, without a model,
and call the same back office stub inside the process. t6 is a case in which nothing stops; t1 stops twice and takes three
turns. The limits are held against the graph of the same steps."""


@dataclass
class Figures:
    """All that was measured; milliseconds, cases a second, commands, bytes."""

    latency: Mapping[tuple[str, CasePath], float] = field(default_factory=dict)
    shared: Mapping[CasePath, float] = field(default_factory=dict)
    footprints: Mapping[str, Footprint] = field(default_factory=dict)
    throughput: Mapping[tuple[str, int], float] = field(default_factory=dict)
    crowd: Mapping[tuple[str, int], float] = field(default_factory=dict)
    turns: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    rounds: int = 0
    last_turn: int = 0


@dataclass(frozen=True)
class Limit:
    """What a figure is held to. `value` must be at most, or `at_least`, the limit."""

    what: str
    value: float
    limit: float
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether it is kept."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    @property
    def bound(self) -> str:
        """The limit in words."""
        return f"at {'least' if self.at_least else 'most'} {self.limit:g}"


def limits(figures: Figures) -> list[Limit]:
    """The project's limits with the figures found for them."""
    found: list[Limit] = []
    for path, most, faster in (("t6", 1.0, 6.0), ("t1", 2.0, 2.5)):
        key: CasePath = "t6" if path == "t6" else "t1"
        engine, memory, stock = (figures.latency[name, key] for name in (ENGINE, MEMORY, STOCK))
        found.append(Limit(f"{path}: engine ÷ in memory", engine / memory, most))
        found.append(Limit(f"{path}: stock Redis saver ÷ engine", stock / engine, faster, at_least=True))
    found.append(Limit("t6: whole way ÷ in memory", figures.latency[WHOLE, "t6"] / figures.latency[MEMORY, "t6"], 2.0))
    whole = figures.footprints[WHOLE]
    found.append(Limit("Redis commands sent for a t6 case, whole way", whole.sent, 40))
    found.append(Limit("kB kept of a t6 case, whole way", whole.kept / 1024, 12))
    first, last = figures.turns[ENGINE]
    found.append(Limit(f"engine: turn {figures.last_turn} ÷ turn 1 of a thread", last / first, 1.2))
    few, many = sorted({cases for _, cases in figures.crowd})
    crowded = figures.crowd[ENGINE, many] / figures.crowd[ENGINE, few]
    found.append(Limit(f"engine: beside {many:,} cases ÷ beside {few:,}", crowded, 1.1))
    busiest = max(many for _, many in figures.throughput)
    rate = figures.throughput[ENGINE, busiest] / figures.throughput[STOCK, busiest]
    found.append(Limit(f"cases a second, {busiest} at once: engine ÷ stock", rate, 4.0, at_least=True))
    return found


def markdown(figures: Figures, redis: str, command: str) -> str:
    """The page docs/bench.md."""
    return "\n\n".join(
        [
            "# What a case costs",
            "This page is written by the benchmark. Each figure is a median; everything that is compared was measured in\n"
            "turns in one run, each way with three cases in a row, so ratios say more than milliseconds.",
            f"- Command: `{command}`\n- Rounds: {figures.rounds}\n- Machine: {_machine()}\n- Versions: {_versions(redis)}",
            _WORDS,
            *_sections(figures),
        ]
    ) + "\n"


def _sections(figures: Figures) -> Iterable[str]:
    yield "## Limits\n\n" + _table(
        ["what", "found", "limit", "kept"],
        [[each.what, f"{each.value:.2f}", each.bound, "yes" if each.holds else "**no**"] for each in limits(figures)],
    )
    names = [MEMORY, STOCK, BARE_MEMORY, BARE_STOCK, ENGINE, WHOLE]
    rows = []
    for name in names:
        row = [name]
        for path in ("t6", "t1"):
            key: CasePath = "t6" if path == "t6" else "t1"
            row += [f"{figures.latency[name, key]:.1f}", f"{figures.latency[name, key] / figures.latency[MEMORY, key]:.2f}"]
        rows.append(row)
    yield "## Milliseconds a case\n\n" + _table(["", "t6", "× in memory", "t1", "× in memory"], rows) + (
        "\n\nOf these, reading the words and the back office take, in every row, "
        f"{figures.shared['t6']:.1f} ms of t6 and {figures.shared['t1']:.1f} ms of t1."
    )
    yield "## Redis, for one t6 case\n\n" + _table(
        ["", "commands sent", "further ones inside scripts", "bytes kept"],
        [
            [name, f"{each.sent:.1f}", f"{each.inside:.1f}", f"{each.kept:,.0f}"]
            for name, each in figures.footprints.items()
        ],
    )
    at_once = sorted({many for _, many in figures.throughput})
    yield "## Cases a second (t6), by threads at work at once\n\n" + _table(
        ["", *map(str, at_once)],
        [[name, *(f"{figures.throughput[name, many]:.0f}" for many in at_once)] for name in names],
    )
    few, many = sorted({cases for _, cases in figures.crowd})
    beside = {name: (figures.crowd[name, few], figures.crowd[name, many]) for name in (ENGINE, WHOLE)}
    yield "## Milliseconds of a t6 case beside so many older cases\n\n" + _table(
        ["", f"{few:,}", f"{many:,}", "ratio"],
        [[name, f"{one:.1f}", f"{other:.1f}", f"{other / one:.2f}"] for name, (one, other) in beside.items()],
    )
    yield f"## Milliseconds of turn 1 and turn {figures.last_turn} of one thread (each a t6 case)\n\n" + _table(
        ["", "turn 1", f"turn {figures.last_turn}", "ratio"],
        [[name, f"{first:.1f}", f"{last:.1f}", f"{last / first:.2f}"] for name, (first, last) in figures.turns.items()],
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _machine() -> str:
    return f"{os.cpu_count()} cores, {platform.system()} on {platform.machine()}"


def _versions(redis: str) -> str:
    packages = [f"{name} {version(name)}" for name in _PACKAGES]
    return ", ".join([f"Python {platform.python_version()}", f"Redis server {redis}", *packages])
