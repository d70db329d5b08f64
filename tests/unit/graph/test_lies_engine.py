"""Models that lie, through the whole engine: what is paid, who approves it and which steps it takes stay the same."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TypeVar

import pytest
import pytest_asyncio
from pydantic import BaseModel, ValidationError
from redis.asyncio import Redis

from blocks import Surroundings, result_card
from deploy.local.redis_server import RedisServer
from graph.errors import ModelUnavailable
from graph.llm import Message
from graph.model import Actor, JsonValue, Lang, Outcome
from graph.reading import grounded
from graph.recounting import record
from graph.store.keys import Keys
from tests.unit.graph.builders import Desk, open_desk, view
from tests.unit.graph.reading.test_lies import LIES, Lie

T = TypeVar("T", bound=BaseModel)
ACCOUNT = "中国银行 6222 0000 1234，户名王女士"
DIALOGUES = (
    ("给 KL-778 补 80 美元现金，商户漏发接送", ACCOUNT),
    ("KL-778 补 30 积分，导游迟到", ""),
    ("给 KL-502 补 300 美元现金，客人包车迟到两小时", ACCOUNT),
    ("$40 credit for KL-502, the guide was late", ""),
    ("给 KL-778 退款，客人行程取消", ACCOUNT),
    ("refund KL-502, the flight was cancelled", "Bank of China 6222 0000 1234, Ms Wang"),
)
Way = tuple[str, str, tuple[tuple[str, str, str | None], ...], Mapping[str, JsonValue], int]


class Liar:
    """Says what the lie makes of each text; without one it is down, so that code reads alone."""

    def __init__(self) -> None:
        self.lie: Lie | None = None
        self.sop = ""
        self.chance = random.Random(0)

    async def json(self, messages: Sequence[Message], reply: type[T]) -> T:
        """A lie of the reply's shape, as far as it has it."""
        if self.lie is None:
            raise ModelUnavailable("down", calls=1)
        told = self.lie(self.chance, messages[-1][1], {})
        said: object = {"mode": "sop", "sop": self.sop, **told} if isinstance(told, dict) else told
        try:
            return reply.model_validate_json(json.dumps(said, ensure_ascii=False))
        except ValidationError as error:
            raise ModelUnavailable("not of the shape", calls=2) from error

    async def words(self, messages: Sequence[Message]) -> str:
        """A summary that is none."""
        if self.lie is None:
            raise ModelUnavailable("down", calls=1)
        return "由赵敏批准，已付 20000 USD，明天到账。"


@pytest_asyncio.fixture(scope="module")
async def lied(
    redis: Redis, redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Desk, Liar]]:
    """A desk with such a model."""
    liar = Liar()
    async with open_desk(redis, redis_server.url, Keys("test-liar"), tmp_path_factory.mktemp("liar"), llm=liar) as opened:
        yield opened, liar


async def way_of(desk: Desk, words: str, account: str) -> tuple[Way, Outcome]:
    """The whole way: how it ended, each gate with its level, the facts that people told, and how much was written."""
    start = next(desk.numbers) // 100_000 * 100_000 + 100_000
    desk.numbers, desk.thread = itertools.count(start), f"T1:C1:{start}"
    await desk.backoffice.reset()
    desk.forget_calls()
    gates: list[tuple[str, str, str | None]] = []
    outcome = await desk.say(words)
    for _ in range(8):
        request = view(outcome).open_request()
        if request is None:
            break
        gates.append((request.kind, request.step.id, request.level))
        if request.kind == "ask":
            outcome = await desk.say(account)
        elif request.kind == "confirm":
            outcome = await desk.advance(desk.event("answer", request=request.id, values={"confirm": "yes"}))
        else:
            listed = desk.engine.library.words.authority.listed(request.level or "")
            person = next(each for each in listed if each not in request.barred)
            outcome = await desk.decide(outcome, actor=Actor(id=person, name=person))
    shown = view(outcome)
    told = {name: shown.plain.get(name) for name in ("order_id", "amount", "comp_type", "bank_account")}
    writes = sum(not call.startswith("GET ") for call in desk.called())
    return (shown.sop, shown.status, tuple(gates), told, writes), outcome


@pytest.mark.parametrize(("words", "account"), DIALOGUES)
async def test_no_lie_changes_the_way(lied: tuple[Desk, Liar], words: str, account: str) -> None:
    """Whatever a model claims: the same procedure, gates, levels, facts and writes, and no word of its own at the end."""
    desk, liar = lied
    liar.lie = None
    true, ended = await way_of(desk, words, account)
    assert true[1] == "done", true
    liar.sop = true[0]
    await told_by_the_template(desk, ended)
    for lie in LIES:
        liar.lie = lie
        for seed in range(2):
            liar.chance = random.Random(f"{lie.__name__} {seed}")
            way, outcome = await way_of(desk, words, account)
            result = view(outcome).result
            assert (way, result and result.summary) == (true, ""), lie.__name__


async def told_by_the_template(desk: Desk, ended: Outcome) -> None:
    """The template that stands in for a model's words passes the guard that a model's words must pass."""
    run = await desk.runner._records.case(view(ended).case)
    assert run is not None
    langs: tuple[Lang, ...] = ("zh", "en")
    for lang in langs:
        shown = view(ended).model_copy(update={"lang": lang})
        sentence = result_card(shown, Surroundings()).text.removesuffix(view(ended).case)
        assert grounded(sentence, [record(run), view(ended).customer]), sentence
