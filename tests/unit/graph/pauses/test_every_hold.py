"""Corrections while the back office is waited for: at every look that fails, and at every write."""

from __future__ import annotations

from collections import Counter

import pytest

from deploy.local.backoffice import Fault
from tests.unit.graph.builders import Desk
from tests.unit.graph.pauses.moves import correcting
from tests.unit.graph.pauses.walk import LIBRARY, WALKS, Walk, given, settled

#: A `choose` waits for no look: what gives no answer is for a person, and that pause is walked as it is.
HOLDING = [name for name in WALKS if all(step.kind != "choose" for step in LIBRARY.sops[given()[name].sop].steps)]


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
        for field in fields if looks else fields[:2]:
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
