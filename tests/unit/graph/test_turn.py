"""One turn's services: the key of a write, what a decision is bound to, and what a summary is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from graph.engine import Engine
from graph.model import Actor, Begun, Fact, Lang
from graph.recording import Calls
from graph.recounting import record
from graph.state import RunState, Sealed
from graph.tools.calling import Effect, Tries
from graph.tools.no_journal import NoJournal
from graph.turn import BoundServices, Turn
from tests.unit.graph.builders import LI, START, WANG, Desk, money, shipped, step_event, word
from tests.unit.graph.test_state import run as new_run


class Door:
    """Keeps the effects that it is given."""

    def __init__(self) -> None:
        self.effects: list[Effect | None] = []

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Fact],
        *,
        lang: Lang,
        at: str,
        effect: Effect | None,
        tries: Tries | None = None,
    ) -> Fact:
        """Any result."""
        self.effects.append(effect)
        return word("done")


def opened(**given: object) -> RunState:
    """A run of the shipped procedure."""
    sop = shipped().sops["compensation"]
    return new_run(sop=Sealed(name=sop.name, digest=sop.digest, text=sop.text), cursor="submit", **given)


def services(
    desk: Desk, run: RunState, *, event: str = "e1", actor: Actor = LI, fence: int = 1
) -> tuple[BoundServices, Door]:
    """The services of a turn, and the door behind them."""
    door = Door()
    engine = Engine(desk.engine.library, door)  # type: ignore[arg-type]  # the one method that is used
    turn = Turn(engine, step_event("decision", actor).model_copy(update={"id": event}), fence)
    return BoundServices(turn, run, engine.sop_of(run)), door


async def effect_of(desk: Desk, run: RunState, arguments: Mapping[str, Fact], **given: object) -> Effect:
    """The effect that a submission is made under."""
    bound, door = services(desk, run, **given)  # type: ignore[arg-type]  # passed on
    await bound.call("submit", "apply_compensation", arguments)
    [effect] = door.effects
    assert effect is not None
    return effect


async def test_a_write_has_the_same_key_whoever_makes_it_whenever_and_with_what(desk: Desk) -> None:
    """Run and step make it; other arguments make another digest, and another repeat another key."""
    first = await effect_of(desk, opened(), {"amount": money("80")})
    other = await effect_of(desk, opened(), {"amount": money("81")}, event="e2", actor=WANG, fence=9)
    assert (first.key, first.digest == other.digest) == (other.key, False)
    assert (other.fence, Begun.model_validate(other.turn).event.id) == (9, "e2")
    assert (await effect_of(desk, opened(run="r2"), {})).key != first.key
    assert (await effect_of(desk, opened(repeats={"submit": 1}), {})).key != first.key
    assert (await effect_of(desk, opened(repeats={"note": 1}), {})).key == first.key


async def test_the_digest_of_arguments_knows_their_currency_all_the_way_down(desk: Desk) -> None:
    """Eighty euros are not eighty dollars, inside a record either."""
    inside = [Fact(type="record", value={"amount": money("80", code)}) for code in ("USD", "EUR")]
    digests = {(await effect_of(desk, opened(), {"x": fact})).digest for fact in (money("80"), money("80", "EUR"), *inside)}
    assert len(digests) == 4


async def test_a_read_has_no_effect_and_a_write_is_noted(desk: Desk) -> None:
    """Only what was written is passed by later."""
    run = opened()
    bound, door = services(desk, run)
    await bound.call("load_order", "get_order", {"order_id": word("KL-778")})
    assert (door.effects, run.written) == ([None], [])
    await bound.call("submit", "apply_compensation", {})
    assert run.written == ["submit"]


async def test_a_decision_is_bound_to_facts_and_text(desk: Desk) -> None:
    """Not to who said them, nor to facts that are not named."""
    run = opened()
    bound, _ = services(desk, run)
    facts = {"amount": money("80", by="U1"), "reason": word("x")}
    digest = bound.digest(["amount"], facts)
    assert digest == bound.digest(["amount", "nowhere"], {"amount": money("80", by="U2"), "reason": word("y")})
    assert digest != bound.digest(["amount"], {"amount": money("80", "EUR")})
    other = BoundServices(bound.turn, run, replace(bound.sop, digest="other"))
    assert digest != other.digest(["amount"], facts)


def test_a_turns_time_is_the_time_its_event_was_stored(desk: Desk) -> None:
    """So that a replay agrees."""
    assert Turn(desk.engine, step_event("message"), 1).now == START.isoformat()


def test_a_summary_is_told_nothing_sensitive() -> None:
    """Neither a fact nor what stands inside one."""
    account = Fact(type="account", value="6222000012345678", sensitive=True)
    told = record(
        opened(facts={"amount": money("80"), "bank_account": account, "paid": Fact(type="record", value={"to": account})})
    )
    assert "80" in told and "USD" in told
    assert "62220000" not in told


class Discarding(NoJournal):
    """Keeps what it is told to forget."""

    def __init__(self) -> None:
        self.forgotten: list[str] = []

    async def discard(self, key: str, thread: str, fence: int) -> None:
        """Kept."""
        self.forgotten.append(key)


@pytest.mark.parametrize("replayed", [False, True])
async def test_what_a_turn_began_after_a_person_had_spoken_is_not_forgotten_by_its_replay(
    desk: Desk, replayed: bool
) -> None:
    """"Not paid" was said of the write before; the one that the same turn began since may have been paid."""
    run = opened()
    bound, _ = services(desk, run)
    journal = Discarding()
    bound.turn.engine.door = replace(desk.engine.door, journal=journal)
    key = (await effect_of(desk, opened(), {})).key
    if replayed:
        bound.turn.calls = Calls(Begun(event=bound.turn.event, effect=key))
    await bound.settle("submit", done=False)
    assert journal.forgotten == ([] if replayed else [key])
