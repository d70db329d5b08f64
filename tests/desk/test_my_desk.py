"""What waits on me, on App Home and by `/sop pending`; and the audit log by `/sop audit`."""

from __future__ import annotations

import re

from blocks import Press
from deploy.local.workspace import Control
from tests.desk.story import DESK, EMMA, KIM, LEAD, LI, WANG, ZHAO, Story
from tests.desk.test_commands import ELSEWHERE, answered
from tests.desk.test_decisions import forged
from tests.parts.desk import PATIENCE, LiveDesk


async def waiting(desk: LiveDesk, order: str) -> Story:
    """A case that waits for a supervisor."""
    story = await Story.open(desk, f"{order} 补 60 美元积分，导游迟到")
    await story.asked("approval")
    return story


def go(desk: LiveDesk, user: str, label: str) -> list[Control]:
    """The links of the last list that this person was shown."""
    shown = desk.workspace.ephemerals(user, ELSEWHERE)[-1]
    return [each for each in desk.workspace.buttons(shown) if each.label == label]


async def test_pending_lists_what_i_may_decide_and_leads_to_its_card(desk: LiveDesk, order: str) -> None:
    """For the approver, not for the agent; the button is a link to the card in the level's channel, and decides nothing."""
    story = await waiting(desk, order)
    said = await answered(desk, WANG, "pending")
    assert "等你处理 1" in said
    assert f"{order} · {story.case}" in said
    assert "等主管批准，自 " in said
    [button] = go(desk, WANG, "去处理")
    card = await story.asked("approval")
    shown = desk.workspace.ephemerals(WANG, ELSEWHERE)[-1]
    assert desk.workspace.permalink(card) in str(shown.blocks)
    assert button.value
    assert story.case in await answered(desk, ZHAO, "pending")
    assert "没有等你的事" in await answered(desk, LI, "pending")
    await story.approve("60.00 USD")
    await story.done()
    assert "没有等你的事" in await answered(desk, WANG, "pending")


async def test_home_of_an_approver(desk: LiveDesk, order: str) -> None:
    """What waits for them comes first, though the case is not theirs."""
    story = await waiting(desk, order)
    await desk.workspace.open_home(KIM)
    home = await desk.workspace.until(lambda: desk.workspace.home(KIM), PATIENCE)
    assert home is not None
    said = desk.workspace.text(home, KIM)
    assert "Waiting for you 1 · Open 0" in said
    assert story.case in said
    assert "Approve" not in said
    await story.approve("60.00 USD")
    await story.done()


async def test_the_audit_log_is_for_leads_and_auditors(desk: LiveDesk, order: str) -> None:
    """Decisions with level and digest, refused clicks with their reason, the write and its end; for others nothing."""
    story = await waiting(desk, order)
    await story.approve("60.00 USD", by=LEAD)
    await story.told(LEAD, "没有计入")
    await story.approve("60.00 USD")
    await story.done()
    for user, words in ((LI, "仅组长和审计"), (WANG, "仅组长和审计"), (EMMA, "Leads and auditors only")):
        assert await answered(desk, user, f"audit {story.case}") == words
    said = await answered(desk, LEAD, f"audit {story.case.lower()}")
    assert "没有计入 周 的批准：须由名单内的审批人批" in said
    assert re.search(r"王批准 · 主管 · 60\.00 USD · 事实 [0-9a-f]{8} · 版本 [0-9a-f]{4} · " + story.case, said)
    assert "提交：开始提交" in said
    assert "提交：完成 · 第 1 次" in said
    assert "哈希链完整" in said
    assert "→" not in said
    whole = await answered(desk, LEAD, f"audit —order {order}")
    assert f"审计记录 · 订单 {order}" in whole
    assert "→ 完成" in whole
    assert "没有审计记录" in await answered(desk, LEAD, "audit C-0000")
    assert "/sop audit --order" in await answered(desk, LEAD, "audit")


async def test_another_page_is_asked_for_with_the_same_right(desk: LiveDesk, order: str) -> None:
    """The button of an older page shows it to a lead; pressed by hand by anybody else it shows nothing."""
    story = await waiting(desk, order)
    value = Press(do="audit", case=story.case, value="1").encode()
    await forged(desk, LI, DESK, story.thread, value, thread=story.thread)
    await story.told(LI, "仅组长和审计")
    await forged(desk, LEAD, DESK, story.thread, value, thread=story.thread)
    await story.told(LEAD, f"审计记录 · {story.case}")
