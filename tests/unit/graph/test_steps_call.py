"""The step kind `call`: what it lacks it asks for, what fails holds, what is refused stops or leads elsewhere."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from graph.errors import ToolRefused, ToolUnavailable
from graph.model import Fact, Goto, Next, Problem, Stay, Stop
from graph.steps.call import Call, CallSpec
from tests.unit.graph.builders import CLOCK, LI, START, FakeServices, context, money, step_event, waiting_for, word

ORDER = Fact(
    type="record",
    value={"customer": word("王女士"), "account": Fact(type="text", value="6222000012345678", sensitive=True)},
)
READ = CallSpec.model_validate(
    {"id": "load", "kind": "call", "tool": "get_order", "args": {"order_id": "order_id"}, "save_as": "order"}
)
PAY = CallSpec.model_validate(
    {
        "id": "submit",
        "kind": "call",
        "tool": "apply_compensation",
        "args": {name: name for name in ("order_id", "amount", "comp_type", "reason", "approver", "bank_account")},
        "save_as": "paid",
    }
)
KNOWN = {
    "order_id": word("KL-778"),
    "amount": money("80"),
    "comp_type": Fact(type="choice", value="cash"),
    "reason": word("x"),
    "approver": word("System"),
}


def with_on_error(spec: CallSpec, **targets: object) -> CallSpec:
    """The step with places to go to."""
    return CallSpec.model_validate(
        {**spec.model_dump(exclude={"args"}), "args": {n: v.source for n, v in spec.args.items()}, "on_error": targets}
    )


async def test_a_result_is_kept_and_the_trail_shows_it_masked() -> None:
    """Whole in the facts, four signs in the trail."""
    move = await Call().run(READ, KNOWN, context(FakeServices({"get_order": ORDER})))
    assert isinstance(move, Next)
    assert move.set == {"order": ORDER}
    [entry] = move.trail
    assert (entry.what, entry.tool) == ("call", "get_order")
    assert "王女士" in str(entry.values) and "5678" in str(entry.values)
    assert "62220000" not in str(entry)


async def test_a_missing_field_is_asked_for_with_what_stood_against_it() -> None:
    """The opening sentence may have tried."""
    services = FakeServices(heard_of=[Problem(field="order_id", code="several", candidates=["KL-1", "KL-2"])])
    request = waiting_for(await Call().run(READ, {}, context(services)))
    assert (request.kind, request.missing, services.called) == ("ask", ["order_id"], [])
    assert request.problems == services.heard_of


async def test_an_optional_argument_that_is_not_known_is_left_out() -> None:
    """A required one is not."""
    services = FakeServices({"apply_compensation": ORDER})
    await Call().run(PAY, KNOWN, context(services))
    [(_, _, arguments)] = services.called
    assert set(arguments) == set(KNOWN)


async def test_a_missing_fact_that_nobody_can_be_asked_for_holds_the_case() -> None:
    """The money stays, and the hold says what is missing."""
    facts = {name: fact for name, fact in KNOWN.items() if name != "approver"}
    request = waiting_for(await Call().run(PAY, facts, context()))
    assert (request.kind, request.error) == ("hold", "missing:approver")


@pytest.mark.parametrize("code", ["down", "slow", "nonsense"])
async def test_what_fails_for_good_holds_the_case_with_a_clock(code: str) -> None:
    """Waiting for the back office, which is tried again by itself."""
    request = waiting_for(await Call().run(READ, KNOWN, context(FakeServices({"get_order": ToolUnavailable(code)}))))
    assert (request.kind, request.error, request.tool) == ("hold", code, "get_order")
    assert [timer.id for timer in request.timers] == [f"{request.id}/retry/1"]


async def test_a_clock_that_helps_nothing_sets_the_next_one_and_tells_nobody() -> None:
    """The same hold stays; it is tried later each time, five minutes at most."""
    services = FakeServices({"get_order": ToolUnavailable("down")})
    first = request = waiting_for(await Call().run(READ, KNOWN, context(services)))
    waits = []
    for tries in range(1, 7):
        [timer] = request.timers
        assert (request.id, timer.id) == (first.id, f"{first.id}/retry/{tries}")
        waits.append(datetime.fromisoformat(timer.due) - START)
        move = await Call().answered(READ, KNOWN, request, step_event("timer", CLOCK, timer=timer.id), context(services))
        assert isinstance(move, Stay)
        assert (move.trail, move.closed, move.set) == ([], None, {})
        request = move.request
    assert waits == [timedelta(seconds=seconds) for seconds in (30, 60, 120, 300, 300, 300)]


async def test_a_clock_that_helps_goes_on() -> None:
    """With the result; or to a question, when the back office is back and says no."""
    services = FakeServices({"get_order": ToolUnavailable("down")})
    request = waiting_for(await Call().run(READ, KNOWN, context(services)))
    ring = step_event("timer", CLOCK, timer=request.timers[0].id)
    services.results["get_order"] = ORDER
    move = await Call().answered(READ, KNOWN, request, ring, context(services, actor=CLOCK))
    assert isinstance(move, Next)
    assert move.closed is not None
    assert (move.closed.ending, [entry.what for entry in move.trail]) == ("resumed", ["retry", "call"])
    services.results["get_order"] = ToolRefused("not_found")
    asked = await Call().answered(READ, KNOWN, request, ring, context(services, actor=CLOCK))
    assert isinstance(asked, Stay)
    assert (asked.request.kind, [entry.what for entry in asked.trail]) == ("ask", ["retry", "error", "ask"])


async def test_a_held_step_is_tried_again_where_it_stands() -> None:
    """The hold is closed as resumed."""
    services = FakeServices({"get_order": ToolUnavailable("down")})
    request = waiting_for(await Call().run(READ, KNOWN, context(services)))
    move = await Call().answered(READ, KNOWN, request, step_event("retry"), context(services))
    assert isinstance(move, Goto)
    assert (move.to, move.again) == ("load", False)
    assert move.closed is not None
    assert (move.closed.ending, move.closed.by) == ("resumed", LI.id)


async def test_a_write_that_must_not_be_repeated_is_parked() -> None:
    """For a person: no clock, no retry."""
    services = FakeServices({"apply_compensation": ToolUnavailable("in_doubt")})
    request = waiting_for(await Call().run(PAY, KNOWN, context(services)))
    assert (request.kind, request.error, request.timers) == ("park", "in_doubt", [])


async def test_a_refused_field_is_forgotten_and_asked_for_anew() -> None:
    """With the code that was not found as it was said."""
    move = await Call().run(READ, KNOWN, context(FakeServices({"get_order": ToolRefused("not_found")})))
    assert isinstance(move, Stay)
    assert (move.drop, move.request.missing) == (["order_id"], ["order_id"])
    assert move.request.problems == [Problem(field="order_id", code="not_found", quote="KL-778")]
    assert [entry.what for entry in move.trail] == ["error", "ask"]


async def test_the_answer_goes_on_from_the_first_step_that_depends_on_it() -> None:
    """Never straight into a write: what was checked and approved was another order."""
    services = FakeServices({"apply_compensation": ToolRefused("not_found")}, corrected_to="load_order")
    request = waiting_for(await Call().run(PAY, KNOWN, context(services)))
    move = await Call().answered(PAY, KNOWN, request, step_event("message", text="KL-502"), context(services))
    assert isinstance(move, Goto)
    assert (move.to, move.again, move.set["order_id"].value, move.set["order_id"].by) == (
        "load_order",
        False,
        "KL-502",
        LI.id,
    )
    assert [set(each) for each in services.corrected] == [{"order_id"}]


async def test_an_answer_that_gives_nothing_is_asked_again_with_the_reason() -> None:
    """The old question is closed, a new one stands."""
    request = waiting_for(await Call().run(READ, {}, context()))
    move = await Call().answered(READ, {}, request, step_event("message", text="KL-1 或者 KL-2，9 号"), context())
    assert isinstance(move, Stay)
    assert move.request.missing == ["order_id"]
    assert move.request.problems
    assert move.closed is not None
    assert move.closed.ending == "answered"


async def test_any_other_refusal_stops_the_case_and_says_so() -> None:
    """The back office understood, and the answer is no."""
    move = await Call().run(PAY, KNOWN, context(FakeServices({"apply_compensation": ToolRefused("open_compensation")})))
    assert isinstance(move, Stop)
    assert "there is an open compensation" in move.why.en
    assert [entry.what for entry in move.trail] == ["error", "stop"]


@pytest.mark.parametrize(("code", "to"), [("not_paid", "elsewhere"), ("not_found", "anywhere")])
async def test_on_error_leads_where_the_file_says(code: str, to: str) -> None:
    """By code, else by default; what the file names is forgotten."""
    spec = with_on_error(READ, not_paid={"goto": "elsewhere", "reset": ["order_id"]}, default={"goto": "anywhere"})
    move = await Call().run(spec, KNOWN, context(FakeServices({"get_order": ToolRefused(code)})))
    assert isinstance(move, Goto)
    assert (move.to, move.again, move.drop) == (to, True, ["order_id"] if to == "elsewhere" else [])
    assert (move.trail[0].goto, move.trail[0].reason) == (to, code)


async def test_on_error_serves_a_read_that_fails_for_good_but_never_a_write() -> None:
    """A write that may have happened is finished first."""
    read = await Call().run(
        with_on_error(READ, goto="elsewhere"), KNOWN, context(FakeServices({"get_order": ToolUnavailable("down")}))
    )
    assert isinstance(read, Goto)
    other = await Call().run(
        with_on_error(READ, slow={"goto": "x"}), KNOWN, context(FakeServices({"get_order": ToolUnavailable("down")}))
    )
    assert waiting_for(other).kind == "hold"
    pay = with_on_error(PAY, goto="elsewhere")
    write = await Call().run(pay, KNOWN, context(FakeServices({"apply_compensation": ToolUnavailable("down")})))
    assert waiting_for(write).kind == "hold"
