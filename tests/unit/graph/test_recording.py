"""What the back office said in a turn: a replay is told the same, call by call, and goes on from there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from graph.errors import StateLost, ToolRefused, ToolUnavailable
from graph.model import Begun, Fact, Lang
from graph.recording import Asked, Calls, recorded_call
from graph.tools.calling import Effect, Tries
from tests.unit.graph.builders import START, money, step_event, word
from tests.unit.graph.test_state import run as new_run

AT = START.isoformat()


class Door:
    """Answers in the order given: words, or an error."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)

    async def call(
        self, name: str, arguments: Mapping[str, Fact], *, lang: Lang, at: str, effect: Effect | None, tries: Tries
    ) -> Fact:
        """The next answer."""
        tries.count += 1
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return word(answer)


async def told(door: Door, calls: Calls, *asked: Asked, effect: Effect | None = None) -> list[object]:
    """What each of these calls comes to: a value, or the error's code and what it is about."""
    found: list[object] = []
    for each in asked:
        try:
            result = await recorded_call(door, new_run(), each, effect, calls, at=AT)  # type: ignore[arg-type]  # one method
            found.append(result.value)
        except ToolRefused as refused:
            found.append((refused.code, refused.argument))
        except ToolUnavailable as away:
            found.append((away.code, away.pause))
    return found


def again(calls: Calls, effect: str = "k") -> Calls:
    """The calls of a replay: what was kept when the turn began a write, through JSON and back."""
    return Calls(Begun.model_validate(calls.begin(step_event("message"), effect, None)))


ORDER = Asked("load", "get_order", {"order_id": word("KL-1")})
OTHER = Asked("load", "get_order", {"order_id": word("KL-2")})
BALANCE = Asked("balance", "get_gateway_balance", {"order_id": word("KL-1")})
PAY = Asked("pay", "apply_compensation", {"amount": money("80")})
EFFECT = Effect(key="k", digest="d", thread="T", fence=1)


async def test_a_replay_is_told_what_the_turn_was_told_in_the_same_order() -> None:
    """The same call made twice came to two things; an error is told as it was; the back office is not asked again."""
    refused, away = ToolRefused("not_found", argument="order_id"), ToolUnavailable("suspended", pause=9.0)
    calls = Calls()
    asked = (ORDER, ORDER, BALANCE, OTHER)
    first = await told(Door("one", "two", refused, away), calls, *asked)
    assert first == ["one", "two", ("not_found", "order_id"), ("suspended", 9.0)]
    assert await told(Door(), again(calls), *asked) == first


async def test_what_was_not_asked_by_then_is_asked_now() -> None:
    """Another order, another step, or once more than before."""
    calls = Calls()
    await told(Door("one"), calls, ORDER)
    assert await told(Door("b", "o", "new"), again(calls), BALANCE, OTHER, ORDER, ORDER) == ["b", "o", "one", "new"]


async def test_a_replay_that_breaks_off_keeps_what_it_was_told() -> None:
    """Replayed twice, it is told the same twice, and what came in between as well."""
    calls = Calls()
    await told(Door("one"), calls, ORDER)
    second = again(calls)
    await told(Door("more"), second, ORDER, BALANCE)
    assert await told(Door(), again(second), ORDER, BALANCE) == ["one", "more"]


async def test_a_refused_write_is_not_sent_again_by_a_replay_that_came_past_it() -> None:
    """The journal holds nothing of it, and what was refused then might be taken now; a write that was done is the
    journal's to know."""
    calls = Calls()
    assert await told(Door(ToolRefused("over_limit")), calls, PAY, effect=EFFECT) == [("over_limit", None)]
    assert await told(Door(), again(calls), PAY, effect=EFFECT) == [("over_limit", None)]
    done = Calls()
    await told(Door("paid"), done, PAY, effect=EFFECT)
    assert await told(Door("known"), again(done), PAY, effect=EFFECT) == ["known"]


async def test_what_a_replay_was_told_stands_in_the_log_as_it_was() -> None:
    """How often it was tried then; the log of the turn that broke off is gone."""
    calls, run = Calls(), new_run()
    await told(Door("one"), calls, ORDER)
    await recorded_call(Door(), run, ORDER, None, again(calls), at=AT)  # type: ignore[arg-type]  # one method
    assert [(line.what, line.tool, line.outcome, line.attempts) for line in run.log] == [("call", "get_order", "done", 1)]


def test_a_replay_must_come_to_the_write_that_it_is_there_to_finish() -> None:
    """Else nobody may say that the turn is stored."""
    replay = again(Calls(), "k")
    with pytest.raises(StateLost, match="effect k"):
        replay.kept_to()
    replay.begin(step_event("message"), "k", None)
    replay.kept_to()
    Calls().kept_to()
