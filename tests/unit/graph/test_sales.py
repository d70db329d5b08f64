"""The gated sales flow on the engine: every rule of the routers, and a model that always says "recommend"."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeVar

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter
from redis.asyncio import Redis

from deploy.local.redis_server import RedisServer
from graph.errors import ModelUnavailable
from graph.llm import Message
from graph.model import Event, Outcome
from graph.runner import Runner
from graph.store.keys import Keys
from tests.unit.graph.builders import Desk, open_desk, plain, waits

CASES = Path(__file__).resolve().parents[2] / "cases" / "sales.yaml"
T = TypeVar("T", bound=BaseModel)


class Turn(BaseModel):
    """What is said or pressed, and what must be true then."""

    model_config = ConfigDict(extra="forbid")

    say: str = ""
    press: str = ""
    waits: str
    facts: dict[str, str] = {}
    reply: str = ""
    answer: str = ""
    outcome: Literal["", "done"] = ""


DIALOGUES = TypeAdapter(dict[str, dict[str, list[Turn]]]).validate_python(
    yaml.safe_load(CASES.read_text(encoding="utf-8"))
)


def event_of(desk: Desk, turn: Turn, last: Outcome | None) -> Event:
    """The event of a turn."""
    if turn.say:
        return desk.event("message", text=turn.say, addressed=True)
    assert last is not None and last.view is not None
    values = {"confirm": "yes"} if turn.press == "yes" else {"offer": turn.press}
    return desk.event("answer", request=last.view.waiting, values=values)


@pytest.mark.parametrize(
    ("name", "lang"), [pytest.param(name, lang, id=f"{name}-{lang}") for name, langs in DIALOGUES.items() for lang in langs]
)
async def test_every_rule_of_the_routers(desk: Desk, name: str, lang: str) -> None:
    """As the file has it: the step that waits, what is known, what is answered."""
    last: Outcome | None = None
    for number, turn in enumerate(DIALOGUES[name][lang], 1):
        last = await desk.advance(event_of(desk, turn, last))
        waiting = last.view.open_request() if last.view is not None else None
        assert (waiting.step.id if waiting else "") == turn.waits, f"turn {number}"
        assert turn.facts.items() <= (plain(last) if last.view else {}).items(), f"turn {number}"
        if turn.reply:
            assert [reply.code for reply in last.replies] == [turn.reply], f"turn {number}"
        if turn.answer:
            assert any(turn.answer in reply.text.en for reply in last.replies if reply.text), f"turn {number}"
        if turn.outcome:
            assert last.view is not None and last.view.status == turn.outcome
    called = [call for call in desk.called() if call.startswith("POST")]
    assert len(called) == len(set(called))


class Pushy:
    """A model that says "recommend" to whatever it is asked."""

    async def json(self, messages: Sequence[Message], reply: type[T]) -> T:
        """The one word, which is no JSON of any shape: as a client of a real endpoint finds."""
        raise ModelUnavailable("not JSON")

    async def words(self, messages: Sequence[Message]) -> str:
        """The one word."""
        return '```json\n{"class": "recommend"}\n```'


OPENINGS = ("客户想开通宽带", "The customer wants to order broadband", "客户想开通宽带，直播用", "客户要买专线，直接推荐")
TELLING = {
    "budget": ("预算1000", "budget 2000", "预算改成800"),
    "term": ("一年", "two years"),
    "purpose": ("办公用", "for live streaming", "直播用"),
    "qualification": ("有营业执照", "a registered company"),
}
PUSHING = (
    *("直接推荐吧", "just recommend something", "别问了", "你好", "ok, maybe", "嗯可以吧再看看", "不对", "预算改成800"),
    "多久能装上？",
)
YES = ("确认", "没问题", "yes", "ok", "对的")


@pytest.mark.parametrize("seed", range(5))
async def test_a_model_that_always_recommends_opens_no_gate(desk: Desk, seed: int) -> None:
    """In 500 generated dialogues, a hundred a seed, the catalogues are asked only in the turn in which a clear yes comes to
    a summary of all four items, each of which somebody has said."""
    desk.engine = dataclasses.replace(desk.engine, llm=Pushy())
    runner = Runner(desk.engine, desk.saver, desk.cases, desk.audit)
    dice, recommended = random.Random(seed), 0
    for number in range(100):
        said: list[str] = [dice.choice(OPENINGS)]
        thread, last = f"T{number}", Outcome(thread="", event="")
        for text in [*said, *dialogue(dice)]:
            said.append(text)
            before = last.view.open_request() if last.view is not None else None
            desk.forget_calls()
            event = desk.event("message", text=text, addressed=True).model_copy(update={"thread": thread})
            async with desk.leases.hold(thread) as lease:
                last = await runner.advance(event, lease.fence)
            if any("catalogues" in call for call in desk.called()):
                recommended += 1
                assert text in YES, said
                assert before is not None and before.step.id == "confirm", said
                assert all(any(word in told for told in said for word in words) for words in TELLING.values()), said
    assert recommended > 10


def dialogue(dice: random.Random) -> list[str]:
    """Some of the four items in any order, pushed in between; then perhaps a yes."""
    told = [dice.choice(words) for words in TELLING.values() if dice.random() < 0.9]
    dice.shuffle(told)
    half = dice.randrange(len(told) + 1)
    turns = ["，".join(told[:half]), "，".join(told[half:])]
    for _ in range(dice.randrange(2)):
        turns.insert(dice.randrange(len(turns) + 1), dice.choice(PUSHING))
    return [*(each for each in turns if each), dice.choice((*YES, *PUSHING))]


async def test_a_restart_leaves_the_gate_as_it_was(
    redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path
) -> None:
    """Another process finds the summary waiting, the gate shut, and a wish for a recommendation still sent back to it."""
    opening = "客户想开通宽带，办公用，预算1000，一年，有营业执照"
    async with open_desk(redis, redis_server.url, keys, tmp_path) as before:
        await before.advance(before.event("message", text=opening, addressed=True))
    async with open_desk(redis, redis_server.url, keys, tmp_path) as after:
        pushed = await after.advance(after.event("message", text="直接推荐吧", addressed=True, id="second"))
        assert waits(pushed)[:2] == ("confirm", "confirm")
        assert not any("catalogues" in call for call in after.called())
        confirmed = await after.advance(after.event("message", text="确认", addressed=True, id="third"))
        assert waits(confirmed)[:2] == ("ask", "offer")
