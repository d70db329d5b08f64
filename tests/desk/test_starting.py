"""A case, or a question to the handbook, begun from App Home."""

from __future__ import annotations

from deploy.local.workspace import View
from tests.desk.story import DESK, LI, SUPERVISORS, Story
from tests.parts.desk import PATIENCE, LiveDesk


async def form_from_home(desk: LiveDesk, user: str, label: str) -> View:
    """Press a button on App Home that opens a form."""
    await desk.workspace.open_home(user)
    home = await desk.workspace.until(lambda: desk.workspace.home(user), PATIENCE)
    assert home is not None
    before = desk.workspace.views(user)
    await desk.workspace.click_in_view(user, home, label=label)

    def opened() -> list[View]:
        return [each for each in desk.workspace.views(user) if each not in before]

    return (await desk.workspace.until(opened, PATIENCE))[-1]


async def test_a_case_begun_from_home_stands_in_its_channel(desk: LiveDesk, order: str) -> None:
    """The words are posted there in the name of whoever sent the form, and the case is in that thread, and theirs."""
    form = await form_from_home(desk, LI, "新工单…")
    assert "#approvals-supervisor" not in str(form.blocks)
    assert await desk.workspace.submit(LI, form, {"text": f"{order} 补 20 美元，导游迟到", "channel": DESK}) is None
    name, message = await desk.posted(r"start/.*")
    assert (name.startswith("start/"), message.channel) == (True, DESK)
    assert f"李：{order} 补 20 美元" in desk.workspace.text(message, LI)
    story = Story(desk, message.ts)
    await story.opened()
    await story.press(await story.asked("collect"), "积分")
    await story.done()
    assert (await story.view()).owner.id == LI
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_a_channel_one_is_not_in_is_refused(desk: LiveDesk, order: str) -> None:
    """A value that the form did not offer opens no case."""
    form = await form_from_home(desk, LI, "新工单…")
    desk.workspace.world.channels[DESK].members.discard(LI)
    try:
        errors = await desk.workspace.submit(LI, form, {"text": f"{order} 补 20 美元", "channel": DESK})
    finally:
        desk.workspace.world.channels[DESK].members.add(LI)
    assert errors == {"channel": "选一个你在里面的频道"}
    assert desk.workspace.messages(SUPERVISORS) == []


async def test_the_handbook_is_asked_between_the_two(desk: LiveDesk) -> None:
    """Question and answer stand in the direct messages; the channel sees nothing."""
    before = len(desk.workspace.messages(DESK))
    form = await form_from_home(desk, LI, "问手册…")
    assert await desk.workspace.submit(LI, form, {"text": "先补偿了还能退款吗？"}) is None
    room = desk.workspace.dm(LI).id
    await desk.workspace.until(
        lambda: any("手册 ›" in desk.workspace.text(each, LI) for each in desk.workspace.messages(room)), PATIENCE
    )
    assert len(desk.workspace.messages(DESK)) == before
