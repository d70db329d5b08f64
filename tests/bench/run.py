"""One run of all measurements."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from langgraph.checkpoint.memory import InMemorySaver

from bot.wiring.vocabulary import load_library
from deploy.local.redis_server import RedisServer
from graph.library import Library
from tests.bench.crowd import fill
from tests.bench.footprint import footprint
from tests.bench.measures import between, latencies, throughput, turns
from tests.bench.office import Office
from tests.bench.report import BARE_MEMORY, BARE_STOCK, ENGINE, MEMORY, STOCK, Figures
from tests.bench.stepwise import Stepwise, unkept_engine
from tests.bench.variants import (
    CasePath,
    EngineVariant,
    Parts,
    Plain,
    Shared,
    Variant,
    parts,
    plain,
    shared,
    stock_saver,
    whole_way,
)

_PATHS: Final[tuple[CasePath, ...]] = ("t6", "t1")


@dataclass(frozen=True)
class Plan:
    """How much is measured. `crowds` are the numbers of older cases that are compared."""

    rounds: int = 40
    footprint_cases: int = 30
    at_once: tuple[int, ...] = (1, 8, 64)
    throughput_rounds: int = 3
    throughput_cases: int = 96
    crowds: tuple[int, int] = (1_000, 50_000)
    last_turn: int = 50
    turn_threads: int = 30


@dataclass(frozen=True)
class Bench:
    """What is measured, ready on one Redis."""

    plain: tuple[Plain, ...]
    stepwise: tuple[Stepwise, ...]
    engine: EngineVariant
    whole: Variant
    shared: Shared
    parts: Parts

    @property
    def all(self) -> list[Variant]:
        """Everything that is compared."""
        return [*self.stepwise, *self.plain, self.engine, self.whole]


async def measure(plan: Plan, say: Callable[[str], None]) -> tuple[Figures, str]:
    """All figures, and the version of the Redis server. `say` is told what comes next."""
    library = load_library(None)
    async with opened(library) as bench:
        await _proven(bench)
        say(f"milliseconds a case: {plan.rounds} rounds")
        latency = await latencies([*bench.all, bench.shared], _PATHS, plan.rounds)
        say("commands and bytes")
        redis = bench.parts.redis
        on_redis: list[Variant] = [bench.stepwise[1], bench.plain[1], bench.engine, bench.whole]
        prints = {each.name: await footprint(redis, each, plan.footprint_cases) for each in on_redis}
        say(f"cases a second: {', '.join(map(str, plan.at_once))} at once")
        rates = await throughput(bench.all, plan.at_once, plan.throughput_rounds, plan.throughput_cases)
        say(f"turn 1 and turn {plan.last_turn}: {plan.turn_threads} threads")
        first_and_last = await turns([bench.engine], plan.last_turn, plan.turn_threads)
        server = str((await redis.info("server"))["redis_version"])
    say(f"beside {plan.crowds[0]:,} and {plan.crowds[1]:,} older cases")
    crowd = await _crowds(library, plan)
    return (
        Figures(
            latency={key: value for key, value in latency.items() if key[0] != bench.shared.name},
            shared={path: value for (name, path), value in latency.items() if name == bench.shared.name},
            footprints=prints,
            throughput=rates,
            crowd=crowd,
            turns=first_and_last,
            rounds=plan.rounds,
            last_turn=plan.last_turn,
        ),
        server,
    )


@asynccontextmanager
async def opened(library: Library) -> AsyncIterator[Bench]:
    """Everything on a Redis of its own."""
    async with _desk(library) as (url, of, stack):
        memory, stock = InMemorySaver(), await stack.enter_async_context(stock_saver(url))
        office = await stack.enter_async_context(Office().client())
        unkept = unkept_engine(library, office)
        yield Bench(
            plain=(plain(BARE_MEMORY, memory, library, office), plain(BARE_STOCK, stock, library, office)),
            stepwise=(Stepwise(MEMORY, unkept, memory), Stepwise(STOCK, unkept, stock)),
            engine=EngineVariant(of.runner, of.leases, ENGINE),
            whole=await stack.enter_async_context(whole_way(of)),
            shared=await stack.enter_async_context(shared(library)),
            parts=of,
        )


@asynccontextmanager
async def _desk(library: Library) -> AsyncIterator[tuple[str, Parts, AsyncExitStack]]:
    async with AsyncExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        server = await stack.enter_async_context(RedisServer(Path(directory)))
        yield server.url, await stack.enter_async_context(parts(server.url, "bench", library)), stack


async def _crowds(library: Library, plan: Plan) -> dict[tuple[str, int], float]:
    """The same measurement on two servers in turns, one of which holds many more cases."""
    few, many = plan.crowds
    async with _desk(library) as (_, small, stack), _desk(library) as (_, large, other):
        await fill(small, few)
        await fill(large, many)
        variants: dict[tuple[str, int], Variant] = {}
        for cases, of, ends in ((few, small, stack), (many, large, other)):
            way = await ends.enter_async_context(whole_way(of))
            variants |= {(ENGINE, cases): EngineVariant(of.runner, of.leases, ENGINE), (way.name, cases): way}
        gc.collect()
        gc.freeze()
        return await between(variants, plan.rounds)


async def _proven(bench: Bench) -> None:
    """What does not come to its end is not measured; the engine's variants look for themselves."""
    for bare in bench.plain:
        for path in _PATHS:
            await bare.carry(path, f"proof-{path}")
            if not await bare.ended(f"proof-{path}"):
                raise RuntimeError(f"{bare.name} did not carry {path} to its end")
    # What was loaded for good is not looked through again by every collection: as in a process that runs for long.
    gc.collect()
    gc.freeze()
