"""The measurements. Everything that is compared is measured in turns, so that a busy machine is busy for all."""

from __future__ import annotations

import asyncio
import gc
import itertools
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from tests.bench.variants import CasePath, Variant

_THREADS: Final = itertools.count(1)
_WARM: Final = 3
"""Rounds that are not counted."""
_IN_A_ROW: Final = 3
"""A worker that is busy carries one case after another. Of a single one, what is measured is as much how far the way before
has emptied the processor's caches."""


def new_thread() -> str:
    """A thread that nobody used, named as Slack's are."""
    return f"T0LOCAL:C0DESK:1764500000.{next(_THREADS):06d}"


async def latencies(
    variants: Sequence[Variant], paths: Iterable[CasePath], rounds: int
) -> dict[tuple[str, CasePath], float]:
    """The median milliseconds of a case, by variant and path. In each round each variant carries a few in a row."""
    taken: dict[tuple[str, CasePath], list[float]] = defaultdict(list)
    kinds: list[CasePath] = list(paths)
    for number in range(rounds + _WARM):
        for path in kinds:
            for variant in variants:
                for _ in range(_IN_A_ROW):
                    seconds = await timed(variant, path)
                    if number >= _WARM:
                        taken[variant.name, path].append(seconds * 1000)
    return {key: statistics.median(values) for key, values in taken.items()}


async def between(variants: Mapping[tuple[str, int], Variant], rounds: int) -> dict[tuple[str, int], float]:
    """The median milliseconds of a t6 case of each variant, in turns."""
    taken: dict[tuple[str, int], list[float]] = defaultdict(list)
    for number in range(rounds + _WARM):
        for key, variant in variants.items():
            seconds = await timed(variant, "t6")
            if number >= _WARM:
                taken[key].append(seconds * 1000)
    return {key: statistics.median(values) for key, values in taken.items()}


async def timed(variant: Variant, path: CasePath, thread: str | None = None) -> float:
    """The seconds of one case; what comes after it is waited for, but not counted."""
    thread = thread or new_thread()
    gc.collect(0)
    begun = time.perf_counter()
    await variant.carry(path, thread)
    seconds = time.perf_counter() - begun
    await variant.tidy()
    return seconds


async def throughput(
    variants: Sequence[Variant], at_once: Sequence[int], rounds: int, cases: int
) -> dict[tuple[str, int], float]:
    """The median cases (t6) a second, by variant and how many threads are at work at once."""
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    for _ in range(rounds):
        for many in at_once:
            for variant in variants:
                found[variant.name, many].append(await _rate(variant, many, max(cases, many)))
    return {key: statistics.median(values) for key, values in found.items()}


async def _rate(variant: Variant, many: int, cases: int) -> float:
    threads: Iterator[str] = iter([new_thread() for _ in range(cases)])

    async def one_after_another() -> None:
        for thread in threads:
            await variant.carry("t6", thread)

    begun = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(many):
            group.create_task(one_after_another())
    seconds = time.perf_counter() - begun
    await variant.tidy()
    return cases / seconds


async def turns(variants: Sequence[Variant], last: int, threads: int) -> dict[str, tuple[float, float]]:
    """The median milliseconds of the first and of the last of `last` cases (t6) in one thread, over many threads."""
    first: dict[str, list[float]] = defaultdict(list)
    final: dict[str, list[float]] = defaultdict(list)
    for _ in range(threads):
        names = {variant.name: new_thread() for variant in variants}
        for _turn in range(1, last):
            for variant in variants:
                await timed(variant, "t6", names[variant.name])
        # A first turn beside each last one: both meet the machine in the same state.
        for variant in variants:
            final[variant.name].append(await timed(variant, "t6", names[variant.name]) * 1000)
            first[variant.name].append(await timed(variant, "t6") * 1000)
    return {name: (statistics.median(first[name]), statistics.median(final[name])) for name in first}
