"""What breaks in the usual design does not break here: each test shows both, so that the net is seen to catch fish."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from redis.asyncio import Redis
from redis.exceptions import RedisError

from bot.wiring.engine import DeskParts, open_desk
from deploy.local.redis_server import RedisServer
from graph.model import Actor, Event, Outcome
from graph.store.connect import connect, end, is_away
from tests.crash.fleet import Nursery
from tests.crash.people import story
from tests.crash.scene import Scene, scene
from tests.crash.stock import THREAD, graph, saver
from tests.crash.traps import Orders, Trap
from tests.crash.verdict import paid, problems, records
from tests.parts.sentinels import answers, in_step, until

AGENT, WANG, KIM = (Actor(id=id_, name=id_) for id_ in ("U0LI", "U0WANG", "U0KIM"))


@dataclass
class Till:
    """Counts payouts of the stock design; `open` lets a payout go on."""

    paid: int = 0
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    open: asyncio.Event = field(default_factory=asyncio.Event)

    async def pay(self) -> None:
        """Pay, without a key."""
        self.paid += 1

    async def pay_when_open(self) -> None:
        """Pay, but sleep first."""
        self.reached.set()
        await self.open.wait()
        self.paid += 1


@dataclass
class Ours:
    """Our engine in two processes' worth of parts, on one thread."""

    world: Scene
    desks: tuple[DeskParts, DeskParts]
    thread: str = "T0:C0:1.1"
    numbers: count[int] = field(default_factory=count)

    def event(self, kind: str, actor: Actor = AGENT, **given: object) -> Event:
        """Something that happens now."""
        base = {"id": f"e{next(self.numbers)}", "thread": self.thread, "actor": actor, "at": datetime.now(UTC)}
        return Event.model_validate(base | {"kind": kind} | given)

    async def advance(self, event: Event, desk: int = 0) -> Outcome:
        """As the worker does: under the lease."""
        parts = self.desks[desk]
        async with parts.leases.hold(self.thread, wait=10) as lease:
            return await parts.runner.advance(event, lease.fence)

    async def to_approval(self) -> str:
        """Open a case that waits for a supervisor; the request's id."""
        outcome = await self.advance(self.event("message", text="KL-1001 补 60 积分，商户漏发接送"))
        assert outcome.view is not None
        assert outcome.view.waiting is not None
        return outcome.view.waiting

    async def payouts(self) -> int:
        """How many the back office has made."""
        return len(await paid(self.world))


@asynccontextmanager
async def ours(url: str, directory: Path) -> AsyncIterator[Ours]:
    """Two sets of parts on one Redis and one back office."""
    async with scene(url, directory) as world:
        settings = world.where.settings()
        async with open_desk(settings) as one, open_desk(settings) as two:
            yield Ours(world, (one, two))


async def test_killed_between_payout_and_record(young: Nursery, own_redis: str, tmp_path: Path) -> None:
    """Killed after the back office has paid: with a random key the next worker pays again, with ours it does not."""
    found = []
    for without in (("stable_key",), ()):
        case = story("t6")
        async with scene(own_redis, tmp_path) as world, connect(own_redis) as redis:
            trap = Trap(point="backoffice.write:after")
            orders = Orders(name="payer", where=world.where, without=without)
            playing = asyncio.create_task(case.play(world))
            first = await young.start(orders.model_copy(update={"traps": (trap,)}))
            await first.until("ended")
            second = await young.start(orders)
            await playing
            found.append(len(await paid(world)))
            if not without:
                assert await problems(world, redis, [case]) == []
            second.kill()
            await second.until("ended")
    assert found == [2, 1]


async def test_killed_at_every_write_of_the_stock_saver(own_redis: str) -> None:
    """The stock design pays twice at some of its writes, and loses the run at others: nothing is next, yet it is not over.

    Ours at every boundary: `test_kills`."""
    doubled = lost = 0
    for dies_at in count(1):
        till = Till()
        died = await killed(own_redis, till, dies_at)
        async with saver(own_redis) as calm:
            again = graph(calm, till.pay)
            before = await again.aget_state(THREAD)
            if before.next:
                given: Command[str] | None = Command(resume="yes") if before.interrupts else None
                await again.ainvoke(given, THREAD, durability="sync")
            after = await again.aget_state(THREAD)
        doubled += int(till.paid > 1)
        lost += int("noted" not in after.values["seen"])
        async with connect(own_redis) as redis:
            await redis.flushall()
        if not died:
            break
    assert doubled > 0
    assert lost > 0


async def killed(url: str, till: Till, dies_at: int) -> bool:
    """Approve in the stock design, and die at this boundary; False if there are not so many."""
    async with saver(url) as calm:
        await calm.asetup()
        await graph(calm, till.pay).ainvoke({"seen": []}, THREAD)
        await graph(calm, till.pay).ainvoke(Command(resume="6222"), THREAD)
    async with saver(url, dies_at) as mortal:
        running = asyncio.ensure_future(graph(mortal, till.pay).ainvoke(Command(resume="yes"), THREAD, durability="sync"))
        dying = asyncio.ensure_future(mortal.dead.wait())
        await asyncio.wait((running, dying), return_when=asyncio.FIRST_COMPLETED)
        died = not running.done()
        await end(running)
        await end(dying)
        return died


async def test_two_processes_use_one_approval(own_redis: str, tmp_path: Path) -> None:
    """Two stock processes that resume one approval both pay. Here one of two clicks counts, the other is told so."""
    till = Till()
    async with saver(own_redis) as one, saver(own_redis) as two:
        await one.asetup()
        await graph(one, till.pay).ainvoke({"seen": []}, THREAD)
        await graph(one, till.pay).ainvoke(Command(resume="6222"), THREAD)
        both = [graph(each, till.pay).ainvoke(Command(resume="yes"), THREAD) for each in (one, two)]
        await asyncio.gather(*both)
    assert till.paid == 2
    async with ours(own_redis, tmp_path) as here:
        request = await here.to_approval()
        clicks = [here.event("decision", who, request=request, verdict="approve") for who in (WANG, KIM)]
        outcomes = await asyncio.gather(*(here.advance(each, number) for number, each in enumerate(clicks)))
        assert await here.payouts() == 1
        assert sorted(reply.code for outcome in outcomes for reply in outcome.replies if reply.kind == "refused") == [
            "decided"
        ]


async def test_a_sleeper_overwrites(own_redis: str) -> None:
    """A stock worker that sleeps before the effect pays again on waking and moves the thread back. Ours: `test_sleepers`.
    """
    first, second = Till(), Till()
    async with saver(own_redis) as one, saver(own_redis) as two:
        await one.asetup()
        await graph(one, first.pay).ainvoke({"seen": []}, THREAD)
        await graph(one, first.pay).ainvoke(Command(resume="6222"), THREAD)
        sleeper = asyncio.create_task(graph(one, first.pay_when_open).ainvoke(Command(resume="yes"), THREAD))
        await first.reached.wait()
        other = graph(two, second.pay)
        await other.ainvoke(Command(resume="yes"), THREAD)
        newer = (await other.aget_state(THREAD)).config
        first.open.set()
        await sleeper
        assert (first.paid, second.paid) == (1, 1)
        assert (await other.aget_state(THREAD)).config != newer


@pytest.mark.parametrize(("point", "kind"), [("checkpoint.write:before", "t1"), ("case.save:before", "t1")])
async def test_without_the_fence_a_sleeper_is_seen(
    point: str, kind: str, young: Nursery, own_redis: str, tmp_path: Path
) -> None:
    """Take the fence away, and what a sleeper writes on waking shows: `test_sleepers` would fail."""
    assert kind == "t1"
    case = story("t1")
    async with scene(own_redis, tmp_path) as world, connect(own_redis) as redis:
        listener, sender = [
            await young.start(Orders(name=role, where=world.where, role=role)) for role in ("listen", "send")
        ]
        orders = Orders(name="sleeper", where=world.where, role="work", without=("fence",))
        sleeper = await young.start(orders.model_copy(update={"traps": (Trap(point=point, deed="stop"),)}))
        playing = asyncio.create_task(case.play(world))
        await sleeper.until("stopped")
        other = await young.start(orders)
        await playing
        assert await problems(world, redis, [case]) == []
        before = await records(world, redis)
        sleeper.wake()
        sleeper.terminate()
        await sleeper.until("ended")
        assert await records(world, redis) != before
        for process in (listener, sender, other):
            process.kill()
            await process.until("ended")


async def test_an_answer_meant_for_something_else(own_redis: str, tmp_path: Path) -> None:
    """A plain resume answers whatever is pending: a click becomes the bank account. Here it is refused."""
    till = Till()
    async with saver(own_redis) as one:
        await one.asetup()
        await graph(one, till.pay).ainvoke({"seen": []}, THREAD)
        state = await graph(one, till.pay).ainvoke(Command(resume="approve"), THREAD)
    assert state["account"] == "approve"
    async with ours(own_redis, tmp_path) as here:
        opened = await here.advance(here.event("message", text=f"给 {story('t1').order} 补 80 美元现金，商户漏发接送"))
        assert opened.view is not None
        assert opened.view.open_request() is not None
        before = await here.desks[0].runner.facts(opened.view.case)
        click = here.event("decision", WANG, request=f"{opened.view.case}/approval/1", verdict="approve")
        outcome = await here.advance(click)
        assert [reply.kind for reply in outcome.replies] == ["refused"]
        assert await here.desks[0].runner.facts(opened.view.case) == before


async def test_a_stale_answer_changes_nothing(own_redis: str, tmp_path: Path) -> None:
    """A stock resume under an old interrupt's id says nothing, and yet its update is applied. Here it is refused, aloud."""
    till = Till()
    async with saver(own_redis) as one:
        await one.asetup()
        first = graph(one, till.pay)
        await first.ainvoke({"seen": []}, THREAD)
        stale = (await first.aget_state(THREAD)).interrupts[0].id
        await first.ainvoke(Command(resume="6222"), THREAD)
        await first.ainvoke(Command(resume={stale: "late"}, update={"seen": ["late"]}), THREAD)
        assert "late" in (await first.aget_state(THREAD)).values["seen"]
    async with ours(own_redis, tmp_path) as here:
        request = await here.to_approval()
        reject = here.event("decision", WANG, request=request, verdict="reject", reason="太多了")
        rejected = await here.advance(reject)
        assert rejected.view is not None
        late = await here.advance(here.event("decision", KIM, request=request, verdict="approve"), 1)
        assert late.view is not None
        assert [reply.kind for reply in late.replies] == ["refused"]
        assert late.view.model_dump() == rejected.view.model_dump()
        assert await here.payouts() == 0


async def test_nobody_goes_on_from_an_old_checkpoint(own_redis: str, tmp_path: Path) -> None:
    """The stock saver resumes from an old checkpoint and pays again, and follows its pointer when that is moved back.
    Ours refuses to load an old one, and keeps none that a pointer could be moved to."""
    till = Till()
    async with saver(own_redis) as one, connect(own_redis) as redis:
        await one.asetup()
        stock = graph(one, till.pay)
        await stock.ainvoke({"seen": []}, THREAD)
        await stock.ainvoke(Command(resume="6222"), THREAD)
        old = (await stock.aget_state(THREAD)).config
        pointer = "checkpoint_latest:t:__empty__"
        where = str(await redis.get(pointer))
        await stock.ainvoke(Command(resume="yes"), THREAD)
        await stock.ainvoke(Command(resume="yes"), old)
        assert till.paid == 2
        await redis.set(pointer, where)
        async with saver(own_redis) as two:
            assert "paid" not in (await graph(two, till.pay).aget_state(THREAD)).values
        await redis.flushall()
    async with ours(own_redis, tmp_path) as here, connect(own_redis) as redis:
        request = await here.to_approval()
        [before] = await redis.keys(f"{here.world.where.namespace}.checkpoint:*")
        reject = here.event("decision", WANG, request=request, verdict="reject", reason="太多了")
        await here.advance(reject)
        assert not await redis.exists(before)
        named: RunnableConfig = {"configurable": {"thread_id": here.thread, "checkpoint_id": str(before).split(":")[-1]}}
        with pytest.raises(ValueError, match="latest"):
            await here.desks[0].runner._records._saver.aget_tuple(named)


async def test_a_click_that_comes_twice(own_redis: str, tmp_path: Path) -> None:
    """A click carries no event id: the same trigger delivered twice, to two processes, is one decision."""
    async with ours(own_redis, tmp_path) as here:
        request = await here.to_approval()
        click = here.event("decision", WANG, request=request, verdict="approve")
        again = replace(here).event("decision", WANG, request=request, verdict="approve", id=click.id)
        outcomes = await asyncio.gather(here.advance(click), here.advance(again, 1))
        assert [outcome.replies for outcome in outcomes] == [[], []]
        assert await here.payouts() == 1


async def test_a_replica_that_is_cut_off(tmp_path: Path) -> None:
    """Behind a replica that hears nothing, a primary confirms what a failover loses; with min-replicas-to-write it
    confirms nothing, and that counts as being away."""
    async with (
        RedisServer(tmp_path / "one") as one,
        RedisServer(tmp_path / "two") as two,
        connect(one.url) as primary,
        connect(two.url) as replica,
    ):
        await replica.replicaof("127.0.0.1", one.url.rpartition(":")[2].partition("/")[0])
        await primary.config_set("repl-diskless-sync-delay", "0")
        await until(lambda: in_step(primary))
        await replica.replicaof("127.0.0.1", "1")
        assert await primary.set("decision", "approved")
        await primary.config_set("min-replicas-to-write", "1")
        await until(lambda: refuses(primary))
        one.kill()
        await replica.replicaof("NO", "ONE")
        assert await replica.get("decision") is None
        assert await answers(replica.ping())


async def refuses(primary: Redis) -> bool:
    """Whether a write is refused as a matter of waiting."""
    with contextlib.suppress(RedisError):
        await primary.set("second", "approved")
        return False
    try:
        await primary.set("second", "approved")
    except RedisError as error:
        return is_away(error)
    return False
