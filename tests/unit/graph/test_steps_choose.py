"""The step kind `choose`, on the states of the shipped refund procedure: what is offered, what is refused at the door, and
that results alone decide where it leads."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from graph.context import Context, Pick
from graph.errors import SUSPENDED, ToolRefused, ToolUnavailable
from graph.model import Event, Fact, Goto, JsonValue, Move, Request, Stay
from graph.steps.actions import against, offered
from graph.steps.book import GRANTS
from graph.steps.choose import Choose
from graph.steps.choose_spec import ChooseSpec
from tests.unit.graph.builders import CLOCK, LI, START, TOOLS, FakeServices, money, step_event, waiting_for, word
from tests.unit.graph.builders import context as made_context
from tests.unit.graph.refund_facts import (
    LIBRARY,
    ORDER_NO,
    OTHERS_NO,
    REFUND_NO,
    STATES,
    channel,
    known,
    order,
    record,
    refund,
)

TABLE = {
    "init": {"query_order", "request_review"},
    "verifying": {"query_refund", "request_review"},
    "waiting_payment": {"retry_refund", "query_channel_refund_status", "request_review"},
    "refunding": {"check_arrival_notice", "get_settlement_rule", "request_review"},
}
"""The procedure's table: which action may be taken in which state."""
INVENTED = ("mark_closed", "set_state", "close", "submit_review_result", "refund_now", "CLOSED", "", "query_order ")
OWN: dict[str, JsonValue] = {"refund_no": REFUND_NO, "channel": "alipay", "order_id": ORDER_NO}


def context(services: FakeServices) -> Context:
    """A context on these services."""
    return made_context(services, library=LIBRARY)


def arguments_of(action: str) -> dict[str, JsonValue]:
    """The case's own arguments for a tool."""
    return {each.name: OWN[each.name] for each in TOOLS[action].parameters if each.name in OWN} if action in TOOLS else {}


def ask_status(**given: JsonValue) -> Pick:
    """A pick of the channel query with these arguments."""
    return Pick(action="query_channel_refund_status", arguments={"refund_no": REFUND_NO, "channel": "alipay", **given})


def later(ctx: Context, seconds: int) -> Context:
    """The same services, so much later."""
    at = datetime.fromisoformat(ctx.now) + timedelta(seconds=seconds)
    return Context(**{**vars(ctx), "now": at.isoformat()})


async def visit(state: str, facts: dict[str, Fact], ctx: Context, services: FakeServices) -> Move:
    """One visit; what it notes is kept."""
    move = await Choose().run(STATES[state], facts, ctx)
    services.noted.update(move.notes)
    return move


def went(move: Move) -> tuple[str, str]:
    """Where a move leads, and why."""
    assert isinstance(move, Goto), move
    code = move.set["progress"].at_path("code")
    assert code is not None
    return move.to, str(code.value)


@pytest.mark.parametrize("state", STATES)
def test_only_the_tables_pairs_of_state_and_action_pass_the_door(state: str) -> None:
    """The whole cross product of states with every tool there is and with invented names; a retry only once allowed."""
    names = (*TOOLS, "request_review", *INVENTED)
    for allowed in (False, True):
        facts = known(**({"retry": word("allowed")} if allowed else {}))
        open_ = offered(STATES[state].actions, facts, TOOLS)
        passed = {
            name for name in names if against(Pick(action=name, arguments=arguments_of(name)), open_, TOOLS) is None
        }
        assert passed == TABLE[state] - (set() if allowed else {"retry_refund"})


def test_the_procedure_has_the_tables_transitions_and_no_others() -> None:
    """From each state, by its actions, to the states of the table; a person is called where nothing fits."""
    leads = {
        state: {
            action.called: {way.goto for way in action.on} | {spec.on_exhausted.targets["default"].goto}
            for action in spec.actions
        }
        for state, spec in STATES.items()
    }
    review = {"need_review"}
    assert leads == {
        "init": {"query_order": {"verifying"} | review, "request_review": review},
        "verifying": {"query_refund": {"waiting_payment"} | review, "request_review": review},
        "waiting_payment": {
            "retry_refund": {"waiting_payment"} | review,
            "query_channel_refund_status": {"waiting_payment", "refunding"} | review,
            "request_review": review,
        },
        "refunding": {
            "check_arrival_notice": {"closed", "refunding"} | review,
            "get_settlement_rule": {"expected"} | review,
            "request_review": review,
        },
    }


@pytest.mark.parametrize(
    ("pick", "code"),
    [
        (ask_status(refund_no=ORDER_NO), "malformed"),
        (ask_status(refund_no=OTHERS_NO), "not_own"),
        (ask_status(channel="bank_card"), "not_own"),
        (ask_status(channel="cash"), "malformed"),
        (ask_status(state="CLOSED"), "unknown_argument"),
        (ask_status(refund_no=None), "malformed"),
        (ask_status(refund_no=["RF202609010001"]), "malformed"),
        (Pick(action="query_channel_refund_status", arguments={"channel": "alipay"}), "missing_argument"),
        (Pick(action="request_review", arguments={"state": "CLOSED"}), "unknown_argument"),
        (Pick(action="request_review", arguments={"reason": "x" * 301}), "unknown_argument"),
        (Pick(action="request_review", arguments={"reason": "nothing fits"}), None),
        (ask_status(), None),
    ],
)
def test_arguments_must_be_of_the_schema_and_the_cases_own(pick: Pick, code: str | None) -> None:
    """An order's number as a refund's, another refund's number, another channel, a field that no tool has: refused."""
    open_ = offered(STATES["waiting_payment"].actions, known(), TOOLS)
    assert against(pick, open_, TOOLS) == code


async def test_without_a_model_the_files_order_decides() -> None:
    """The first action with a tool is taken, and its result decides."""
    services = FakeServices({"query_order": order()})
    told = {name: fact for name, fact in known().items() if name not in ("order", "refund")}
    move = await visit("init", told, context(services), services)
    assert went(move) == ("verifying", "result")
    [entry] = move.trail
    assert (entry.what, entry.tool, entry.goto) == ("choose", "query_order", "verifying")
    assert entry.values["offered"] == ["query_order", "request_review"]
    assert entry.values["arguments"] == {"order_id": ORDER_NO}
    assert entry.context == {
        "state": "init",
        "order_id": ORDER_NO,
        "user_id": "CU000005",
        "amount": "62 USD",
        "last": None,
        "times": {},
    }


async def test_each_step_has_a_snapshot_of_what_was_known() -> None:
    """Order, refund, customer, amount, channel, state, last result and times: in the record, and before the model."""
    notice = record(refund_no=REFUND_NO, arrived=True)
    services = FakeServices(
        {"query_channel_refund_status": channel("success"), "check_arrival_notice": notice},
        picks=[ask_status(), Pick(action="check_arrival_notice", arguments={"refund_no": REFUND_NO})],
    )
    ctx = context(services)
    first = await visit("waiting_payment", known(), ctx, services)
    assert isinstance(first, Goto)
    second = await visit("refunding", {**known(), **first.set}, later(ctx, 5), services)
    [entry] = second.trail
    for seen in (entry.context, services.situations[1].known):
        assert (seen["state"], seen["order_id"], seen["user_id"]) == ("refunding", ORDER_NO, "CU000005")
        assert (seen["refund_no"], seen["channel"], seen["amount"]) == (REFUND_NO, "alipay", "62 USD")
        assert seen["last"] == {
            "state": "waiting_payment",
            "action": "query_channel_refund_status",
            "code": "result",
            "result": {"refund_no": REFUND_NO, "channel": "alipay", "status": "success"},
        }
        assert START.isoformat() in str(seen["times"]) and str(seen["times"]).count("2026-") == 1


@pytest.mark.parametrize(
    ("result", "leads"),
    [
        (order(), ("verifying", "result")),
        (order(user_id="CU000009"), ("need_review", "result")),
        (order(refund_amount=money("61")), ("need_review", "result")),
        (order(refund_amount=money("62", "EUR")), ("need_review", "unexpected")),
        (record(order_id=ORDER_NO, user_id="CU000005"), ("need_review", "unexpected")),
        (ToolRefused("not_found"), ("need_review", "not_found")),
        (ToolUnavailable("slow"), ("need_review", "slow")),
    ],
)
async def test_an_order_that_does_not_match_goes_to_a_person(result: Fact, leads: tuple[str, str]) -> None:
    """Missing, another buyer, another amount, no refund, no answer: never on by itself."""
    services = FakeServices({"query_order": result})
    assert went(await visit("init", known(), context(services), services)) == leads


@pytest.mark.parametrize(
    ("changes", "leads"),
    [({}, "waiting_payment"), ({"submitted": False}, "need_review"), ({"order_id": "KL-2"}, "need_review")],
)
async def test_a_refund_is_waited_for_only_where_the_channel_has_it(changes: dict[str, str | bool], leads: str) -> None:
    """Handed to the channel, and of this order."""
    services = FakeServices({"query_refund": refund(**changes)})
    assert went(await visit("verifying", known(), context(services), services))[0] == leads


async def test_three_queries_two_minutes_apart_then_a_person() -> None:
    """The clock is the request's; between the queries nothing is asked."""
    services = FakeServices({"query_channel_refund_status": channel("processing")})
    ctx = context(services)
    for number in range(3):
        assert went(await visit("waiting_payment", known(), ctx, services)) == ("waiting_payment", "result")
        if number < 2:
            request = waiting_for(await visit("waiting_payment", known(), ctx, services))
            assert request.kind == "wait"
            [timer] = request.timers
            assert datetime.fromisoformat(timer.due) - datetime.fromisoformat(ctx.now) == timedelta(minutes=2)
            assert isinstance(await visit("waiting_payment", known(), later(ctx, 119), services), Stay)
            ctx = later(ctx, 120)
    assert went(await visit("waiting_payment", known(), ctx, services)) == ("need_review", "exhausted")
    assert [tool for _, tool, _ in services.called] == ["query_channel_refund_status"] * 3
    assert services.called[0][2]["refund_no"].value == REFUND_NO


async def test_an_approval_grants_a_fresh_count_but_no_faster_one() -> None:
    """The rest since the last query is kept; and a refund with another number is counted by itself."""
    services = FakeServices({"query_channel_refund_status": channel("processing")})
    spec_limit = 3
    for number in range(spec_limit):
        await visit("waiting_payment", known(), later(context(services), 200 * number), services)
    assert went(await visit("waiting_payment", known(), later(context(services), 900), services))[1] == "exhausted"
    other = known(refund=refund(refund_no=OTHERS_NO))
    assert went(await visit("waiting_payment", other, later(context(services), 900), services))[1] == "result"
    services.noted[GRANTS] = 1
    request = waiting_for(await visit("waiting_payment", known(), later(context(services), 460), services))
    assert request.timers[0].due == (START + timedelta(seconds=400 + 120)).isoformat()
    assert went(await visit("waiting_payment", known(), later(context(services), 520), services))[1] == "result"


@pytest.mark.parametrize(
    ("status", "leads"),
    [("accepted", "refunding"), ("success", "refunding"), ("failed", "need_review"), ("CLOSED", "need_review")],
)
async def test_the_channels_word_decides(status: str, leads: str) -> None:
    """Not the model's: a state of its own that no transition names goes to a person."""
    services = FakeServices({"query_channel_refund_status": channel(status)}, picks=[ask_status()])
    assert went(await visit("waiting_payment", known(), context(services), services))[0] == leads


@pytest.mark.parametrize("name", INVENTED)
async def test_a_wrong_pick_is_told_back_and_three_call_a_person(name: str) -> None:
    """Nothing is called; each refusal is in the record."""
    services = FakeServices(picks=[Pick(action=name)] * 3)
    move = await visit("waiting_payment", known(), context(services), services)
    assert went(move) == ("need_review", "invalid")
    assert services.called == []
    assert [entry.reason for entry in move.trail if entry.values.get("refused")] == ["not_offered"] * 3
    assert [len(each.refused) for each in services.situations] == [0, 1, 2]
    assert move.model_calls == 3


async def test_a_model_that_mends_its_pick_goes_on() -> None:
    """The second time with the case's own number."""
    services = FakeServices(
        {"query_channel_refund_status": channel("success")}, picks=[ask_status(refund_no=ORDER_NO), ask_status()]
    )
    move = await visit("waiting_payment", known(), context(services), services)
    assert went(move)[0] == "refunding"
    assert services.situations[1].refused == ("query_channel_refund_status: malformed",)


async def test_a_model_that_asks_for_a_review_gets_one() -> None:
    """No tool is called."""
    services = FakeServices(picks=[Pick(action="request_review", arguments={"reason": "unclear"})])
    assert went(await visit("refunding", known(), context(services), services)) == ("need_review", "requested")
    assert services.called == []


async def test_a_retry_is_offered_only_after_a_person_allowed_it_and_once() -> None:
    """Then it comes first; what allowed it is forgotten."""
    services = FakeServices({"retry_refund": record(refund_no=REFUND_NO, channel="alipay", retries=1)})
    move = await visit("waiting_payment", known(retry=word("allowed")), context(services), services)
    assert isinstance(move, Goto) and (move.to, move.drop) == ("waiting_payment", ["retry"])
    services.results["query_channel_refund_status"] = channel("processing")
    await visit("waiting_payment", known(retry=word("allowed")), context(services), services)
    assert [tool for _, tool, _ in services.called] == ["retry_refund", "query_channel_refund_status"]


async def test_each_retry_has_a_key_of_its_own() -> None:
    """A second one, allowed anew, is another write."""
    services = FakeServices({"retry_refund": record(refund_no=REFUND_NO, channel="alipay", retries=1)})
    for grant in (1, 2):
        services.noted[GRANTS] = grant
        await visit("waiting_payment", known(retry=word("allowed")), context(services), services)
    assert [step for step, _, _ in services.called] == ["waiting_payment.retry_refund.0", "waiting_payment.retry_refund.1"]


@pytest.mark.parametrize(
    "facts",
    [known(order=order(complaint=True)), known(refund=refund(amount=money("2000.01")))],
    ids=["complaint", "amount"],
)
async def test_an_alarm_calls_a_person_once_until_its_facts_change(facts: dict[str, Fact]) -> None:
    """A review answers it, here and in the next state; another amount rings again."""
    services = FakeServices(
        {"query_channel_refund_status": channel("success"), "check_arrival_notice": record(refund_no="", arrived=True)}
    )
    assert went(await visit("waiting_payment", facts, context(services), services)) == ("need_review", "watch")
    assert went(await visit("waiting_payment", facts, context(services), services)) == ("need_review", "watch")
    services.noted[GRANTS] = 1
    assert went(await visit("waiting_payment", facts, context(services), services)) == ("refunding", "result")
    assert went(await visit("refunding", facts, context(services), services)) == ("closed", "result")
    changed = {**facts, "refund": refund(amount=money("2500"))}
    assert went(await visit("refunding", changed, context(services), services)) == ("need_review", "watch")


async def test_two_thousand_is_not_over_two_thousand() -> None:
    """In whatever currency the order is."""
    for amount in (money("2000"), money("2000", "CNY")):
        services = FakeServices({"query_channel_refund_status": channel("success")})
        facts = known(refund=refund(amount=amount))
        assert went(await visit("waiting_payment", facts, context(services), services))[0] == "refunding"


async def test_a_case_has_a_bound() -> None:
    """A procedure that goes round with a person never asked is stopped by the count of its actions."""
    spec = ChooseSpec.model_validate(
        {
            "id": "loop",
            "kind": "choose",
            "actions": [{"tool": "check_arrival_notice", "save_as": "seen", "on": [{"goto": "loop"}]}],
            "on_exhausted": {"goto": "person"},
            "bound": 4,
        }
    )
    services = FakeServices({"check_arrival_notice": record(arrived=False)})
    spec = spec.model_copy(update={"actions": (spec.actions[0].model_copy(update={"args": refunding_args()}),)})
    for _ in range(4):
        services.noted.update((await Choose().run(spec, known(), context(services))).notes)
    move = await Choose().run(spec, known(), context(services))
    assert went(move) == ("person", "bound")


def refunding_args() -> dict[str, object]:
    """The arguments of the arrival query."""
    return dict(STATES["refunding"].actions[0].args)


def suspended(seconds: float = 45) -> ToolUnavailable:
    """What the door says of a channel that is left alone."""
    return ToolUnavailable(SUSPENDED, pause=seconds)


async def test_a_suspended_channel_holds_the_case_and_its_clock_tries_the_same_again() -> None:
    """Not failed, not counted; nobody is told twice, and then it goes on."""
    services = FakeServices({"query_channel_refund_status": suspended()})
    request = waiting_for(await visit("waiting_payment", known(), context(services), services))
    assert (request.kind, request.error, request.tool) == ("hold", SUSPENDED, "query_channel_refund_status")
    assert request.timers[0].due == (START + timedelta(seconds=45)).isoformat()
    tick = step_event("timer", CLOCK, timer=request.timers[0].id)
    spec = STATES["waiting_payment"]
    same = await Choose().answered(spec, known(), request, tick, later(context(services), 45))
    assert isinstance(same, Stay) and same.trail == [] and same.request.id == request.id
    assert same.request.timers[0].id == f"{request.id}/retry/2"
    services.results["query_channel_refund_status"] = channel("success")
    gone = await Choose().answered(spec, known(), same.request, tick, later(context(services), 90))
    assert went(gone)[0] == "refunding"
    assert gone.closed is not None and gone.closed.ending == "resumed"


async def test_a_begun_retry_is_finished_before_anything_else() -> None:
    """Law 4: it holds, and its clock and its button send the same write again, whatever is offered by then."""
    services = FakeServices({"retry_refund": ToolUnavailable("slow")})
    facts = known(retry=word("allowed"))
    request = waiting_for(await visit("waiting_payment", facts, context(services), services))
    assert (request.kind, request.tool) == ("hold", "retry_refund")
    services.results["retry_refund"] = record(refund_no=REFUND_NO, channel="alipay", retries=1)
    press = step_event("retry", LI, request=request.id)
    gone = await Choose().answered(STATES["waiting_payment"], known(), request, press, context(services))
    assert went(gone)[0] == "waiting_payment"
    assert [step for step, _, _ in services.called] == ["waiting_payment.retry_refund.0"] * 2


@pytest.mark.parametrize(("outcome", "sent"), [("paid", 1), ("unpaid", 0)])
async def test_a_parked_write_is_settled_by_a_person(outcome: str, sent: int) -> None:
    """And the case goes to a review with it."""
    services = FakeServices({"retry_refund": ToolUnavailable("in_doubt")})
    request = waiting_for(await visit("waiting_payment", known(retry=word("allowed")), context(services), services))
    assert request.kind == "park"
    event: Event = step_event("settle", LI, values={"outcome": outcome}, reason="looked")
    gone = await Choose().answered(STATES["waiting_payment"], known(), request, event, context(services))
    assert went(gone) == ("need_review", "settled")
    assert services.settled == [("waiting_payment.retry_refund.0", outcome == "paid")]
    kept = gone.notes["choose"]
    assert isinstance(kept, dict) and (kept.get("sent") == {"retry_refund": 1}) == bool(sent)


async def resting(services: FakeServices) -> Request:
    """A case that rests between two queries of its channel."""
    await visit("waiting_payment", known(), context(services), services)
    return waiting_for(await visit("waiting_payment", known(), context(services), services))


async def test_a_rest_ends_by_its_clock_even_on_a_clock_that_runs_fast() -> None:
    """Words do not end it: who speaks is told until when it lasts, and the clock is the same."""
    services = FakeServices({"query_channel_refund_status": channel("processing")})
    request, spec = await resting(services), STATES["waiting_payment"]
    event = step_event("message", LI, text="快点")
    assert Choose().refusal(spec, known(), request, event, context(services)) is None
    move = await Choose().answered(spec, known(), request, event, context(services))
    assert isinstance(move, Stay) and move.request == request
    assert [(each.code, each.values["at"]) for each in move.replies] == [("waits_until", request.timers[0].due)]
    services.results["query_channel_refund_status"] = channel("success")
    tick = step_event("timer", CLOCK, timer=request.timers[0].id)
    gone = await Choose().answered(spec, known(), request, tick, later(context(services), 1))
    assert went(gone)[0] == "refunding"


async def test_what_is_said_in_a_rest_is_kept_and_a_complaint_calls_a_person() -> None:
    """That it arrived is noted for later, with the same clock; a complaint goes to review with nothing called."""
    services = FakeServices({"query_channel_refund_status": channel("processing")})
    request, spec = await resting(services), STATES["waiting_payment"]
    called = len(services.called)
    arrived = step_event("message", LI, text="客人说收到了")
    noted = await Choose().answered(spec, known(), request, arrived, context(services))
    assert isinstance(noted, Stay) and noted.request == request
    assert (noted.set["arrived"].value, [each.code for each in noted.replies]) == ("has_arrived", ["noted"])
    complaint = step_event("message", LI, text="客人要投诉")
    assert went(await Choose().answered(spec, known(), request, complaint, context(services))) == ("need_review", "watch")
    assert len(services.called) == called


async def test_a_complaint_is_heard_while_the_channel_is_left_alone_but_not_over_a_begun_write() -> None:
    """A held read lets words in; a held write is finished first (law 4)."""
    services = FakeServices({"query_channel_refund_status": suspended(), "retry_refund": ToolUnavailable("slow")})
    spec, ctx = STATES["waiting_payment"], context(services)
    held = waiting_for(await visit("waiting_payment", known(), ctx, services))
    complaint = step_event("message", LI, text="he is filing a complaint")
    assert Choose().listens(spec, held, ctx)
    assert went(await Choose().answered(spec, known(), held, complaint, ctx)) == ("need_review", "watch")
    begun = waiting_for(await visit("waiting_payment", known(retry=word("allowed")), ctx, services))
    assert (begun.kind, begun.tool) == ("hold", "retry_refund")
    assert not Choose().listens(spec, begun, ctx)


async def test_an_arrival_told_early_closes_the_case_once_the_channel_is_done() -> None:
    """No interface is asked for it."""
    services = FakeServices({})
    facts = known(arrived=Fact(type="choice", value="has_arrived"))
    assert went(await visit("refunding", facts, context(services), services)) == ("closed", "watch")
