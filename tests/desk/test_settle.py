"""A payment whose result is unknown, at a receiver that keeps no keys: a lead finds out and says so on the card."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.wiring.vocabulary import SHIPPED
from deploy.local.backoffice import Fault
from deploy.local.redis_server import RedisServer
from graph import rules
from graph.library import open_library
from graph.rules import rules_of
from graph.tools.modules import MODULES
from graph.tools.spec import tools_of
from tests.desk.story import LEAD, LI, Story
from tests.parts.desk import LiveDesk, live_desk


@pytest_asyncio.fixture(scope="module")
async def desk(redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveDesk]:
    """A desk whose payments go to a receiver that does not recognise a repeated key."""
    tools = tools_of(MODULES)
    tools["apply_compensation"] = dataclasses.replace(tools["apply_compensation"], key="none")
    library = open_library(SHIPPED, tools, rules_of([rules]))
    async with live_desk(redis_server.url, tmp_path_factory.mktemp("desk"), library=library) as running:
        yield running


async def parked(desk: LiveDesk, order: str) -> Story:
    """A case that paid and does not know it."""
    desk.backoffice.faults.add(Fault(mode="error_after_commit", path_prefix="/compensations", times=1))
    story = await Story.open(desk, f"{order} 补 30 积分，导游迟到")
    await story.card("需要人工")
    return story


async def test_a_lead_says_that_it_was_paid(desk: LiveDesk, order: str) -> None:
    """The agent is refused; the lead must write how it was found out; then the case ends and nothing is paid twice."""
    story = await parked(desk, order)
    card = await story.shown("submit/1", "不重试")
    await story.press(card, "已付…", by=LI)
    await story.told(LI, "只有组长可以操作")
    form = await story.form(card, "已付…", by=LEAD)
    assert await story.submit(form, {"remark": " "}, by=LEAD) is not None
    assert await story.submit(form, {"remark": "后台查到单号"}, by=LEAD) is None
    await story.done()
    assert await story.payouts(order) == [{"credit": "30"}]


async def test_a_lead_says_that_it_was_not_paid(desk: LiveDesk, order: str) -> None:
    """The step is carried out once more, and only once."""
    story = await parked(desk, order)
    form = await story.form(await story.shown("submit/1"), "未付…", by=LEAD)
    assert await story.submit(form, {"remark": "后台没有"}, by=LEAD) is None
    await story.done()
    assert [entry.what for entry in (await story.view()).trail if entry.step == "submit"] == ["hold", "settle", "call"]
