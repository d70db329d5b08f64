"""Corrections while the back office is waited for: at every look that fails, and at every write."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from deploy.local.backoffice import Fault
from deploy.local.redis_server import RedisServer
from graph.library import open_library
from graph.model import Outcome
from graph.store.keys import Keys
from tests.unit.graph.builders import RULES, SHIPPED, TOOLS, Desk, open_desk, view
from tests.unit.graph.pauses.moves import correcting, correction
from tests.unit.graph.pauses.walk import LIBRARY, WALKS, Walk, given, settled, waiting

#: A `choose` waits for no look: what gives no answer is for a person. After a rejection everything is read anew.
HOLDING = [
    name
    for name in WALKS
    if not given()[name].rejects and all(step.kind != "choose" for step in LIBRARY.sops[given()[name].sop].steps)
]


def down(call: str, mode: str = "down") -> Fault:
    """The back office failing at this call, `METHOD /path`, until it is put right."""
    method, _, path = call.partition(" ")
    return Fault.model_validate({"mode": mode, "path_prefix": path, "method": method, "times": None})


@pytest.mark.parametrize("name", HOLDING)
async def test_corrected_while_the_back_office_is_down(desk: Desk, name: str) -> None:
    """Every field that is known at each call that fails: a look goes on with the new value as if it had been right at
    once, a write is in doubt and is finished as it was begun."""
    base = Walk(desk, name, given()[name].values)
    unchanged = settled(await base.go())
    reads, writes, calls = base.reads(), base.writes(), list(dict.fromkeys(desk.called()))
    right: dict[str, tuple[dict[str, object], Counter[str]]] = {}
    held = 0  # pauses × fields
    for call in calls:
        trial = Walk(desk, name, given()[name].values, fault=down(call))
        ended = settled(await trial.go())
        at = next((place for place, (_, kind, _) in enumerate(trial.pauses) if kind == "hold"), None)
        if at is None:
            continue  # it went on without
        assert (ended, trial.writes()) == (unchanged, writes), call
        looks, fields = call.startswith("GET "), sorted(trial.correctable[at])
        for field in fields if looks else fields[:1]:
            held += 1
            value, where = given()[name].other[field][0], f"{field} while waiting for {call}"
            if looks and field not in right:
                other = Walk(desk, name, {**given()[name].values, field: value})
                right[field] = settled(await other.go()), other.writes()
            walk = Walk(desk, name, given()[name].values, fault=down(call))
            ended = settled(await walk.go(at, correcting(field, value, held)))
            assert (walk.values != base.values) == looks, where
            assert (ended, walk.writes()) == (right[field] if looks else (unchanged, writes)), where
            assert walk.read_again(reads) == [], where
    assert held


@pytest_asyncio.fixture
async def keyless(redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path) -> AsyncIterator[Desk]:
    """A desk whose back office honours no keys: a write that gave no answer is for a person."""
    tools = {name: replace(spec, key="none") if spec.write else spec for name, spec in TOOLS.items()}
    library = open_library(SHIPPED, tools, RULES)
    async with open_desk(redis, redis_server.url, keys, tmp_path, library=library) as opened:
        yield opened


async def test_a_parked_write_is_changed_by_nothing_that_is_said(keyless: Desk) -> None:
    """At every write of every procedure: corrections and a cancel are refused, questions answered; once a lead says that it
    did not happen it is sent as it was begun, and the case ends as if nothing had been said."""
    parked = 0
    for name in HOLDING:
        base = Walk(keyless, name, given()[name].values)
        wanted, writes = settled(await base.go()), base.writes()
        for call in writes:
            walk = Walk(keyless, name, given()[name].values, fault=down(call, "reset"))
            outcome = await walk.opened()
            while view(outcome).status == "waiting":
                if waiting(outcome).kind == "park":
                    parked += 1
                    await _talked_at(walk, outcome, bool(walk.writes()))
                outcome = await walk.answered(outcome)
            assert (settled(outcome), walk.writes()) == (wanted, writes), f"{name}: {call}"
    assert parked == 8


async def _talked_at(walk: Walk, outcome: Outcome, written: bool) -> None:
    field = sorted(set(walk.given.other) & set(view(outcome).plain))[0]
    asides = {"为什么要问这个": "why", "facts": "", "先补偿了还能退款吗？": "", "好的": "still_parked"}
    late = "already_paid" if written else "in_doubt"
    change = correction(field, walk.values[field], walk.given.other[field][0])
    for said, code in (asides | {change: late, "算了": late}).items():
        told = await walk.desk.say(said)
        assert [reply.code for reply in told.replies] == [code], said
        assert view(told) == view(outcome), said
