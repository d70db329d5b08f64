"""Every dialogue of this folder, through Bolt, Redis and the back office."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deploy.local.backoffice import Call
from deploy.local.redis_server import RedisServer
from graph.model import RunView
from tests.parts.desk import PATIENCE, LiveDesk, live_desk
from tests.parts.dialogues import TurnOf, dialogues
from tests.parts.http import asking
from tests.parts.model_server import ModelServer
from tests.parts.truthful import TruthfulModel

AGENT, DESK = "U0LI", "C0DESK"
TOOLS = {
    r"GET /catalogues/[a-z]+/plans": "recommend_plans",
    r"POST /leads": "create_lead",
    r"POST /appointments": "book_appointment",
    r"GET /orders/[^/]+": "get_order",
    r"GET /orders/[^/]+/gateway-balance": "get_gateway_balance",
    r"GET /orders/[^/]+/payouts": "get_order_payouts",
    r"GET /orders/[^/]+/cancellation-policy": "get_cancellation_policy",
    r"GET /orders/[^/]+/refundable": "get_refundable_amount",
    r"POST /orders/[^/]+/refunds": "submit_refund",
    r"POST /compensations": "apply_compensation",
    r"POST /orders/[^/]+/notes": "add_booking_note",
    r"GET /bookings/[^/]+": "get_hotel_booking",
    r"GET /bookings/[^/]+/quote": "quote_hotel_change",
    r"GET /bookings/[^/]+/change-refund": "get_change_refund",
    r"POST /bookings/[^/]+/changes": "change_hotel_booking",
    r"POST /bookings/[^/]+/notes": "add_hotel_note",
    r"GET /orders/[^/]+/sale": "query_order",
    r"GET /refunds/RF\d+": "query_refund",
    r"GET /channels/\w+/refunds/RF\d+": "query_channel_refund_status",
    r"POST /refunds/RF\d+/retry": "retry_refund",
    r"GET /refunds/RF\d+/arrival": "check_arrival_notice",
    r"GET /channels/\w+/settlement-rule/RF\d+": "get_settlement_rule",
}
SAME = {"add_refund_note": "add_booking_note"}
"""Interfaces that make the same request."""
ALL = dialogues()


@dataclass
class Walk:
    """One dialogue under way: its thread, and the notices seen so far."""

    desk: LiveDesk
    truth: TruthfulModel
    thread: str = ""
    case: str = ""
    known: set[str] = field(default_factory=set)
    was: str = ""

    async def turn(self, turn: TurnOf, truths: dict[str, str]) -> None:
        """Do what the turn says and wait until its end is shown."""
        self.known |= set(self.desk.notices())
        self.truth.hears(truths, turn.quotes, turn.sop)
        await switch(self.desk, turn.switch)
        if turn.tick:
            await self.tick()
        elif turn.say is not None:
            words = turn.say if self.thread else f"@sopdesk {turn.say}"
            posted = await self.desk.workspace.say(AGENT, DESK, words, self.thread or None)
            self.thread = self.thread or posted
        else:
            await self.decide(turn)
        await self.shown(turn)

    async def decide(self, turn: TurnOf) -> None:
        """The first person of the level presses the button of the open card, and fills in the form of a rejection."""
        ws = self.desk.workspace
        view = await self.view()
        assert view.waiting is not None
        _, card = await self.desk.posted(view.waiting)
        who = {"": "U0WANG", "supervisor": "U0WANG", "manager": "U0ZHAO", "director": "U0SUN"}[turn.by]
        if turn.option:
            await ws.click(who, card.channel, card.ts, label=f"{turn.option}…")
            form = (await ws.until(lambda: ws.views(who)))[-1]
            assert await ws.submit(who, form, {"reason": turn.reason}) is None
            return
        if turn.decide == "approve":
            await ws.click(who, card.channel, card.ts, label=f"批准 {view.headline.amount}")
        else:
            await ws.click(who, card.channel, card.ts, label="驳回…")
            form = (await ws.until(lambda: ws.views(who)))[-1]
            assert await ws.submit(who, form, {"reason": turn.reason}) is None

    async def shown(self, turn: TurnOf) -> None:
        """Wait for the notice with which this turn must end."""
        if turn.outcome == "answered":
            await self.desk.posted(r"msg:.*/0", self.known)
            return
        if not self.case:
            card, _ = await self.desk.posted(r"C-\w+/card", self.known)
            self.case = card.partition("/")[0]
        if turn.waits is not None and turn.waits.kind == "wait":
            if turn.say is not None and self.was:
                # Words do not end a rest: it is the same one, and they are answered.
                await self.desk.posted(r"msg:.*/0", self.known)
            else:
                await self.resting(turn.waits.step or "")
            return
        step = turn.waits.step if turn.waits and turn.waits.step else "[a-z_]+"
        await self.desk.posted(f"{self.case}/" + ("result" if turn.outcome else rf"{step}/\d+"), self.known)

    async def tick(self) -> None:
        """Let the case's clock go off now."""
        assert self.desk.service is not None
        parts = self.desk.service.parts
        self.was = (await self.view()).waiting or ""
        for member in await parts.redis.zrange(parts.keys.timers(), 0, -1):
            if str(member).startswith("t:"):
                await parts.redis.zadd(parts.keys.timers(), {str(member): 1})
        await parts.redis.rpush(parts.keys.alarm(), "1")

    async def resting(self, step: str) -> None:
        """Wait until the case rests at this step, for another clock than before; nothing is posted for that."""
        async with asyncio.timeout(PATIENCE):
            while True:
                waiting = (await self.view()).open_request()
                if waiting is not None and waiting.kind == "wait" and waiting.step.id == step and waiting.id != self.was:
                    self.was = waiting.id
                    return
                await asyncio.sleep(0.05)

    async def view(self) -> RunView:
        """The case as it stands."""
        view = await self.desk.view(self.thread)
        assert view is not None
        return view


@pytest.fixture(params=["no model", "model"])
async def walk(
    request: pytest.FixtureRequest, redis_server: RedisServer, tmp_path: Path
) -> AsyncIterator[Walk]:
    """A fresh desk, once without a model and once with one that tells the truth."""
    truth = TruthfulModel()
    if request.param == "no model":
        async with live_desk(redis_server.url, tmp_path) as desk:
            yield Walk(desk, truth)
        return
    model = ModelServer(truth)
    await model.start()
    try:
        async with live_desk(redis_server.url, tmp_path, model=model) as desk:
            yield Walk(desk, truth)
    finally:
        await model.stop()


@pytest.mark.parametrize("name", ALL)
async def test_dialogue(name: str, walk: Walk) -> None:
    """After each turn the facts, calls, waits, payout, outcome and calls of the model are those the file names."""
    desk = walk.desk
    for turn in ALL[name]:
        before = len(desk.backoffice.calls)
        asked = len(desk.model.calls) if desk.model else 0
        trail = len((await walk.view()).trail) if walk.case else 0
        await walk.turn(turn, turn.facts)
        if turn.calls is not None:
            assert [tool_of(call) for call in desk.calls_since(before)] == [SAME.get(name, name) for name in turn.calls]
        counted = len(desk.model.calls) - asked if desk.model else turn.model_calls
        assert turn.model_calls in (None, counted)
        if turn.outcome == "answered":
            _, answer = await desk.posted(r"msg:.*/0")
            assert turn.answer_says and turn.answer_says in desk.workspace.text(answer)
            continue
        view = await walk.view()
        assert desk.service is not None
        facts = await desk.service.parts.runner.facts(view.case)
        assert {key: str(facts.get(key)) for key in turn.facts} == turn.facts
        assert not set(turn.absent + turn.gone) & set(facts)
        assert {entry.step for entry in view.trail[trail:] if entry.what == "skip"} >= set(turn.skipped)
        await check_end(turn, view, desk)


async def switch(desk: LiveDesk, states: dict[str, dict[str, str | bool]]) -> None:
    """Let the back office stand as the turn says."""
    async with asking(desk.backoffice.url) as client:
        for what, wish in states.items():
            (await client.post(f"/switch/{what}", json=wish)).raise_for_status()


async def check_end(turn: TurnOf, view: RunView, desk: LiveDesk) -> None:
    """What the turn ends in: a wait, or the run's end with its payout."""
    open_request = view.open_request()
    if turn.waits is not None:
        assert open_request is not None
        assert open_request.kind == turn.waits.kind
        assert turn.waits.step in (None, open_request.step.id)
        assert turn.waits.level in (None, open_request.level)
        if turn.waits.missing is not None:
            assert [each.name for each in open_request.fields] == turn.waits.missing
        assert open_request.closed is None
    if turn.outcome is not None:
        assert view.status == turn.outcome
        assert open_request is None
    if turn.stopped_by is not None:
        assert view.stopped is not None
        assert (view.stopped.step, view.stopped.rule) == (turn.stopped_by.step, turn.stopped_by.rule)
    said = " ".join(desk.workspace.text(each) for each in desk.notices().values())
    assert not [words for words in turn.never_said if words in said]
    assert await payouts(desk) == ([turn.payout] if turn.payout is not None else [])


def tool_of(call: Call) -> str:
    """The interface behind a request to the back office."""
    line = f"{call.method} {call.path}"
    return next(tool for pattern, tool in TOOLS.items() if re.fullmatch(pattern, line))


async def payouts(desk: LiveDesk) -> list[dict[str, str]]:
    """What the back office has paid: for each compensation, refund and cheaper stay, the amount of every kind."""
    async with asking(desk.backoffice.url) as client:
        listed = (await client.get("/compensations", params={"status": "paid"})).json()["compensations"]
        listed += (await client.get("/order-refunds")).json()["refunds"]
        listed += (await client.get("/booking-changes")).json()["changes"]
    return [{part["kind"]: part["amount"] for part in each["resources"]} for each in listed if each["resources"]]
