"""The refund procedure on real parts: models that lie, and a payment channel that is down while many cases wait for it."""

from __future__ import annotations

import asyncio
import dataclasses
import heapq
import re
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest
import pytest_asyncio
from pydantic import BaseModel
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.errors import ModelUnavailable
from graph.llm import Message
from graph.model import Outcome
from graph.move_prompt import MoveReply
from graph.prompts import ChooseReply
from graph.runner import Runner
from graph.store.breakers import SharedBreakers
from graph.store.keys import Keys
from tests.parts.http import asking
from tests.unit.graph.builders import CLOCK, LI, START, Desk, open_desk, plain, view, waits

T = TypeVar("T", bound=BaseModel)
OPENING = "KL-1001 客人 CU000005 的 62 美元退款没到账"
OWN: dict[str, object] = {"refund_no": "RF202609010001", "channel": "alipay"}
ALLOWED = re.compile(
    r"GET /(orders/KL-1001/sale|refunds/RF202609010001(/arrival)?|channels/alipay/(refunds|settlement-rule)/RF202609010001)"
)


class Liar:
    """A model that picks what it was told to, and says of everything that the money has arrived."""

    def __init__(self, pick: Callable[[str], dict[str, object]]) -> None:
        self._pick = pick

    async def json(self, messages: Sequence[Message], reply: type[T]) -> T:
        """A pick, and that whatever is said means to cancel; every other reading is left to the code."""
        if reply is MoveReply:
            return reply.model_validate({"move": "cancel"})
        if reply is not ChooseReply:
            raise ModelUnavailable("reads nothing")
        return reply.model_validate(self._pick(messages[0][1]))

    async def words(self, messages: Sequence[Message]) -> str:
        """Words that are not true."""
        return "退款已到账，24 小时内可查。"


def first_offered(prompt: str) -> dict[str, object]:
    """The name of the first action that the prompt offers."""
    found = re.search(r'"action": "(\w+)", "arguments": \{"', prompt.partition("Offered")[2])
    return {"action": found[1] if found else "", "arguments": {}}


LIES: dict[str, Callable[[str], dict[str, object]]] = {
    "mark it closed": lambda _: {"action": "mark_closed", "arguments": {"state": "CLOSED"}, "state": "CLOSED"},
    "another state": lambda _: {"action": "check_arrival_notice", "arguments": {"refund_no": OWN["refund_no"]}},
    "an order's number": lambda _: {
        "action": "query_channel_refund_status",
        "arguments": {"refund_no": "KL-1001", "channel": "alipay"},
    },
    "always the same query": lambda _: {"action": "query_channel_refund_status", "arguments": OWN},
    "an invented result": lambda prompt: first_offered(prompt) | {"result": {"status": "success", "arrived": True}},
    "a retry nobody allowed": lambda _: {"action": "retry_refund", "arguments": OWN},
    "a tool of money": lambda _: {"action": "apply_compensation", "arguments": {"amount": "62"}},
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_model_that_lies_reaches_a_person_and_nothing_else(
    lie: str, redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path
) -> None:
    """No interface outside the list is called, nothing is written, nobody is told that money arrived."""
    async with open_desk(redis, redis_server.url, keys, tmp_path, llm=Liar(LIES[lie])) as desk:
        outcome = await desk.say(OPENING)
        for _ in range(4):
            if not outcome.timers or waits(outcome)[0] != "wait":
                break
            outcome = await desk.advance(desk.event("timer", CLOCK, timer=outcome.timers[0].id))
        assert waits(outcome)[:2] == ("approve", "need_review")
        assert [call for call in desk.called() if not ALLOWED.fullmatch(call)] == []
        assert "到账" not in " ".join(each.text.zh for each in outcome.replies if each.text)
        assert view(outcome).result is None


@dataclasses.dataclass
class Floor:
    """Two workers on one Redis, with one clock that only the test moves."""

    desk: Desk
    runners: list[Runner]
    now: datetime = START
    due: list[tuple[datetime, str, str]] = dataclasses.field(default_factory=list)
    last: dict[str, Outcome] = dataclasses.field(default_factory=dict)

    async def advance(self, worker: int, thread: str, kind: str, at: datetime, **given: str) -> None:
        """One event, carried out by one of the workers; its clocks are set."""
        made = self.desk.event("message", thread=thread, at=at).model_copy(update=given)
        event = made if kind == "message" else made.model_copy(update={"kind": "timer", "actor": CLOCK})
        async with self.desk.leases.hold(thread, wait=20) as lease:
            outcome = await self.runners[worker].advance(event, lease.fence)
        self.last[thread] = outcome
        for timer in outcome.timers:
            heapq.heappush(self.due, (datetime.fromisoformat(timer.due), thread, timer.id))

    async def until(self, end: datetime, done: Callable[[], bool] = lambda: False) -> None:
        """Let the clocks go off in order, two at a time, one for each worker."""
        while self.due and self.due[0][0] <= end and not done():
            batch = [heapq.heappop(self.due) for _ in range(min(2, len(self.due)))]
            self.now = max(self.now, *(at for at, _, _ in batch))
            await asyncio.gather(
                *(
                    self.advance(worker, thread, "timer", self.now, timer=timer)
                    for worker, (_, thread, timer) in enumerate(batch)
                )
            )
        self.now = max(self.now, end)

    def asked(self) -> list[str]:
        """The refunds that the channel was asked about, in order."""
        found = (re.fullmatch(r"GET /channels/alipay/refunds/(RF\d+)", call) for call in self.desk.called())
        return [match[1] for match in found if match]

    def stand(self) -> set[tuple[str, str]]:
        """What the cases wait for."""
        return {waits(outcome)[:2] for outcome in self.last.values()}


@pytest_asyncio.fixture
async def floor(redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path) -> AsyncIterator[Floor]:
    """The floor, empty."""
    async with open_desk(redis, redis_server.url, keys, tmp_path, retries=2) as desk:
        made = Floor(desk, [desk.runner])
        breakers = SharedBreakers(redis, keys, lambda: made.now.timestamp())
        desk.engine.door.breakers = breakers
        door = dataclasses.replace(desk.engine.door)
        second = dataclasses.replace(desk.engine, door=door)
        made.runners.append(Runner(second, desk.saver, desk.cases, desk.audit))
        yield made


async def test_fifty_cases_wait_while_their_channel_is_down_and_go_on_once(floor: Floor) -> None:
    """Five minutes down: five failures open the breaker, a handful of trials reach the channel while it is open; all fifty
    are suspended, none fails, and each goes on exactly once when it is well again."""
    threads = [f"T1:C1:{number}.0" for number in range(1101, 1151)]
    async with asking(floor.desk.backoffice.url) as client:

        async def opened(worker: int, thread: str) -> None:
            order = f"KL-{thread.split(':')[2].partition('.')[0]}"
            sale = (await client.get(f"/orders/{order}/sale")).json()
            said = f"{order} 客人 {sale['user_id']} 的 {sale['refund_amount']} 美元退款没到账"
            await floor.advance(worker, thread, "message", START, text=said)

        for pair in zip(threads[::2], threads[1::2], strict=True):
            await asyncio.gather(*(opened(worker, thread) for worker, thread in enumerate(pair)))
        assert floor.stand() == {("wait", "waiting_payment")}
        await client.post("/switch/channels/alipay", json={"behaviour": "system_error"})
        floor.desk.forget_calls()
        await floor.until(START + timedelta(minutes=7))
        assert floor.stand() == {("hold", "waiting_payment")}
        assert 5 <= len(floor.asked()) <= 5 + 5
        await client.post("/switch/channels/alipay", json={"behaviour": "success"})
        floor.desk.forget_calls()
        await floor.until(START + timedelta(minutes=15), lambda: floor.stand() == {("wait", "expected")})
    assert floor.stand() == {("wait", "expected")}
    assert sorted(floor.asked()) == sorted(f"RF20260902{number}" for number in range(1101, 1151))


async def in_thread(desk: Desk, text: str) -> Outcome:
    """Words in a thread of their own."""
    return await desk.advance(desk.event("message", LI, thread=f"{desk.thread}/other", text=text))


async def test_a_complaint_is_heard_in_any_open_state(shared_desk: Desk) -> None:
    """Beside an answer while details are asked for. While a review waits for something else it is kept, the card stands,
    and a review for it follows when the case goes on."""
    desk = shared_desk
    asked = await desk.say("KL-1104 退款没到账")
    assert waits(asked)[:2] == ("ask", "opening")
    told = await desk.say("KL-1104 的客人 CU000108，客人要投诉")
    assert (waits(told)[2], plain(told)["complaint"]) == (["amount"], "raised")
    found = await in_thread(desk, "KL-1003 客人 CU000007 的 74 美元退款没到账")
    kept = await in_thread(desk, "客人要投诉")
    assert (plain(kept)["complaint"], view(kept).waiting) == ("raised", view(found).waiting)
    assert [each.code for each in kept.replies] == ["noted"]
    on = desk.decision(kept, reason="就是这一单").model_copy(update={"values": {"option": "go_on"}})
    gone = await desk.advance(on)
    request = view(gone).open_request()
    assert waits(gone)[:2] == ("approve", "need_review")
    assert request is not None and request.because is not None and request.because.zh == "客人投诉"


async def test_a_model_does_not_talk_a_complaint_away(
    redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path
) -> None:
    """While the channel is left alone a complaint is heard, whatever a model would take the words for."""
    liar = Liar(lambda _: {"action": "query_channel_refund_status", "arguments": OWN})
    async with open_desk(redis, redis_server.url, keys, tmp_path) as desk:
        desk.engine.door.breakers = SharedBreakers(redis, keys)
        for _ in range(5):
            await desk.engine.door.breakers.note("channel:alipay", failed=True, after=5, pause=60)
        held = await desk.say(OPENING)
        assert waits(held)[:2] == ("hold", "waiting_payment")
        desk.engine.llm = liar
        gone = await desk.say("客人要投诉")
        assert waits(gone)[:2] == ("approve", "need_review")
        assert [call for call in desk.called() if "/channels/" in call] == []
