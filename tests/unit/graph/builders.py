"""What the engine's tests share: people, events, a desk on real parts, and a context for a single step."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from redis.asyncio import Redis

from deploy.local.backoffice import BackOffice as BackOfficeService
from graph import rules
from graph.authority import Authority
from graph.coach.drill import take
from graph.coach.scenario import Scenario
from graph.coach.state import DrillState
from graph.context import Context, Pick, Situation
from graph.engine import Engine
from graph.errors import ToolRefused, ToolUnavailable
from graph.fields import FieldSpec
from graph.library import Library, open_library
from graph.llm import Llm
from graph.model import (
    Actor,
    Event,
    EventKind,
    Fact,
    Grant,
    JsonValue,
    Mine,
    Outcome,
    Passage,
    Problem,
    Request,
    Route,
    RunView,
    Stake,
    Stakes,
    Text,
    Verdict,
)
from graph.reading import Reading, extract
from graph.rules import rules_of
from graph.runner import Runner
from graph.store.audit import Audit
from graph.store.cases import Cases
from graph.store.checkpoint import Checkpoints
from graph.store.claims import Claims
from graph.store.crypt import Codec
from graph.store.journal import Journal
from graph.store.keys import Keys
from graph.store.lease import Leases
from graph.store.readings import Readings
from graph.store.stakes import StakeBook
from graph.tools.backoffice import BackOffice
from graph.tools.calling import ToolDoor
from graph.tools.modules import MODULES
from graph.tools.spec import ToolSpec, tools_of
from tests.parts.http import asking

SHIPPED = Path(__file__).parents[3] / "sops"
TOOLS = tools_of(MODULES)
RULES = rules_of([rules])
START = datetime(2026, 9, 4, 6, 0, tzinfo=UTC)

LI = Actor(id="U0LI", name="李", lang="zh")
WANG = Actor(id="U0WANG", name="王", lang="zh")
KIM = Actor(id="U0KIM", name="Kim", lang="en")
ZHAO = Actor(id="U0ZHAO", name="赵", lang="zh")
SUN = Actor(id="U0SUN", name="孙", lang="zh")
ZHOU = Actor(id="U0ZHOU", name="周", lang="zh")
STRANGER = Actor(id="U0NOBODY", name="Nobody", lang="en")
CLOCK = Actor(id="clock", name="clock")

T1 = "给 KL-778 补 80 美元现金，商户漏发接送"
ACCOUNT = "中国银行 6222 0000 1234，户名王女士"
T4 = "给 KL-502 补 300 美元现金，客人包车迟到两小时"
T6 = "KL-778 补 30 积分，导游迟到"


def money(amount: str, currency: str = "USD", by: str | None = None) -> Fact:
    """An amount as a fact."""
    return Fact(type="money", value=amount, currency=currency, by=by)


def word(value: str, by: str | None = None) -> Fact:
    """A text as a fact."""
    return Fact(type="text", value=value, by=by)


@cache
def shipped() -> Library:
    """The procedures that come with the project, read once: nobody changes a library."""
    return open_library(SHIPPED, TOOLS, RULES)


def write_library(directory: Path, **files: str) -> Path:
    """A procedures directory: the shipped vocabulary, and these files (`name="text"` becomes name.yaml)."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in ("fields.yaml", "approvals.yaml", "policy.md"):
        shutil.copy(SHIPPED / name, directory / name)
    for name, text in files.items():
        (directory / f"{name}.yaml").write_text(text, encoding="utf-8")
    return directory


def library_with(directory: Path, tools: Mapping[str, ToolSpec] | None = None, **files: str) -> Library:
    """The library of such a directory."""
    return open_library(write_library(directory, **files), {**TOOLS, **(tools or {})}, RULES)


@dataclass
class Desk:
    """The engine on real parts, driven by whole events in one thread under one fence after the other."""

    runner: Runner
    backoffice: BackOfficeService
    engine: Engine
    saver: Checkpoints
    redis: Redis
    keys: Keys
    cases: Cases
    audit: Audit
    journal: Journal
    leases: Leases
    thread: str = "T1:C1:1.0"
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def event(self, kind: EventKind, actor: Actor = LI, **given: object) -> Event:
        """A new event; each is a minute after the one before."""
        number = next(self.numbers)
        at = START + timedelta(minutes=number)
        base: dict[str, object] = {"id": f"e{number}", "thread": self.thread, "kind": kind, "actor": actor, "at": at}
        if kind == "message":
            base["said_at"] = at
        return Event.model_validate(base | given)

    async def advance(self, event: Event) -> Outcome:
        """The event, carried out under a new lease as a worker would."""
        async with self.leases.hold(event.thread, wait=5) as lease:
            return await self.runner.advance(event, lease.fence)

    async def say(self, text: str, actor: Actor = LI) -> Outcome:
        """Words in the thread."""
        return await self.advance(self.event("message", actor, text=text))

    def decision(self, outcome: Outcome, verdict: Verdict = "approve", actor: Actor = WANG, reason: str = "") -> Event:
        """A click on the card that `outcome` shows as open."""
        return self.event(
            "decision", actor, thread=outcome.thread, request=view(outcome).waiting, verdict=verdict, reason=reason
        )

    async def decide(
        self, outcome: Outcome, verdict: Verdict = "approve", actor: Actor = WANG, reason: str = ""
    ) -> Outcome:
        """That click, carried out."""
        return await self.advance(self.decision(outcome, verdict, actor, reason))

    async def payouts(self) -> list[dict[str, object]]:
        """What the back office has paid, newest first."""
        async with asking(self.backoffice.url) as client:
            found = (await client.get("/compensations", params={"status": "paid"})).json()["compensations"]
        return list(found)

    async def notes(self) -> list[dict[str, object]]:
        """The notes written on orders, newest first."""
        async with asking(self.backoffice.url) as client:
            found = (await client.get("/notes")).json()["notes"]
        return list(found)

    def called(self) -> list[str]:
        """What the back office was asked since `forget_calls`, as `METHOD /path`."""
        return [f"{call.method} {call.path}" for call in self.backoffice.calls]

    def forget_calls(self) -> None:
        """Start a new list of calls."""
        self.backoffice.calls.clear()

    async def checkpoint_keys(self) -> list[str]:
        """All keys that checkpoints of this desk take up."""
        found = [key async for key in self.redis.scan_iter(match=f"*{self.keys.prefix}*checkpoint*", count=1000)]
        return [str(key) for key in found]


async def begun_in(redis: Redis, keys: Keys, thread: str, codec: Codec | None = None) -> JsonValue:
    """The turn of this thread that began a write and is not known to be stored."""
    kept = await redis.get(keys.begun(thread))
    found: JsonValue = None if kept is None else json.loads((codec or Codec()).open(str(kept)))
    return found


@asynccontextmanager
async def open_desk(
    redis: Redis,
    url: str,
    keys: Keys,
    directory: Path,
    *,
    library: Library | None = None,
    llm: Llm | None = None,
    timeout: float = 5.0,
    retries: int = 1,
) -> AsyncIterator[Desk]:
    """The engine put together as the wiring does it, with a back office of its own that can be made to misbehave."""
    backoffice = BackOfficeService(directory / "backoffice.sqlite", faults=True)
    await backoffice.start()
    saver = Checkpoints(url, keys.prefix)
    known = library or shipped()
    try:
        await saver.prepare()
        async with asking(backoffice.url, timeout) as client:
            journal = Journal(redis, keys)
            door = ToolDoor(
                tools=known.words.tools,
                backoffice=BackOffice(client),
                journal=journal,
                timeout=timeout,
                retries=retries,
                pause=0.001,
            )
            stakes, claims = StakeBook(redis, keys), Claims(redis, keys)
            engine = Engine(known, door, llm, Readings(redis, keys), stakes=stakes, claims=claims)
            audit = Audit(redis, keys)
            cases = Cases(redis, keys, audit=audit)
            runner = Runner(engine, saver, cases, audit)
            leases = Leases(redis, keys)
            yield Desk(runner, backoffice, engine, saver, redis, keys, cases, audit, journal, leases)
    finally:
        await saver.close()
        await backoffice.stop()


def view(outcome: Outcome) -> RunView:
    """The case that an outcome shows; there must be one."""
    assert outcome.view is not None
    return outcome.view


def waits(outcome: Outcome) -> tuple[str, str, list[str], str | None]:
    """What the case waits for: kind, step, missing fields, level."""
    request = view(outcome).open_request()
    assert request is not None, view(outcome).status
    fields = [each.name for each in request.fields] if request.kind == "ask" else []
    return request.kind, request.step.id, fields, request.level


def plain(outcome: Outcome) -> dict[str, object]:
    """The facts as bare values, sensitive ones masked."""
    return dict(view(outcome).plain)


@dataclass
class FakeCommits:
    """Commitments of one run, in memory. `others` is what else is at stake; `taken` lets that many reservations fail."""

    run: str = "run"
    others: list[Stake] = field(default_factory=list)
    lost: int = 0
    reserved: list[Stake] = field(default_factory=list)
    bound: dict[str, list[str]] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)
    looks: int = 0

    @property
    def _version(self) -> int:
        return len(self.others) + len(self.reserved)

    def mine(self, step: str) -> Mine:
        """Which stakes are the step's: nothing pays."""
        return Mine(self.run, step, "")

    async def look(self, by: str, value: str) -> Stakes:
        """What the test put there, and what was reserved."""
        self.looks += 1
        return Stakes(version=self._version, held=[*self.others, *self.reserved[-1:]])

    async def reserve(self, by: str, value: str, stake: Stake, version: int, keep: int) -> bool:
        """Taken, unless something has changed since that version, or others were faster `lost` times."""
        if version != self._version:
            return False
        if self.lost:
            self.lost -= 1
            return False
        self.reserved.append(stake)
        return True

    def bind(self, step: str, facts: Mapping[str, Fact], to: str | None = None) -> None:
        """Note what was bound."""
        self.bound[step] = sorted(facts)

    def revoke(self, step: str) -> None:
        """Nothing is bound by it any more."""
        self.bound.pop(step, None)

    def digests(self, names: Sequence[str], facts: Mapping[str, Fact]) -> dict[str, str]:
        """Digests that a person can read."""
        return {name: str(facts[name].essence()) for name in names if name in facts}

    def granted(self, step: str) -> Grant | None:
        """What was granted."""
        return self.grants.get(step)

    def grant(self, step: str, grant: Grant | None) -> None:
        """Keep it, or forget it."""
        self.grants.pop(step, None)
        if grant is not None:
            self.grants[step] = grant


@dataclass
class FakeServices:
    """The services of one step: tools answer from `results`, words are read by code alone."""

    results: dict[str, Fact | ToolRefused | ToolUnavailable] = field(default_factory=dict)
    reads_ahead: tuple[str, ...] = ()
    heard_of: list[Problem] = field(default_factory=list)
    corrected_to: str = "earlier"
    text_digest: str = "d"
    called: list[tuple[str, str, dict[str, Fact]]] = field(default_factory=list)
    corrected: list[dict[str, Fact]] = field(default_factory=list)
    visits: dict[str, int] = field(default_factory=dict)
    settled: list[tuple[str, bool]] = field(default_factory=list)
    noted: dict[str, JsonValue] = field(default_factory=dict)
    picks: list[Pick] = field(default_factory=list)
    situations: list[Situation] = field(default_factory=list)
    rules: tuple[str, ...] = ()
    passage: Passage | None = None

    async def call(self, step: str, tool: str, arguments: Mapping[str, Fact]) -> Fact:
        """The result prepared for `tool`."""
        self.called.append((step, tool, dict(arguments)))
        result = self.results[tool]
        if isinstance(result, Fact):
            return result
        raise result

    def stands(self, step: str, tool: str, arguments: Mapping[str, Fact]) -> bool:
        """Nothing stands."""
        return False

    def recall(self, step: str, tool: str, arguments: Mapping[str, Fact]) -> Fact | None:
        """Nothing stands."""
        return None

    async def read(self, text: str, fields: Sequence[FieldSpec], prompt: Text | None) -> Reading:
        """Fields out of words, by code alone."""
        return await extract(text, fields, prompt, None)

    async def settle(self, step: str, *, done: bool) -> None:
        """Note it."""
        self.settled.append((step, done))

    def ahead(self, step: str) -> tuple[str, ...]:
        """What the steps to the next pause read."""
        return self.reads_ahead

    def routes(self, step: str, facts: Mapping[str, Fact]) -> list[Route]:
        """No preview."""
        return []

    def digest(self, names: Sequence[str], facts: Mapping[str, Fact]) -> str:
        """A digest that a person can read."""
        return self.text_digest + "|" + "|".join(f"{name}={facts[name].plain()}" for name in names if name in facts)

    def correct(self, changed: Mapping[str, Fact]) -> str:
        """The prepared step."""
        self.corrected.append(dict(changed))
        return self.corrected_to

    def heard(self, fields: Sequence[str]) -> list[Problem]:
        """The prepared problems of these fields."""
        return [each for each in self.heard_of if each.field in fields]

    def notes(self) -> Mapping[str, JsonValue]:
        """What was noted so far; a test keeps a move's notes here."""
        return self.noted

    async def pick(self, situation: Situation) -> Pick | None:
        """The next prepared pick; None when none is left, as without a model."""
        self.situations.append(situation)
        return self.picks.pop(0) if self.picks else None

    async def practise(self, scenario: Scenario, state: DrillState, text: str) -> DrillState:
        """A drill without a model."""
        return await take(scenario, state, text)

    def next_request(self, step: str) -> str:
        """`C-TEST/step/n`."""
        self.visits[step] = self.visits.get(step, 0) + 1
        return f"C-TEST/{step}/{self.visits[step]}"

    def rules_before(self, step: str) -> tuple[str, ...]:
        """The prepared rules."""
        return self.rules

    def policy(self, words: str) -> Passage | None:
        """The prepared passage."""
        return self.passage


def context(
    services: FakeServices | None = None,
    *,
    actor: Actor = LI,
    owner: Actor = LI,
    opener: Actor = LI,
    authority: Authority | None = None,
    library: Library | None = None,
    commits: FakeCommits | None = None,
) -> Context:
    """A context on these services and the shipped vocabulary."""
    words = (library or shipped()).words
    return Context(
        services=services or FakeServices(),
        now=START.isoformat(),
        actor=actor,
        owner=owner,
        opener=opener,
        lang="zh",
        event="e1",
        fields=words.fields,
        rules=words.rules,
        tools=words.tools,
        authority=authority or words.authority,
        owners=frozenset({owner.id, opener.id}),
        commits=commits or FakeCommits(),
        scenarios=words.scenarios,
    )


def step_event(kind: EventKind, actor: Actor = LI, **given: object) -> Event:
    """An event for a single step."""
    return Event.model_validate({"id": "e1", "thread": "T", "kind": kind, "actor": actor, "at": START} | given)


def waiting_for(move: object) -> Request:
    """The request of a move that waits."""
    request = getattr(move, "request", None)
    assert isinstance(request, Request), move
    return request
