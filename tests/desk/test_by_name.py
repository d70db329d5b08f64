"""Procedures started by name, and those offered for words that ask for nothing clearly."""

from __future__ import annotations

from deploy.local.workspace import Message
from tests.desk.story import DESK, EMMA, LI, Story
from tests.parts.desk import PATIENCE, LiveDesk


async def test_a_start_by_name(desk: LiveDesk, order: str) -> None:
    """`/sop start` posts the head of a thread in the person's name; the procedure is open there with what was said."""
    known = set(desk.notices())
    assert "已在频道里另开一帖" in await typed(desk, LI, f"start compensation {order} 20 美元，导游迟到")
    _, head = await desk.posted(r"start/.*", known)
    assert f"李：start compensation {order}" in desk.workspace.text(head, LI)
    story = Story(desk, head.ts)
    await story.opened()
    await story.asked("collect")
    view = await story.view()
    assert (view.sop, view.order, view.owner.id) == ("compensation", order, LI)
    assert view.plain["amount"] == "20"


async def test_a_name_that_is_none(desk: LiveDesk) -> None:
    """Nothing is started; the names are said, internal ones left out, in the reader's language."""
    known = set(desk.notices())
    assert "refund 退款、" in await typed(desk, LI, "start pay_me 5000")
    english = await typed(desk, EMMA, "start")
    assert "Write" in english and "compensation" in english and "practice" not in english
    assert "practice" in await typed(desk, LI, "start practice")
    assert set(desk.notices()) == known


async def test_one_of_those_that_come_near(desk: LiveDesk, order: str) -> None:
    """The press begins it in the thread with the words already said; a second press is answered, and begins nothing."""
    ts = await desk.workspace.say(LI, DESK, f"@sopdesk {order} 这单客人不满意，请处理")
    story = Story(desk, ts)
    offer = await story.answered("没看懂要办哪一件")
    await story.press(offer, "补偿")
    await story.opened()
    await story.asked("collect")
    view = await story.view()
    assert (view.sop, view.order, view.opener.id) == ("compensation", order, LI)
    await story.press(offer, "退款")
    await story.told(LI, "已经选过")
    assert (await story.view()).case == view.case


async def typed(desk: LiveDesk, user: str, words: str) -> str:
    """What `/sop` shows this person."""

    def shown() -> list[Message]:
        return desk.workspace.ephemerals(user, DESK)[before:]

    before = len(desk.workspace.ephemerals(user, DESK))
    assert (await desk.workspace.slash(user, DESK, "/sop", words)).acked
    return desk.workspace.text((await desk.workspace.until(shown, PATIENCE))[-1], user)
