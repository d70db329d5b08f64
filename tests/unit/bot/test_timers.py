"""The clock: everything that is due fires once."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from bot.inbox import Inbox
from bot.outbox import Outbox
from bot.timers import Clock
from graph.model import Event, Outcome, Timer
from graph.store.keys import Keys
from graph.store.lease import Leases
from tests.unit.bot.queues import Handler, event, finish, make_worker, running, timer_in


class Desk:
    """A clock and what sets it."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self.redis, self.keys = redis, keys
        self.inbox = Inbox(redis, keys, idle=1.0)
        self._outbox = Outbox(redis, keys)
        self._leases = Leases(redis, keys)
        self._events = 0

    async def set(self, *timers: Timer) -> None:
        """An event is done and leads to these timers."""
        self._events += 1
        thread = f"T1:C1:{self._events}"
        await finish(self.inbox, self._outbox, self._leases, f"set{self._events}", timers=list(timers), thread=thread)


class Setting(Handler):
    """While the desk runs, timers are set by what its worker does: whatever is no timer itself leads to one."""

    def __init__(self, timer: str, seconds: float) -> None:
        super().__init__()
        self._timer, self._seconds = timer, seconds

    async def __call__(self, given: Event, fence: int) -> Outcome:
        """As the engine's `advance`."""
        outcome = await super().__call__(given, fence)
        timers = [] if given.kind == "timer" else [timer_in(self._timer, self._seconds)]
        return outcome.model_copy(update={"timers": timers})


@pytest.fixture
def desk(redis: Redis, keys: Keys) -> Desk:
    """A desk of this test's own."""
    return Desk(redis, keys)


async def test_two_clocks_fire_a_timer_once(desk: Desk) -> None:
    """With two clocks running, each timer becomes one event of its thread, by name, in order."""
    handler = Setting("last", 0.05)
    clocks = [Clock(desk.redis, desk.keys).run for _ in range(2)]
    await desk.set(*(timer_in(f"r/1:{n}", 0.1 + n / 100) for n in range(20)))
    async with running(make_worker(desk.redis, desk.keys, handler).run, *clocks):
        await handler.until_done(20)
        await desk.inbox.put(event("sets"))
        await handler.until_done(22)
    assert [fired.timer for fired in handler.events] == [*(f"r/1:{n}" for n in range(20)), None, "last"]
    first = handler.events[0]
    assert (first.id, first.kind, first.thread, first.actor.id) == ("timer:r/1:0", "timer", "T1:C1:1", "timer")


async def test_a_fired_timer_is_not_set_again(desk: Desk) -> None:
    """An outcome that names a timer which has fired does not set it a second time."""
    await desk.set(timer_in("t", -1))
    clock = Clock(desk.redis, desk.keys)
    assert await clock.fire() is None
    await desk.set(timer_in("t", -1), timer_in("u", 60))
    left = await clock.fire()
    assert left is not None
    assert 59 < left <= 60
    assert [await desk.inbox.waiting(f"T1:C1:{n}") for n in (1, 2)] == [1, 0]


async def test_a_timer_that_is_told_again_may_be_moved(desk: Desk) -> None:
    """The same timer with a new time is one timer, at the new time."""
    await desk.set(timer_in("t", 60))
    await desk.set(timer_in("t", 600))
    left = await Clock(desk.redis, desk.keys).fire()
    assert left is not None
    assert 599 < left <= 600


async def test_an_earlier_timer_wakes_the_clock(desk: Desk) -> None:
    """A clock asleep for a far timer fires a near one that is set meanwhile, in time."""
    handler = Setting("near", 0.2)
    await desk.set(timer_in("far", 600))
    async with running(make_worker(desk.redis, desk.keys, handler).run, Clock(desk.redis, desk.keys).run):
        await asyncio.sleep(0.1)  # let the clock fall asleep
        begun = asyncio.get_running_loop().time()
        await desk.inbox.put(event("sets"))
        assert await handler.until_done(2) == ["sets", "timer:near"]
        assert asyncio.get_running_loop().time() - begun < 1.5


async def test_a_time_without_zone_is_refused(desk: Desk) -> None:
    """A timer whose due time names no zone is refused by name, before anything is stored."""
    with pytest.raises(ValueError, match="timer t is due"):
        await desk.set(Timer(id="t", due="2026-01-05T12:00:00"))
