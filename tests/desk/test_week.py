"""The clocks of approvals: a week by a fake clock, on real Redis, with every engine ended between two ticks."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.inbox import Inbox
from bot.notice import Notice
from bot.notices import notices
from bot.outbox import Outbox
from bot.timers import Clock
from deploy.local.redis_server import RedisServer
from graph.engine import Engine
from graph.library import Library
from graph.model import Actor, Event, EventKind, RunView
from graph.runner import Runner
from graph.store.checkpoint import Checkpoints
from graph.store.keys import Keys
from graph.store.lease import Leases
from tests.unit.graph.builders import LI, SHIPPED, WANG, ZHAO, Desk, library_with, open_desk

APPROVALS = """\
levels:
  supervisor:
    rank: 1
    channel: approvals-supervisor
    people: [U0WANG]
    hours: &office {timezone: Asia/Shanghai, days: [mon, tue, wed, thu, fri], from: 09:00, to: 18:00}
  manager: {rank: 2, channel: approvals-manager, people: [U0ZHAO], hours: *office}
"""
CLOCKS = "remind_after: 2h, escalate_after: 4h, expire_after: 2d"
FRIDAY = datetime(2026, 9, 4, 6, 0, tzinfo=UTC)
"""14:00 in Shanghai, four working hours before the week-end."""
TICK = timedelta(hours=6)
WORDS = "给 KL-778 补 80 积分，商户漏发接送"


def library(directory: Path) -> Library:
    """The shipped compensation with clocks at the supervisor's tier, and at the manager's only a reminder."""
    procedure = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    head, _, rest = procedure.partition("    tiers:\n")
    tail = rest[rest.index("    on_reject") :]
    tiers = f"    tiers:\n      - {{max: 500, level: supervisor, {CLOCKS}}}\n      - {{level: manager, remind_after: 1d}}\n"
    made = library_with(directory, approvals=APPROVALS, compensation=head + tiers + tail)
    assert made.words.authority.hours("manager") is not None
    return made


@dataclass
class Week:
    """Threads under a fake clock. Events come out of the real mailbox; only their time is the fake one."""

    redis: Redis
    keys: Keys
    reopen: Callable[[], Awaitable[Desk]]
    desk: Desk
    now: datetime = FRIDAY
    due: dict[str, datetime] = field(default_factory=dict)
    fired: Counter[str] = field(default_factory=Counter)
    shown: dict[str, Notice] = field(default_factory=dict)
    posts: Counter[str] = field(default_factory=Counter)
    views: dict[str, RunView] = field(default_factory=dict)
    number: int = 0

    async def do(self, thread: str, kind: EventKind, actor: Actor = LI, **given: object) -> RunView:
        """Something that a person does now."""
        self.number += 1
        base: dict[str, object] = {"id": f"e{self.number}", "thread": thread, "kind": kind, "actor": actor, "at": self.now}
        await Inbox(self.redis, self.keys).put(Event.model_validate(base | given))
        await self.work(thread)
        return self.views[thread]

    async def work(self, thread: str) -> None:
        """Empty a mailbox as a worker does; each turn is carried out twice, as after a crash before it was noted."""
        inbox, outbox = Inbox(self.redis, self.keys), Outbox(self.redis, self.keys)
        async with Leases(self.redis, self.keys).hold(thread, wait=5) as lease:
            while (begun := await inbox.next(thread, lease.fence)) is not None:
                event = begun.event.model_copy(update={"at": self.now, "said_at": None})
                first = await self.desk.runner.advance(event, lease.fence)
                outcome = await self.desk.runner.advance(event, lease.fence)
                assert (outcome.view, outcome.timers) == (first.view, first.timers)
                self.fired.update([event.timer] if event.timer else [])
                self.note(notices(outcome))
                self.due.update({timer.id: datetime.fromisoformat(timer.due) for timer in outcome.timers})
                if outcome.view is not None:
                    self.views[thread] = outcome.view
                await outbox.put_and_finish(thread, event.id, lease.fence, notices(outcome), outcome.timers)

    def note(self, told: list[Notice]) -> None:
        """What Slack would show now."""
        for notice in told:
            old = self.shown.get(notice.id)
            if old is None:
                self.posts[notice.kind] += 1
            if old is None or not notice.once:
                self.shown[notice.id] = notice

    async def tick(self) -> None:
        """Six hours later, in a new engine: what is due by the fake clock is due by Redis's, nothing else is."""
        self.now += TICK
        self.desk = await self.reopen()
        for member in map(str, await self.redis.zrange(self.keys.timers(), 0, -1)):
            due = self.due[member.removeprefix("t:")]
            await self.redis.zadd(self.keys.timers(), {member: due.timestamp() if due <= self.now else 9e15})
        clock = Clock(self.redis, self.keys)
        await clock.fire()
        await clock.fire()
        for thread in list(self.views):
            await self.work(thread)
        for view in self.views.values():
            self.consistent(view)

    async def until(self, moment: datetime) -> None:
        """Tick until then."""
        while self.now < moment:
            await self.tick()

    def consistent(self, view: RunView) -> None:
        """Cards, thread and clocks agree, and whatever waits has somebody to wait for and a way to be seen."""
        open_cards = [each for each in view.requests if each.closed is None]
        if view.status != "waiting":
            assert open_cards == []
            return
        [request] = open_cards
        assert request == view.open_request()
        card = self.shown[request.id]
        assert request.error != "nobody"
        assert (card.place, card.to) == (("level", request.level) if request.kind == "approve" else ("thread", view.thread))
        for each in view.requests:
            payload = str(self.shown[each.id].payload)
            assert (each.closed is None) == (f"'ending': '{each.closed.ending}'" not in payload if each.closed else True)


@asynccontextmanager
async def week_of(redis: Redis, url: str, keys: Keys, directory: Path) -> AsyncIterator[Week]:
    """A week whose engines live for a tick each."""
    known = library(directory / "sops")
    async with open_desk(redis, url, keys, directory, library=known) as first:

        async def reopen() -> Desk:
            await first.saver.close()
            first.saver, first.runner = await renewed(first, url)
            return first

        yield Week(redis, keys, reopen, first)


async def renewed(desk: Desk, url: str) -> tuple[Checkpoints, Runner]:
    """A saver and a runner that know nothing of the ones before."""
    saver = Checkpoints(url, desk.keys.prefix)
    await saver.prepare()
    return saver, Runner(Engine(desk.engine.library, desk.engine.door), saver, desk.cases, desk.audit)


@pytest.fixture
async def week(redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path) -> AsyncIterator[Week]:
    """A week that begins on a Friday afternoon."""
    async with week_of(redis, redis_server.url, keys, tmp_path) as made:
        yield made


async def test_a_week_of_clocks(week: Week) -> None:
    """Each reminder, escalation and expiry comes once and in working hours; nothing waits without an owner."""
    await week.do("T:C:forgotten", "message", text=WORDS)
    assert {name.rpartition("/")[2]: f"{due:%a %H:%M}" for name, due in week.due.items()} == {
        "remind": "Fri 08:00",
        "escalate": "Fri 10:00",
        "expire": "Tue 06:00",
    }
    await week.do("T:C:cancelled", "message", text=WORDS.replace("KL-778", "KL-1001"))
    await week.do("T:C:risen", "message", text=WORDS.replace("KL-778", "KL-1002"))
    await week.do("T:C:again", "message", text=WORDS.replace("KL-778", "KL-1003"))
    assert {view.status for view in week.views.values()} == {"waiting"}
    await week.do("T:C:cancelled", "cancel", reason="不办了")
    await week.until(FRIDAY + timedelta(days=3))
    risen = week.views["T:C:risen"]
    assert [(each.level, each.open) for each in risen.requests] == [("supervisor", False), ("manager", True)]
    assert (await week.do("T:C:risen", "decision", WANG, request=risen.waiting, verdict="approve")).status == "waiting"
    assert (await week.do("T:C:risen", "decision", ZHAO, request=risen.waiting, verdict="approve")).status == "done"
    await week.until(FRIDAY + timedelta(days=4, hours=3))
    expired = week.views["T:C:again"]
    request = expired.open_request()
    assert request is not None and (request.kind, request.error) == ("confirm", "expired")
    again = await week.do("T:C:again", "answer", request=request.id, values={"confirm": "yes"})
    assert (again.requests[-1].kind, again.requests[-1].level) == ("approve", "supervisor")
    done = await week.do("T:C:again", "decision", WANG, request=again.waiting, verdict="approve")
    assert done.status == "done"
    await week.until(FRIDAY + timedelta(days=7))
    assert max(week.fired.values()) == 1
    assert [kinds(view) for view in week.views.values()] == [
        ["remind", "pass_on", "remind", "expire"],
        [],
        ["remind", "pass_on", "approve"],
        ["remind", "pass_on", "remind", "expire", "confirm", "approve"],
    ]
    forgotten = week.views["T:C:forgotten"]
    waits = forgotten.open_request()
    assert waits is not None and waits.kind == "confirm"
    assert [each.closed.ending for each in forgotten.requests if each.closed] == ["passed", "expired"]
    assert week.posts == {"case": 4, "approval": 8, "reminder": 5, "told": 2, "request": 2, "result": 3, "reply": 1}
    assert len(await week.desk.payouts()) == 2


def kinds(view: RunView) -> list[str]:
    """What happened to the approvals of a case, in order."""
    told = ("remind", "pass_on", "expire", "confirm", "approve")
    return [entry.what for entry in view.trail if entry.what in told]
