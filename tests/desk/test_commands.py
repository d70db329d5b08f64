"""`/sop`, message shortcuts and App Home: private, and from anywhere."""

from __future__ import annotations

import pytest

from deploy.local.workspace import ActionRefused
from tests.desk.story import CHEN, DESK, EMMA, LI, WANG, Story
from tests.parts.desk import PATIENCE, LiveDesk

ELSEWHERE = "C0RANDOM"


async def test_help_and_unknown_words(desk: LiveDesk) -> None:
    """`/sop`, `/sop help` and a word that is none name what there is, in the reader's language."""
    assert "/sop facts" in await answered(desk, LI, "")
    assert "/sop facts [case]" in await answered(desk, EMMA, "help")
    assert "“pay”" in await answered(desk, LI, "pay me")


async def test_without_cases(desk: LiveDesk) -> None:
    """Who has no case is told how to begin one."""
    assert "你没有工单" in await answered(desk, CHEN, "list")
    assert "你没有工单" in await answered(desk, CHEN, "facts")


async def test_facts_and_trail_by_case(desk: LiveDesk, order: str) -> None:
    """With a case id, in any spelling, it is shown to the asker alone, wherever that is."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    before = len(desk.workspace.messages(ELSEWHERE))
    assert "20.00 USD" in await answered(desk, LI, f"facts {story.case}")
    assert "20.00 USD" in await answered(desk, LI, f"facts {story.case.lower()}")
    assert "查订单" in await answered(desk, LI, f"trail {story.case}")
    assert "Order lookup" in await answered(desk, EMMA, f"trail {story.case}")
    assert "没有工单 C-0000" in await answered(desk, LI, "facts C-0000")
    assert len(desk.workspace.messages(ELSEWHERE)) == before


async def test_the_latest_open_case(desk: LiveDesk, order: str) -> None:
    """Without an id it is the asker's open case; with several open, a list to pick from."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到", by=WANG)
    await story.asked("collect")
    assert story.case in await answered(desk, WANG, "facts")
    other = await Story.open(desk, f"{order} 补 30 美元，司机迟到", by=WANG)
    await other.asked("collect")
    rows = await answered(desk, WANG, "facts")
    assert story.case in rows
    assert other.case in rows
    listed = desk.workspace.ephemerals(WANG, ELSEWHERE)[-1]
    opens = [each for each in desk.workspace.buttons(listed) if each.label == "打开"]
    assert len(opens) == 2
    await desk.workspace.click(WANG, ELSEWHERE, listed.ts, action_id=opens[0].action_id)
    await story.told(WANG, "已知信息 · ", ELSEWHERE)
    assert other.case in await answered(desk, WANG, "list")


async def test_a_case_is_not_for_everybody(desk: LiveDesk, order: str) -> None:
    """Who is not in the case's channel, approves nothing and does not act in it, does not see it."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    members = desk.workspace.world.channels[DESK].members
    members.discard(CHEN)
    try:
        assert "只有它所在频道的成员可以看" in await answered(desk, CHEN, f"facts {story.case}")
        assert "只有它所在频道的成员可以看" in await answered(desk, CHEN, f"trail {story.case}")
    finally:
        members.add(CHEN)
    assert "20.00 USD" in await answered(desk, CHEN, f"facts {story.case}")


async def test_no_commands_in_threads(desk: LiveDesk, order: str) -> None:
    """Slack refuses commands in threads; there the mention and the shortcut serve."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    with pytest.raises(ActionRefused, match="not supported in threads"):
        await desk.workspace.slash(LI, DESK, "/sop", "facts", thread_ts=story.thread)
    ask = await story.asked("collect")
    await desk.workspace.message_shortcut(EMMA, "sop_facts", DESK, ask.ts)
    assert "20.00 USD" in desk.workspace.text(await story.told(EMMA, "Facts"))
    await desk.workspace.message_shortcut(EMMA, "sop_trail", DESK, story.thread)
    await story.told(EMMA, "Order lookup")


async def test_a_shortcut_where_no_case_is(desk: LiveDesk) -> None:
    """On a message of no case, that is said."""
    ts = await desk.workspace.say(LI, ELSEWHERE, "吃饭了吗")
    await desk.workspace.message_shortcut(LI, "sop_facts", ELSEWHERE, ts)
    # The bot is not in that channel, so it is said directly.
    direct = desk.workspace.dm(LI).id
    await desk.workspace.until(lambda: any("这个消息串里没有工单" in each.text for each in desk.workspace.messages(direct)))


async def test_app_home(desk: LiveDesk, order: str) -> None:
    """App Home lists what waits for its reader, what is open and what is done, in their language."""
    waiting = await Story.open(desk, f"$20 for {order}, the guide was late", by=EMMA)
    await waiting.asked("collect")
    done = await Story.open(desk, f"{order} $30 credit, the guide was late", by=EMMA)
    await done.done()
    await desk.workspace.open_home(EMMA)
    home = await desk.workspace.until(lambda: desk.workspace.home(EMMA), PATIENCE)
    assert home is not None
    said = desk.workspace.text(home, EMMA)
    assert "Waiting for you 1" in said
    assert "20.00 USD" in said
    assert "Recently done" in said
    assert "30.00 USD" in said


async def answered(desk: LiveDesk, user: str, words: str) -> str:
    """What `/sop` shows this person."""
    before = len(desk.workspace.ephemerals(user, ELSEWHERE))
    receipt = await desk.workspace.slash(user, ELSEWHERE, "/sop", words)
    assert receipt.acked
    shown = await desk.workspace.until(lambda: desk.workspace.ephemerals(user, ELSEWHERE)[before:], PATIENCE)
    return desk.workspace.text(shown[-1], user)
