"""The state of a run: plain JSON in known shapes, and what a move does to it."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from pydantic import ValidationError

from graph.model import Fact, Goto, Next, Request, Stay, Stop, Text, TrailEntry
from graph.state import RunState
from tests.unit.graph.builders import LI, money, word
from tests.unit.graph.runs import RUNS


def run(**given: object) -> RunState:
    """A run that has just begun."""
    base = {
        "run": "r",
        "case": "C-1",
        "thread": "T",
        "lang": "zh",
        "opener": LI,
        "owner": LI,
        "opened_at": "t0",
        "updated_at": "t0",
        "text": "x",
    }
    return RunState.model_validate(base | given)


@given(RUNS)
def test_any_run_survives_json(made: RunState) -> None:
    """What is dumped is plain JSON, and loads as the same run."""
    assert RunState.load(json.loads(json.dumps(made.dump()))) == made


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "money", "value": "80"},
        {"type": "money", "value": 80, "currency": "USD"},
        {"type": "money", "value": "eighty", "currency": "USD"},
        {"type": "money", "value": "NaN", "currency": "USD"},
        {"type": "money", "value": "Infinity", "currency": "USD"},
        {"type": "money", "value": 0.1, "currency": "USD"},
        {"type": "percent", "value": "much"},
        {"type": "integer", "value": "5"},
        {"type": "integer", "value": True},
        {"type": "integer", "value": 2**53 + 1},
        {"type": "integer", "value": -(2**63)},
        {"type": "boolean", "value": 1},
        {"type": "text", "value": 5},
        {"type": "text", "value": {}},
        {"type": "record", "value": "x"},
        {"type": "record", "value": []},
        {"type": "record", "value": None},
        {"type": "list", "value": {}},
        {"type": "record", "value": {"lc": word("2")}},
        {"type": "record", "value": {"__class__": word("2")}},
        {"type": "list", "value": [{"type": "record", "value": {"lc": word("2")}}]},
        {"type": "text", "value": "\ud800"},
        {"type": "colour", "value": "red"},
        {"type": "text", "value": "x", "colour": "red"},
    ],
)
def test_a_fact_that_the_store_would_bend_is_refused(wrong: dict[str, object]) -> None:
    """Floats, NaN, big integers, the saver's own keys, half characters, unknown types: none of it enters the state."""
    with pytest.raises(ValidationError):
        Fact.model_validate(wrong)


def test_a_number_is_exact_and_only_a_number_has_one() -> None:
    """Money, integers and percents as Decimal; a text never, though it looks like one."""
    assert money("0.10").decimal() == Decimal("0.10")
    assert Fact(type="integer", value=3).decimal() == 3
    assert Fact(type="percent", value="1.5").decimal() == Decimal("1.5")
    with pytest.raises(ValueError, match="a fact of type text is not a number"):
        word("80").decimal()


def test_facts_are_the_same_if_type_value_and_currency_are_all_the_way_down() -> None:
    """Who said it, when and in which words does not matter."""
    record = Fact(type="record", value={"amount": money("80"), "tags": Fact(type="list", value=[word("a", by="U1")])})
    same = Fact(
        type="record", value={"amount": money("80", by="U2"), "tags": Fact(type="list", value=[word("a")])}, quote="q"
    )
    other = Fact(type="record", value={"amount": money("80", "EUR"), "tags": Fact(type="list", value=[word("a")])})
    assert record.essence() == same.essence() != other.essence()


def test_a_move_drops_then_sets_and_notes_who_made_what() -> None:
    """A step's facts are its own; what it drops is nobody's."""
    made = run(cursor="collect", facts={"a": word("1"), "b": word("2")}, made={"a": "earlier", "b": "earlier"})
    made.apply(Next(drop=["a", "b"], set={"b": word("3")}))
    assert ({name: fact.value for name, fact in made.facts.items()}, made.made) == ({"b": "3"}, {"b": "collect"})


def test_a_correction_leaves_a_fact_to_its_maker() -> None:
    """So that it goes again if the step that asked for it does not apply any more."""
    made = run(cursor="approval", facts={"a": word("1")}, made={"a": "bank_info"})
    made.apply(Goto(to="collect", again=False, set={"a": word("2"), "c": word("3")}))
    assert made.made == {"a": "bank_info"}


def test_moves_set_request_and_status() -> None:
    """Waiting, working, and how it ended, with whether money had moved."""
    made = run(cursor="s")
    request = Request(id="C-1/s/1", kind="ask", step="s", made_at="t")
    made.apply(Stay(request=request))
    assert (made.request, made.status, made.over, made.unfinished) == (request, "waiting", False, False)
    made.apply(Next(model_calls=2))
    assert (made.request, made.status, made.model_calls) == (None, "working", 2)
    made.written = ["submit"]
    why = Text(zh="因", en="why")
    made.apply(Stop(status="cancelled", step="s", why=why, trail=[TrailEntry(step="s", what="cancel", at="t9", by="U1")]))
    assert (made.status, made.over, made.request) == ("cancelled", True, None)
    assert made.stopped is not None
    assert (made.stopped.money_moved, made.stopped.by, made.stopped.at) == (True, "U1", "t9")
    made.apply(Stop(step="s", why=why))
    assert made.stopped.by == ""


def test_a_run_that_neither_waits_nor_has_ended_in_words_is_unfinished() -> None:
    """Its last turn broke off; the next one carries it on first."""
    sealed = {"name": "n", "digest": "d", "text": "t"}
    assert run(sop=sealed, status="working").unfinished
    assert run(sop=sealed, status="done").unfinished
    assert not run(sop=sealed, status="done", worded=True).unfinished
    assert not run(status="working").unfinished


def test_requests_of_a_step_are_numbered_and_events_are_remembered() -> None:
    """Ids never come twice; of many events the last two hundred are known."""
    made = run()
    assert [made.visit("a"), made.visit("b"), made.visit("a")] == ["C-1/a/1", "C-1/b/1", "C-1/a/2"]
    for number in range(250):
        made.remember(f"e{number}", f"t{number}")
    assert (made.applied[0], made.applied[-1], len(made.applied), made.updated_at) == ("e50", "e249", 200, "t249")
