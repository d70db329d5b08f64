"""Every field corrected at every pause of every shipped procedure, in the ways in which people say it."""

from __future__ import annotations

import pytest

from graph.model import Outcome
from tests.unit.graph.builders import Desk, view
from tests.unit.graph.pauses.moves import (
    PHRASINGS,
    corrected,
    correcting,
    correction,
    known,
    phrasings,
    refused,
    there_and_back,
)
from tests.unit.graph.pauses.walk import LIBRARY, WALKS, Walk, given, in_words, settled, unwalked


def cases(name: str) -> list[tuple[str, str]]:
    """Every field with every value that it is corrected to."""
    return [(field, value) for field, values in given()[name].other.items() for value in values]


async def base_of(desk: Desk, name: str) -> tuple[Walk, dict[str, object]]:
    """The walk without any correction, and how it ends."""
    base = Walk(desk, name, given()[name].values)
    return base, settled(await base.go())


@pytest.mark.parametrize("name", WALKS)
async def test_corrected_at_any_pause_it_ends_as_if_right_at_once(desk: Desk, name: str) -> None:
    """The same facts, end and routes; what was read and still stands is not read again; nothing is written twice."""
    base, _ = await base_of(desk, name)
    reads, number = base.reads(), 0
    for field, value in cases(name):
        right = Walk(desk, name, {**given()[name].values, field: value})
        wanted, writes = settled(await right.go()), right.writes()
        asked = [at for at, (_, _, names) in enumerate(base.pauses) if field in names]
        places = [at for at in sorted({*base.before_writing, *asked}) if field in base.correctable[at]]
        assert places, f"{name}: {field} could be corrected at no pause"
        for at in places:
            number += 1
            walk = Walk(desk, name, given()[name].values)
            ended = settled(await walk.go(at, correcting(field, value, number)))
            where = f"{field}={value} at {base.pauses[at]}"
            assert (ended, walk.writes()) == (wanted, writes), where
            assert walk.read_again(reads) == [], where


@pytest.mark.parametrize("name", WALKS)
async def test_after_the_first_write_nothing_is_corrected(desk: Desk, name: str) -> None:
    """Every field that is known is refused, and the case ends as if nothing had been said."""
    base, wanted = await base_of(desk, name)
    writes = base.writes()
    for at in set(range(len(base.pauses))) - set(base.before_writing):
        walk = Walk(desk, name, given()[name].values)
        ended = settled(await walk.go(at, too_late))
        assert (ended, walk.writes(), walk.values) == (wanted, writes, base.values), base.pauses[at]


async def too_late(walk: Walk, outcome: Outcome) -> Outcome:
    """Every field that is known is corrected in vain; then what waits is answered."""
    for number, field in enumerate(sorted(set(walk.given.other) & set(view(outcome).plain))):
        told = await correcting(field, walk.given.other[field][0], number)(walk, outcome)
        assert refused(told), field
    return await walk.answered(outcome)


@pytest.mark.parametrize("name", WALKS)
async def test_a_correction_taken_back_leaves_nothing(desk: Desk, name: str) -> None:
    """The value of before, said in another way, at the last pause before a write; what was read before stands still."""
    base, wanted = await base_of(desk, name)
    reads, writes = base.reads(), base.writes()
    known_at = [at for at in base.before_writing if base.correctable[at] - set(base.pauses[at][2])]
    for at in known_at[-1:]:
        fields = sorted(base.correctable[at])
        field = fields[at % len(fields)]
        walk = Walk(desk, name, given()[name].values)
        ended, where = settled(await walk.go(at, there_and_back(field, at))), f"{field} at {base.pauses[at]}"
        assert (ended, walk.writes()) == (wanted, writes), where
        assert walk.read_again(reads) == [], where


@pytest.mark.parametrize("name", WALKS)
async def test_two_corrections_in_one_message_are_both_taken(desk: Desk, name: str) -> None:
    """As if each had been said by itself, at the last pause before anything is written."""
    base, _ = await base_of(desk, name)
    seldom = ("text", "account")  # what follows may belong to them
    mine = [each for each in cases(name) if LIBRARY.words.fields[each[0]].type not in seldom]
    last = {field: value for field, value in mine if field != mine[0][0]}
    at = max((place for place, (_, kind, _) in enumerate(base.pauses) if kind != "ask"), default=0)
    pair = [mine[0], next(iter(last.items()))] if last else []
    if not pair or not {field for field, _ in pair} <= base.correctable[at]:
        return

    async def both(walk: Walk, outcome: Outcome) -> Outcome:
        words = "，".join(correction(field, known(walk, outcome, field), value) for field, value in pair)
        return await corrected(walk, outcome, words, dict(pair))

    right = Walk(desk, name, {**given()[name].values, **dict(pair)})
    wanted, writes = settled(await right.go()), right.writes()
    walk = Walk(desk, name, given()[name].values)
    assert (settled(await walk.go(at, both)), walk.writes()) == (wanted, writes), pair


def test_every_procedure_is_walked() -> None:
    """A new procedure needs an entry in procedures.yaml: how it is opened and what its fields are. Left out may be only one
    that is internal and is told nothing, with the reason."""
    missing = set(LIBRARY.sops) - {each.sop for each in given().values()} - set(unwalked())
    assert missing == set(), f"add to tests/unit/graph/pauses/procedures.yaml: {', '.join(sorted(missing))}"
    for name, reason in unwalked().items():
        assert (LIBRARY.sops[name].internal, LIBRARY.sops[name].told, bool(reason)) == (True, (), True), name


@pytest.mark.parametrize("name", sorted({each.sop for each in given().values()}))
def test_every_field_is_corrected(name: str) -> None:
    """Each field that people tell a procedure is corrected in one of its walks."""
    listened = {field for step in LIBRARY.sops[name].steps if step.kind == "wait" for field in step.writes()}
    told = set(LIBRARY.sops[name].told) - listened
    assert told - {field for each in given().values() if each.sop == name for field in each.other} == set()


def test_every_phrasing_can_be_said() -> None:
    """Of some shipped field at least, so that the walks use them all."""
    fields = [LIBRARY.words.fields[field] for each in given().values() for field in each.other]
    assert {said for spec in fields for said in phrasings(spec, in_words(spec, "x"))} == set(PHRASINGS)
