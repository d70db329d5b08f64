"""Every field corrected at every pause of every shipped procedure; questions and talk at every pause."""

from __future__ import annotations

from functools import partial

import pytest

from graph.model import Outcome
from tests.unit.graph.builders import STRANGER, Desk, view
from tests.unit.graph.pauses.walk import LIBRARY, PROCEDURES, Walk, corrected, elsewhere, given, settled


def cases(sop: str) -> list[tuple[str, str]]:
    """Every field with every value that it is corrected to."""
    return [(name, value) for name, values in given()[sop].other.items() for value in values]


@pytest.mark.parametrize("sop", PROCEDURES)
async def test_corrected_at_any_pause_it_ends_as_if_right_at_once(desk: Desk, sop: str) -> None:
    """The same facts, end and routes; what was read and still stands is not read again; nothing is written twice."""
    base = Walk(desk, sop, given()[sop].values)
    await base.go()
    for number, (name, value) in enumerate(cases(sop)):
        right = Walk(desk, sop, {**given()[sop].values, name: value})
        wanted, writes = settled(await right.go()), right.writes()
        places = [at for at, names in enumerate(base.correctable) if name in names]
        assert places, f"{sop}: {name} could be corrected at no pause"
        for at in places:
            walk = Walk(desk, sop, given()[sop].values)
            move = partial(corrected, name=name, value=value, english=(number + at) % 2 == 1)
            ended, where = settled(await walk.go(at, move)), f"{name}={value} at {base.pauses[at]}"
            assert ended == wanted, where
            assert walk.writes() == writes, where
            assert [call for call, times in walk.reads().items() if times > 1] == [], where


@pytest.mark.parametrize("sop", PROCEDURES)
async def test_talk_at_any_pause_changes_nothing(desk: Desk, sop: str) -> None:
    """A question, "why", facts, the chatter of others: answered or not, the case ends as if nothing had been said."""
    base = Walk(desk, sop, given()[sop].values)
    wanted, pauses = settled(await base.go()), base.pauses
    answered = 0
    for at in range(len(pauses)):

        async def talk(walk: Walk, outcome: Outcome) -> Outcome:
            nonlocal answered
            for said in ("先补偿了还能退款吗？", "为什么要问这个", "why do you ask?", "facts", "帮助"):
                told = await walk.desk.say(said)
                answered += len(told.replies)
                assert view(told) == view(outcome), said
            chatter = walk.desk.event("message", STRANGER, text="这单我昨天也遇到过", addressed=False)
            told = await walk.desk.advance(chatter)
            assert (told.replies, view(told)) == ([], view(outcome))
            return await walk.answered(outcome)

        walk = Walk(desk, sop, given()[sop].values)
        assert settled(await walk.go(at, talk)) == wanted
        assert (walk.pauses, walk.reads(), walk.writes()) == (pauses, base.reads(), walk.writes())
    assert answered == 5 * len(pauses)


def test_every_procedure_is_walked() -> None:
    """A new procedure needs an entry in procedures.yaml, which says how it is opened and what its fields are."""
    missing = sorted(set(LIBRARY.sops) - set(given()) - elsewhere())
    assert missing == [], f"add to tests/unit/graph/pauses/procedures.yaml: {', '.join(missing)}"
