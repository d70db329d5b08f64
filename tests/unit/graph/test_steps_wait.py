"""The step kind `wait`: its clock, its ears, and what it lets customers be told."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pydantic import ValidationError

from graph.model import Fact, Goto, Next, Stay, Stop, Text
from graph.steps.book import GRANTS
from graph.steps.promised import allowed, told
from graph.steps.wait import Wait, WaitSpec
from tests.unit.graph.builders import CLOCK, LI, START, FakeServices, context, step_event, waiting_for, word
from tests.unit.graph.refund_facts import LIBRARY, SOP, record

EXPECTED = SOP.step("expected")
assert isinstance(EXPECTED, WaitSpec)
RULE = {"rule": record(expected_by="2026-09-10", overdue=False).model_copy(update={"by": "tool:get_settlement_rule"})}


def waits(**keys: object) -> WaitSpec:
    """A wait with these keys."""
    return WaitSpec.model_validate({"id": "w", "kind": "wait", **keys})


@pytest.mark.parametrize(
    ("keys", "due"),
    [
        ({"for": "30s"}, timedelta(seconds=30)),
        ({"for": "2m"}, timedelta(minutes=2)),
        ({"for": "3d"}, timedelta(days=3)),
        ({"for": "pause"}, timedelta(hours=12)),
        ({"for": "seconds"}, timedelta(seconds=90)),
        ({"until": "at"}, timedelta(hours=2)),
        ({"until": "day"}, timedelta(hours=18) - timedelta(microseconds=1)),
    ],
)
async def test_the_clock_is_set_once(keys: dict[str, object], due: timedelta) -> None:
    """A length, a fact that holds one, a time, or the end of a day."""
    facts = {
        "pause": word("12h"),
        "seconds": Fact(type="integer", value=90),
        "at": word("2026-09-04T08:00:00+00:00"),
        "day": Fact(type="date", value="2026-09-04"),
    }
    request = waiting_for(await Wait().run(waits(**keys), facts, context(FakeServices(), library=LIBRARY)))
    assert request.timers[0].due == (START + due).isoformat()
    assert request.kind == "wait"


async def test_what_is_past_or_unknown_does_not_wait() -> None:
    """A past time goes on at once; one that nobody knows stops, and says so."""
    ctx = context(FakeServices(), library=LIBRARY)
    assert isinstance(await Wait().run(waits(until="at"), {"at": word("2026-09-01")}, ctx), Next)
    for facts in ({}, {"at": word("soon")}):
        assert isinstance(await Wait().run(waits(until="at"), facts, ctx), Stop)


@pytest.mark.parametrize("keys", [{}, {"for": "1m", "until": "at"}, {"on_message": {"fields": ["arrived"]}}])
def test_a_wait_has_one_end(keys: dict[str, object]) -> None:
    """Neither none nor two."""
    with pytest.raises(ValidationError):
        waits(**keys)


@pytest.mark.parametrize(
    ("said", "leads"),
    [
        *(("到账了", "closed"), ("it arrived", "closed"), ("money has arrived", "closed"), ("昨天到账了", "closed")),
        *(("还没到账", None), ("没收到", None), ("什么时候", None), ("收到了", None), ("received", None), ("yes", None)),
        *(("客人到了机场", None), ("如果到账了我告诉你", None), ("好像到账了", None), ("it might have arrived", None)),
    ],
)
async def test_a_word_that_it_arrived_ends_it_and_others_do_not(said: str, leads: str | None) -> None:
    """With evidence; a word from before this wait is none."""
    services = FakeServices()
    ctx = context(services, library=LIBRARY)
    assert isinstance(EXPECTED, WaitSpec)
    facts = {**RULE, "arrived": Fact(type="choice", value="has_arrived")}
    request = waiting_for(await Wait().run(EXPECTED, facts, ctx))
    move = await Wait().answered(EXPECTED, facts, request, step_event("message", LI, text=said), ctx)
    if leads is None:
        assert isinstance(move, Stay) and move.request == request
        assert [reply.code for reply in move.replies] == ["noted" if move.set else "waits_until"]
        assert "has_arrived" not in [fact.value for fact in move.set.values()]
    else:
        assert isinstance(move, Goto) and (move.to, move.set["arrived"].value) == (leads, "has_arrived")


@pytest.mark.parametrize(
    "said", ["客人要投诉", "he is filing a complaint", "再不到账客人就要投诉", "The guest complained"]
)
async def test_a_complaint_told_by_the_way_calls_a_person_once(said: str) -> None:
    """Whatever else the message says; once a review has answered it, the same does not call again, and the clock stays."""
    services = FakeServices()
    ctx = context(services, library=LIBRARY)
    assert isinstance(EXPECTED, WaitSpec)
    request = waiting_for(await Wait().run(EXPECTED, RULE, ctx))
    event = step_event("message", LI, text=said)
    move = await Wait().answered(EXPECTED, RULE, request, event, ctx)
    assert isinstance(move, Goto) and (move.to, move.set["complaint"].value) == ("need_review", "raised")
    reason = move.set["progress"].at_path("zh")
    assert reason is not None and reason.value == "客人投诉"
    services.noted.update(move.notes)
    services.noted[GRANTS] = 1
    again = await Wait().answered(EXPECTED, {**RULE, **move.set}, request, event, ctx)
    assert isinstance(again, Stay) and again.request == request


async def test_its_time_leads_on() -> None:
    """Where `then` says."""
    ctx = context(FakeServices(), library=LIBRARY)
    assert isinstance(EXPECTED, WaitSpec)
    request = waiting_for(await Wait().run(EXPECTED, RULE, ctx))
    move = await Wait().answered(EXPECTED, RULE, request, step_event("timer", CLOCK), ctx)
    assert isinstance(move, Goto) and move.to == "refunding"


async def test_the_customer_may_be_told_what_the_rule_gave_and_once() -> None:
    """The same words are not said again."""
    services = FakeServices()
    ctx = context(services, library=LIBRARY)
    assert isinstance(EXPECTED, WaitSpec)
    first = await Wait().run(EXPECTED, RULE, ctx)
    [said] = first.replies
    assert said.text is not None and "2026-09-10" in said.text.zh
    services.noted.update(first.notes)
    assert (await Wait().run(EXPECTED, RULE, ctx)).replies == []


def test_a_time_comes_from_the_settlement_rule_alone() -> None:
    """Not from another tool, a person or the file itself; an arrival is never claimed by a file."""
    words = Text(zh="预计 {rule.expected_by} 前到账", en="expected by {rule.expected_by}")
    assert told(words, RULE) is not None
    assert told(words, {}) is None
    assert told(words, {"rule": RULE["rule"].model_copy(update={"by": "tool:query_refund"})}) is None
    assert told(words, {"rule": RULE["rule"].model_copy(update={"by": "U0LI"})}) is None
    for claim in ("24 小时内到账", "明天到账", "已到账", "it has arrived", "within 3 days", "by 2026-09-10"):
        assert not allowed(claim)
    assert allowed("请稍等，有结果会在这里说".replace("稍", ""))
