"""Who decides, as it is seen in Slack: several approvers, delegates, people of another team, and the clocks of a card."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from deploy.local.redis_server import RedisServer
from deploy.local.workspace import Message
from tests.desk.procedures import shipped
from tests.desk.story import CHEN, DESK, EMMA, KIM, LI, SUN, WANG, ZHAO, Story
from tests.parts.desk import PATIENCE, LiveDesk, live_desk

SUPERVISORS, MANAGERS = "C0SUP", "C0MGR"


@pytest_asyncio.fixture(scope="module")
async def desk(redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveDesk]:
    """A desk where two supervisors must approve, and where the file names a delegate of one."""
    sops = shipped(tmp_path_factory.mktemp("sops"))
    file = sops / "approvals.yaml"
    more = "rank: 1\n    quorum: 2\n    delegates: [{of: U0KIM, to: U0CHEN, until: 2099-01-01}]\n"
    file.write_text(file.read_text(encoding="utf-8").replace("rank: 1\n", more), encoding="utf-8")
    async with live_desk(redis_server.url, tmp_path_factory.mktemp("desk"), sops=sops) as running:
        yield running


async def waiting(desk: LiveDesk, order: str) -> tuple[Story, Message]:
    """A case that waits for two supervisors, and its card."""
    story = await Story.open(desk, f"给 {order} 补 60 积分，商户漏发接送")
    return story, await story.asked("approval")


async def go_off(desk: LiveDesk, story: Story, clock: str, visit: int = 1) -> None:
    """Put a clock of the card forward to now."""
    assert desk.service is not None
    redis, keys = desk.service.parts.redis, desk.service.parts.keys
    assert await redis.zadd(keys.timers(), {f"t:{story.case}/approval/{visit}/{clock}": 1}, xx=True, ch=True) == 1
    await redis.lpush(keys.alarm(), "1")


async def told_directly(desk: LiveDesk, user: str, words: str) -> str:
    """Wait until the bot has written this to a person directly."""

    def found() -> str | None:
        said = [desk.workspace.text(each) for each in desk.workspace.messages(desk.workspace.dm(user).id) if each.bot]
        return next((each for each in said if words in each), None)

    hit = await desk.workspace.until(found, PATIENCE)
    assert hit is not None
    return hit


async def answered(desk: LiveDesk, user: str, words: str) -> str:
    """What a slash command is answered with."""
    ws = desk.workspace
    before = len(ws.ephemerals(user))
    await ws.slash(user, DESK, "/sop", words)
    await ws.until(lambda: len(ws.ephemerals(user)) > before, PATIENCE)
    return ws.text(ws.ephemerals(user)[-1])


async def test_two_must_approve(desk: LiveDesk, order: str) -> None:
    """The first is counted on the card and told so; a second click of theirs counts once; the other person's pays."""
    story, card = await waiting(desk, order)
    await story.press(card, "批准 60.00 USD", by=WANG)
    await story.told(WANG, "已记下，1/2，钱还没动")
    await story.card("已批 1/2：王")
    counted = desk.workspace.text(await story.shown("approval/1", "已批 1/2：王"))
    assert "批准 60.00 USD" in counted
    await story.press(card, "批准 60.00 USD", by=WANG)
    await story.told(WANG, "没有计入：你已经批过，只算一次，现在 1/2")
    assert await story.payouts(order) == []
    await story.press(card, "批准 60.00 USD", by=KIM)
    await story.done()
    assert await story.payouts(order) == [{"credit": "60"}]
    closed = desk.workspace.text(await story.shown("approval/1", "已批准"))
    assert re.search(r"王、Kim \d\d:\d\d · 已提交", closed)
    view = await story.view()
    assert view.result is not None and view.result.approver == "王, Kim"


async def test_one_of_two_rejects(desk: LiveDesk, order: str) -> None:
    """One rejection ends it, also of somebody who had approved before: then the money stays."""
    story, card = await waiting(desk, order)
    await story.press(card, "批准 60.00 USD", by=WANG)
    await story.told(WANG, "已记下")
    form = await story.form(card, "驳回…", by=WANG)
    assert not await story.submit(form, {"reason": "看错了"}, by=WANG)
    await story.shown("approval/1", "已驳回")
    assert (await story.open_request()).kind == "ask"


async def test_somebody_stands_in(desk: LiveDesk, order: str) -> None:
    """Named by the one who is away, told, shown on the card; the decision says for whom and is told to them directly."""
    ws = desk.workspace
    said = await answered(desk, WANG, "delegate @Emma 到 明天")
    assert re.match(r"Emma 代你批到 \d{4}-\d\d-\d\d（含当天），但还看不到 #refund-review #approvals-supervisor", said)
    await told_directly(desk, EMMA, "王 asks you to decide in their place")
    story, card = await waiting(desk, order)
    assert "王 不在，Emma 代批到" in ws.text(card)
    assert "@Emma" in ws.text(card)
    ws.world.channels[SUPERVISORS].members.add(EMMA)
    await story.press(card, "批准 60.00 USD", by=EMMA)
    await story.shown("approval/1", "已批 1/2：Emma（代王）")
    said = await told_directly(desk, WANG, "Emma")
    assert "代你批准 60.00 USD 积分补偿" in said
    await story.press(card, "批准 60.00 USD", by=WANG)
    await story.told(WANG, "你和你所代、代你的人只算一票")
    await story.press(card, "批准 60.00 USD", by=KIM)
    await story.done()
    await ws.slash(WANG, SUPERVISORS, "/sop", "delegate off")
    await told_directly(desk, EMMA, "you no longer decide in their place")
    assert desk.service is not None
    audit = desk.service.parts.audit
    logged = [(each.line.what, each.line.by, each.line.values.get("to")) for each in await audit.of("delegates")]
    assert logged == [("delegate", WANG, EMMA), ("delegate_end", WANG, EMMA)]
    assert await audit.verify("delegates") == (2, None)
    other, card = await waiting(desk, order)
    await other.press(card, "批准 60.00 USD", by=EMMA)
    await other.told(EMMA, "Not counted: needs a listed supervisor or above")


async def test_a_delegate_of_the_file(desk: LiveDesk, order: str) -> None:
    """Named in approvals.yaml for one who cannot: shown on the card, and counts as the one who is away."""
    story, card = await waiting(desk, order)
    assert "@Kim 不在，@陈 代批到" in desk.workspace.text(card)
    desk.workspace.world.channels[SUPERVISORS].members.add(CHEN)
    await story.press(card, "批准 60.00 USD", by=CHEN)
    await story.shown("approval/1", "已批 1/2：陈（代Kim）")
    await told_directly(desk, KIM, "陈 approved 60.00 USD credit compensation")
    await story.press(card, "批准 60.00 USD", by=KIM)
    await story.told(KIM, "you, whom you stand in for and who stands in for you count as one")


async def test_what_delegate_refuses(desk: LiveDesk) -> None:
    """Without a right, without a day, for oneself, for somebody of another team: said why, and nothing is kept."""
    world = desk.workspace.world
    world.users["U0NEW"] = replace(world.users["U0NEW"], team="T0OTHER")
    for user, words, answer in (
        (LI, "delegate @Emma until tomorrow", "不在审批名单里"),
        (WANG, "delegate Emma 到 明天", "写成"),
        (WANG, "delegate @Emma", "到哪天"),
        (WANG, "delegate @Emma 到 2020-01-01", "到哪天"),
        (WANG, "delegate @王 到 明天", "不能是自己"),
        (WANG, "delegate @何 到 明天", "不能是自己或外部成员"),
        (WANG, "delegate off", "现在没有代批"),
        (WANG, "delegate list", "现在没有代批"),
        (KIM, "delegate list", "陈 decides in your place until"),
    ):
        assert answer in await answered(desk, user, words), words
    assert desk.service is not None
    assert await desk.service.parts.redis.exists(desk.service.parts.keys.delegates()) == 0


async def test_a_person_of_another_team_decides_nothing(desk: LiveDesk, order: str) -> None:
    """Though listed: their team is looked at, they are told why, and it is recorded."""
    ws = desk.workspace
    was = ws.world.users[KIM]
    ws.world.users[KIM] = replace(was, team="T0OTHER")
    try:
        await desk.restart()
        story, card = await waiting(desk, order)
        await story.press(card, "批准 60.00 USD", by=KIM)
        await story.told(KIM, "Not counted: you belong to another workspace")
        assert (await story.open_request()).votes == []
    finally:
        ws.world.users[KIM] = was
        await desk.restart()


async def test_the_clocks_of_a_card(desk: LiveDesk, order: str) -> None:
    """Reminded under the card, passed on with a link, expired with a question to the agent, who submits it again."""
    ws = desk.workspace
    story, card = await waiting(desk, order)
    assert "前，过时上报经理" in ws.text(card)
    await go_off(desk, story, "remind")
    reminder = await story.shown("approval/1/reminder")
    assert (reminder.channel, reminder.thread_ts) == (card.channel, card.ts)
    assert re.search(r"@王 @Kim @陈 提醒：(tomorrow )?\d\d:\d\d 上报经理", ws.text(reminder))
    await go_off(desk, story, "escalate")
    second = await story.asked("approval", 2)
    assert second.channel == MANAGERS
    old = await story.shown("approval/1", "已上报经理")
    assert "新卡" in ws.text(old)
    assert ws.buttons(old) == []
    await story.card("等经理批准")
    await go_off(desk, story, "expire", 2)
    await story.shown("approval/2", "已过期，未付款")
    await story.shown("approval/2/expired", "已过期，没有付款")
    question = await story.shown("approval/3", "再提交一次？")
    assert {each.label for each in ws.buttons(question)} == {"再提交", "更正…"}
    assert await story.payouts(order) == []
    assert await story.say("先放着") and await story.answered("还没有付款。按“再提交”")
    await story.press(question, "再提交")
    again = await story.asked("approval", 4)
    assert again.channel == SUPERVISORS
    await story.press(again, "批准 60.00 USD", by=ZHAO)
    await story.press(again, "批准 60.00 USD", by=SUN)
    await story.done()
    assert await story.payouts(order) == [{"credit": "60"}]

