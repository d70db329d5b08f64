"""Two must decide for the same of several options, as it is seen in Slack: a split, and a choice that is changed."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from deploy.local.redis_server import RedisServer
from tests.desk.procedures import shipped
from tests.desk.story import KIM, WANG, Story
from tests.parts.desk import LiveDesk, live_desk

OPTIONS = """    options:
      - {id: pay, label: {zh: 付款, en: Pay}, on: [{goto: submit}]}
      - {id: later, label: {zh: 稍后, en: Later}, on: [{goto: collect}]}
  - id: submit
"""


@pytest_asyncio.fixture(scope="module")
async def desk(redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveDesk]:
    """A desk where two supervisors must decide, each for one of two ways."""
    sops = shipped(tmp_path_factory.mktemp("sops"))
    for name, old, new in (
        ("approvals.yaml", "rank: 1\n", "rank: 1\n    quorum: 2\n"),
        ("compensation.yaml", "\n  - id: submit\n", OPTIONS),
    ):
        text = (sops / name).read_text(encoding="utf-8")
        assert old in text
        (sops / name).write_text(text.replace(old, new), encoding="utf-8")
    async with live_desk(redis_server.url, tmp_path_factory.mktemp("desk"), sops=sops) as running:
        yield running


async def test_a_split_is_mended_by_one_who_changes_their_choice(desk: LiveDesk, order: str) -> None:
    """The card says who chose what; the same again is refused, with the way out; the other option opens its form."""
    story = await Story.open(desk, f"给 {order} 补 60 积分，商户漏发接送")
    card = await story.asked("approval")
    for label, by, told in (("稍后…", WANG, "已记下，1/2"), ("付款…", KIM, "Counted, 1 of 2")):
        form = await story.form(card, label, by=by)
        assert not await story.submit(form, {"reason": "看过了"}, by=by)
        await story.told(by, told)
    await story.shown("approval/1", r"付款 1/2：Kim")
    await story.shown("approval/1", r"稍后 1/2：王")
    await story.press(card, "稍后…", by=WANG)
    await story.told(WANG, "没有计入：你选的就是“稍后”，只算一次，现在 1/2；想改，选另一个")
    assert await story.payouts(order) == []
    form = await story.form(card, "付款…", by=WANG)
    assert not await story.submit(form, {"reason": "同意付款"}, by=WANG)
    await story.done()
    assert await story.payouts(order) == [{"credit": "60"}]
    closed = desk.workspace.text(await story.shown("approval/1", "付款："))
    assert re.search(r"Kim、王 \d\d:\d\d", closed)
