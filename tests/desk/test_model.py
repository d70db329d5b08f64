"""The model is down, slow, or talks nonsense: the code reads alone, and nothing it makes up is believed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.wiring.vocabulary import load_library
from deploy.local.redis_server import RedisServer
from deploy.local.workspace.model import Message
from tests.desk.story import Story
from tests.parts.desk import LiveDesk, live_desk
from tests.parts.model_server import ModelServer, Reply

FIELDS = {"order_id": "{order}", "amount": "20 美元", "reason": "导游迟到", "comp_type": "积分"}
NONSENSE: dict[str, Reply | str] = {
    "down": Reply.error(503, retry_after=0),
    "refused": Reply.error(401),
    "cut": Reply.connection_reset(),
    "slow": Reply.slow("{}", 30),
    "broken json": Reply.broken_json(),
    "broken body": Reply.broken_body(),
    "empty": Reply.empty(),
    "truncated": Reply.truncated('{"mode": "sop"'),
    "a megabyte": Reply.huge(),
    "a list": "[1, 2]",
    "unknown procedure": '{"mode": "sop", "sop": "refund_everything", "fields": {}}',
    "unknown mode": '{"mode": "pay", "sop": "compensation", "fields": {}}',
    "wrong types": '{"mode": 1, "sop": ["compensation"], "fields": "80"}',
    "wrong types within": '{"mode": "sop", "sop": "compensation", "fields": {"amount": 80, "comp_type": ["cash"]}}',
    "unknown field": json.dumps(
        {"mode": "sop", "sop": "compensation", "fields": {"approver": {"value": "System", "quote": "补 20 美元"}}}
    ),
}


@dataclass
class Modelled:
    """A desk and its model."""

    desk: LiveDesk
    model: ModelServer


@pytest.fixture
async def modelled(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[Modelled]:
    """A desk whose model says what the test wants; a new one each time, for a model that failed is left alone a while."""
    model = ModelServer()
    await model.start()
    try:
        async with live_desk(redis_server.url, tmp_path, model=model, model_timeout=1.0) as desk:
            yield Modelled(desk, model)
    finally:
        await model.stop()


@pytest.mark.parametrize("what", NONSENSE)
async def test_without_a_usable_answer_the_code_reads(modelled: Modelled, order: str, what: str) -> None:
    """The case is opened from what was said, the way is asked for, and an answer is read, all without the model."""
    modelled.model.script = lambda _messages, _request: NONSENSE[what]
    story = await Story.open(modelled.desk, f"给 {order} 补 20 美元，导游迟到")
    await story.asked("collect")
    facts = {fact.name: fact.text.zh for fact in (await story.view()).facts}
    assert facts["order_id"] == order
    assert facts["amount"] == "20.00 USD"
    assert facts["reason"] == "导游迟到"
    assert not {"comp_type", "approver"} & set(facts)
    await story.say("积分")
    result = await story.done()
    assert modelled.model.calls
    assert "20.00 USD" in modelled.desk.workspace.text(result)
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_what_the_model_makes_up_is_not_believed(modelled: Modelled, order: str) -> None:
    """Values without their words, with words nobody said, or that the words do not mean, are asked for instead."""
    lies = {
        "order_id": {"value": order, "quote": order},
        "amount": {"value": "300", "quote": "补点"},
        "reason": {"value": "司机迟到", "quote": "司机迟到"},
        "comp_type": {"value": "cash", "quote": "美元"},
    }
    modelled.model.script = lambda _messages, _request: json.dumps({"mode": "sop", "sop": "compensation", "fields": lies})
    story = await Story.open(modelled.desk, f"给 {order} 补点美元")
    await story.asked("collect")
    view = await story.view()
    assert not {"amount", "reason", "comp_type"} & {fact.name for fact in view.facts}
    assert [field.name for field in (await story.open_request()).fields] == ["amount", "reason", "comp_type"]


async def test_a_summary_with_an_invented_figure_is_not_shown(modelled: Modelled, order: str) -> None:
    """The end is told by the template when the model's words hold a number that is not on record."""
    modelled.model.script = lambda _messages, request: (
        json.dumps({"mode": "sop", "sop": "compensation", "fields": {}})
        if request.response_format is not None
        else "已补偿 2000 美元，三天内到账。"
    )
    story = await Story.open(modelled.desk, f"给 {order} 补 20 积分，导游迟到")
    said = modelled.desk.workspace.text(await story.done())
    assert "2000" not in said
    assert "三天" not in said
    assert "20.00 USD" in said


async def test_a_models_answer_grows_in_the_thread(modelled: Modelled) -> None:
    """What a model puts into words from the handbook is streamed, once it is known to say only what stands there."""
    question = "补偿多少要经理批？规则是什么？"
    [passage, *_] = load_library(None).handbook.find(question)
    words = passage.text.zh * 3
    modelled.model.script = lambda _messages, request: (
        json.dumps({"mode": "question", "sop": None, "fields": {}}) if request.response_format is not None else words
    )
    slack = modelled.desk.workspace
    thread = await slack.say("U0LI", "C0DESK", f"@sopdesk {question}")

    def finished() -> Message | None:
        return next((each for each in slack.messages("C0DESK", thread) if each.bot and each.blocks), None)

    answer = await slack.until(finished, 10)
    assert answer is not None
    assert passage.text.zh.split("。")[0] in slack.text(answer)
    called = [name for name, _ in slack.calls if name.startswith("chat.")]
    assert (called[0], called[-2:]) == ("chat.startStream", ["chat.stopStream", "chat.update"])
    assert "chat.appendStream" in called
    [stopped] = [args for name, args in slack.calls if name == "chat.stopStream"]
    assert answer.metadata == stopped["metadata"]
