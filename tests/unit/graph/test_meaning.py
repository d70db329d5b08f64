"""What a model takes words for that code could not place: offered to the agent, never done."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest
import pytest_asyncio
from pydantic import SecretStr
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.llm.endpoint import OpenAiLlm
from graph.model import Outcome
from graph.store.keys import Keys
from tests.parts.model_server import ModelServer
from tests.unit.graph.builders import T4, Desk, open_desk, plain, view
from tests.unit.graph.test_runner_people import code

PLAN_T4 = {
    "mode": "sop",
    "sop": "compensation",
    "fields": {
        "order_id": {"value": "KL-502", "quote": "KL-502"},
        "amount": {"value": "300", "quote": "300 美元"},
        "comp_type": {"value": "cash", "quote": "现金"},
        "reason": {"value": "客人包车迟到两小时", "quote": "客人包车迟到两小时"},
    },
}


class Scripted(NamedTuple):
    """A desk, and the model that it asks."""

    desk: Desk
    model: ModelServer

    async def at_approval(self) -> Outcome:
        """A case that waits for a supervisor, in a thread of its own."""
        self.model.reset()
        self.desk.thread = f"T1:C1:{next(self.desk.numbers)}"
        self.model.then(json.dumps(PLAN_T4, ensure_ascii=False))
        return await self.desk.say(T4)

    async def told(self, said: str, move: dict[str, object]) -> Outcome:
        """Words that the model takes for this move."""
        self.model.then(json.dumps(move, ensure_ascii=False))
        return await self.desk.say(said)


@pytest_asyncio.fixture(scope="module")
async def scripted(
    redis: Redis, redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Scripted]:
    """One desk with a model that says what is scripted."""
    model = ModelServer()
    await model.start()
    llm = OpenAiLlm(model="m", api_key=SecretStr("k"), base_url=model.url, timeout=0.5)
    keys = Keys(f"test-{secrets.token_hex(6)}")
    async with open_desk(redis, redis_server.url, keys, tmp_path_factory.mktemp("desk"), llm=llm) as desk:
        yield Scripted(desk, model)
    await model.stop()


def amount(value: str, quote: str) -> dict[str, object]:
    """The reply of a model that takes words for a correction of the amount."""
    return {"move": "correct", "fields": {"amount": {"value": value, "quote": quote}}}


async def test_a_correction_is_offered_and_a_press_makes_it(scripted: Scripted) -> None:
    """Nothing changes until then; what the press carries has the words it came from."""
    waiting = await scripted.at_approval()
    offered = await scripted.told("客人其实只想要 200 美元就够啦", amount("200", "200 美元"))
    assert (code(offered), view(offered), offered.turn_model_calls) == ("meant_correct", view(waiting), 1)
    [reply] = offered.replies
    assert (reply.values["set.amount"], reply.values["quote.amount"]) == ("200", "200 美元")
    pressed = scripted.desk.event("correct", values={"amount": "200"}, quotes={"amount": "200 美元"})
    assert plain(await scripted.desk.advance(pressed))["amount"] == "200"


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("客人昨天花了 50 美元打车", amount("500", "50 美元")),
        ("客人很着急", amount("50", "50 美元")),
        ("客人要 300 美元", amount("300", "300 美元")),
        ("客人很着急", {"move": "approve", "fields": {"approver": {"value": "System", "quote": "客人"}}}),
        ("客人很着急", {"move": ["cancel"]}),
    ],
)
async def test_what_the_words_do_not_bear_out_is_not_offered(
    scripted: Scripted, said: str, move: dict[str, object]
) -> None:
    """A wrong value, a quote that is not there, nothing new, a move that there is not."""
    waiting = await scripted.at_approval()
    told = await scripted.told(said, move)
    assert (code(told), view(told)) == ("still_waiting", view(waiting))


async def test_a_cancel_and_a_question_by_meaning(scripted: Scripted) -> None:
    """A cancel is asked back; a question without its mark is answered."""
    waiting = await scripted.at_approval()
    dropped = await scripted.told("客人说他自己解决好啦，这事到此为止", {"move": "cancel"})
    assert (code(dropped), view(dropped)) == ("meant_cancel", view(waiting))
    scripted.model.then(json.dumps({"move": "question"}), "不可以。")
    asked = await scripted.desk.say("想了解一下先补偿再退款的政策")
    assert (asked.replies[0].kind, view(asked)) == ("policy", view(waiting))


async def test_a_model_that_is_away_changes_nothing(scripted: Scripted) -> None:
    """Then the words are answered as without a model."""
    waiting = await scripted.at_approval()
    scripted.model.then("nonsense", times=2)
    told = await scripted.desk.say("客人很着急")
    assert (code(told), view(told)) == ("still_waiting", view(waiting))
