"""What stands where: the case card at each state, the buttons, what is private and what all may read."""

from __future__ import annotations

from tests.desk.story import CHEN, DESK, EMMA, LI, SUPERVISORS, WANG, Story
from tests.parts.desk import LiveDesk


async def test_the_headline_of_every_state(desk: LiveDesk, order: str) -> None:
    """The card at the head of the thread is one message whose first line says amount, way and state."""
    ws = desk.workspace
    story = await Story.open(desk, f"{order} 导游迟到，要补偿")
    await story.card("补偿，金额未定 · 等坐席回答")
    ts = (await story.case_card()).ts
    await story.say("60 美元，积分")
    waiting = await story.card("60.00 USD 积分补偿 · 等主管批准")
    assert "#approvals-supervisor" in waiting
    assert "看申请" in waiting
    assert "查订单" in waiting
    await story.approve("60.00 USD")
    done = await story.card("60.00 USD 积分补偿 · 已完成")
    card = await story.case_card()
    assert card.ts == ts
    assert [each.label for each in ws.buttons(card)] == ["已知信息", "执行记录"]
    assert story.case in done
    assert len(story.notices("card")) == 1


async def test_choices_answer(desk: LiveDesk, order: str) -> None:
    """A choice's button answers; the question then says who answered what, and its buttons are gone."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    ask = await story.asked("collect")
    assert [each.label for each in desk.workspace.buttons(ask)] == ["现金，原路退", "积分", "填表单…"]
    assert "@李 还缺" in desk.workspace.text(ask)
    await story.press(ask, "积分")
    await story.done()
    answered = await story.shown("collect/1", "积分")
    assert "李" in desk.workspace.text(answered)
    assert desk.workspace.buttons(answered) == []


async def test_somebody_else_does_not_answer(desk: LiveDesk, order: str) -> None:
    """Neither by button, by word nor by form; each is told privately, and nothing moves."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    ask = await story.asked("collect")
    await story.press(ask, "积分", by=CHEN)
    await story.told(CHEN, "只有李或组长可以操作", DESK)
    await story.press(ask, "填表单…", by=EMMA)
    await story.told(EMMA, "Only 李 or a lead can do this")
    assert desk.workspace.views(EMMA) == []
    before = len(desk.workspace.ephemerals(CHEN))
    await story.say("积分", by=CHEN)
    await desk.workspace.until(lambda: len(desk.workspace.ephemerals(CHEN)) > before)
    assert (await story.open_request()).id == f"{story.case}/collect/1"


async def test_facts_and_trail_buttons_are_private(desk: LiveDesk, order: str) -> None:
    """Both are shown to whoever presses, in their language, and change nothing that others see."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    await story.card("等坐席回答")
    card, before = await story.case_card(), len(story.replies())
    await story.press(card, "已知信息")
    shown = await story.told(LI, "“20 美元” 李")
    assert shown.thread_ts == story.thread
    await story.press(card, "执行记录", by=EMMA)
    assert "Trail" in desk.workspace.text(await story.told(EMMA, "Order lookup"))
    await story.press(card, "已知信息", by=WANG)
    await story.told(WANG, "20.00 USD")
    assert len(story.replies()) == before


async def test_facts_from_the_approval_card(desk: LiveDesk, order: str) -> None:
    """An approver sees the facts from the card in the channel."""
    story = await Story.open(desk, f"{order} 补 60 积分，导游迟到")
    card = await story.asked("approval")
    await desk.workspace.choose(WANG, SUPERVISORS, card.ts, "已知信息")
    await story.told(WANG, "60.00 USD", SUPERVISORS)


async def test_facts_trail_and_help_by_word_are_public(desk: LiveDesk, order: str) -> None:
    """Asked in the thread they are replies that all see."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    await story.reply_to(await story.say("@sopdesk facts"), "20.00 USD")
    await story.reply_to(await story.say("@sopdesk trail"), "查订单")
    await story.reply_to(await story.say("@sopdesk help"), "/sop facts")
    await story.reply_to(await story.say("@sopdesk facts", by=WANG), "20.00 USD")
    assert (await story.open_request()).id == f"{story.case}/collect/1"
    await story.say("积分")
    await story.done()
    await story.reply_to(await story.say("@sopdesk trail"), "按档位自动批准")


async def test_a_thread_in_english(desk: LiveDesk, order: str) -> None:
    """A thread that begins in English is answered in English, its channel card in the channel's language."""
    story = await Story.open(desk, f"$60 credit for {order}, the guide was late", by=EMMA)
    card = await story.shown("approval/1")
    head = (await story.card("waiting for a supervisor")).splitlines()[0]
    assert head == "60.00 USD credit compensation · waiting for a supervisor"
    assert desk.workspace.text(card).startswith("批准 60.00 USD 积分补偿？")
    await story.press(card, "批准 60.00 USD", by=WANG)
    result = desk.workspace.text(await story.done())
    assert "60.00 USD credit compensation submitted" in result
    assert "Nothing left to do" in result


async def test_a_question_opens_no_case(desk: LiveDesk) -> None:
    """A question is answered from the handbook, quoted and named, and opens no case."""
    ts = await desk.workspace.say(LI, DESK, "@sopdesk 先补偿了还能退款吗")
    story = Story(desk, ts)
    said = desk.workspace.text(await story.reply_to(ts, "不可以"))
    assert "坐席手册 › " in said
    assert await desk.view(ts) is None
    assert len(story.replies()) == 1


async def test_a_question_in_the_middle_of_a_case(desk: LiveDesk, order: str) -> None:
    """It is answered, the case is said to wait for the same as before, and then goes on."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    ask = await story.asked("collect")
    reply = await story.reply_to(await story.say("先补偿了还能退款吗"), "不可以")
    assert "工单仍等：方式" in desk.workspace.text(reply)
    await story.press(ask, "积分")
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_what_the_handbook_does_not_hold(desk: LiveDesk) -> None:
    """Nothing found is said so."""
    ts = await desk.workspace.say(LI, DESK, "@sopdesk 食堂今天吃什么？")
    await Story(desk, ts).reply_to(ts, "手册里没有")


async def test_nonsense_is_told_how(desk: LiveDesk) -> None:
    """What is neither a request nor a question gets help and opens no case."""
    ts = await desk.workspace.say(LI, DESK, "@sopdesk 天气真好")
    await Story(desk, ts).reply_to(ts, "没看懂")
    assert await desk.view(ts) is None


async def test_a_direct_message(desk: LiveDesk, order: str) -> None:
    """A direct message to the bot is a request; its answers need no mention."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到", channel="U0BOT")
    await story.asked("collect")
    await story.say("积分")
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_talk_among_people_is_left_alone(desk: LiveDesk, order: str) -> None:
    """A sentence to somebody else in the thread, and one in a channel without a mention, get no answer."""
    story = await Story.open(desk, f"{order} 补 20 美元，导游迟到")
    await story.asked("collect")
    before = len(story.replies())
    await story.say("@陈 积分还是现金好？")
    alone = await desk.workspace.say(LI, DESK, f"{order} 补 20 积分")
    await story.reply_to(await story.say("@sopdesk facts"), "20.00 USD")
    assert len(story.replies()) == before + 1
    assert len(desk.thread(alone)) == 1
    assert (await story.open_request()).id == f"{story.case}/collect/1"


async def test_a_second_case_in_the_thread(desk: LiveDesk, order: str) -> None:
    """After the end, a new request in the same thread is a new case."""
    story = await Story.open(desk, f"{order} 补 20 积分，导游迟到")
    await story.done()
    first = story.case
    await story.say(f"@sopdesk {order} 再补 10 积分，司机态度差")
    await desk.workspace.until(lambda: newest_case(story) != first, 15)
    await story.opened()
    await story.done()
    assert await story.payouts(order) == [{"credit": "10"}, {"credit": "20"}]


def newest_case(story: Story) -> str:
    """The case of the last card in the thread."""
    found = story.newest()
    return found[0] if found else ""


async def test_words_about_another_order_move_nothing(desk: LiveDesk, order: str) -> None:
    """What names another order is no answer to this case: where it belongs is asked, and the case waits as before."""
    story = await Story.open(desk, f"{order} 导游迟到，补积分")
    await story.asked("collect")
    for words in ("KL-778 那单补 30 美元", "@sopdesk 给 KL-778 补 30 积分，司机迟到"):
        await story.reply_to(await story.say(words), "KL-778")
    assert (await story.open_request()).id == f"{story.case}/collect/1"
    await story.say(f"不是 KL-778，是 {order}，20 美元")
    await story.done()
    assert await story.payouts(order) == [{"credit": "20"}]


async def test_talk_after_the_end_is_left_alone(desk: LiveDesk, order: str) -> None:
    """Thanks among people get no answer once the case is over; a question and a new request still do."""
    story = await Story.open(desk, f"{order} 补 20 积分，导游迟到")
    await story.done()
    await story.card("已完成")
    before = len(story.replies())
    await story.say("谢谢")
    await story.say("客人很满意", by=CHEN)
    await story.reply_to(await story.say("先补偿了还能退款吗"), "不可以")
    assert len(story.replies()) == before + 1
    await story.reply_to(await story.say("@sopdesk 谢谢"), "我在")


async def test_moves_after_the_end_are_refused(desk: LiveDesk, order: str) -> None:
    """`取消` and `retry` after the payout say that it is too late, and that nothing waits."""
    story = await Story.open(desk, f"{order} 补 20 积分，导游迟到")
    await story.done()
    await story.say("@sopdesk 取消")
    await story.told(LI, "已付，改不了，找组长")
    await story.say("@sopdesk retry")
    await story.told(LI, "没有在等后台")
    stopped = await Story.open(desk, "KL-901 补 20 积分，导游迟到")
    await stopped.done()
    await stopped.say("@sopdesk 取消")
    await stopped.told(LI, "工单已经结束")
