"""What people do in Slack, through real Bolt, real queues and a local workspace."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path

import pytest
from aiohttp import ClientSession
from redis.asyncio import Redis

from bot.serving import PATH
from deploy.local.redis_server import RedisServer
from deploy.local.workspace import ActionRefused
from graph.store.connect import connect
from graph.store.keys import Keys
from tests.unit.bot.conftest import House, running


async def test_a_mention_becomes_one_case(house: House) -> None:
    """A mention, which Slack sends as two events, is one event, one case card and one question."""
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 给 KL-778 补 80 美元")
    await house.card("C0DESK", "还缺", thread_ts)
    await house.slack.settled()
    assert [event.text for event in house.desk.events] == ["给 KL-778 补 80 美元"]
    assert house.desk.events[0].actor.name == "李"
    assert len([message for message in house.slack.messages("C0DESK", thread_ts) if message.bot]) == 2


async def test_a_redelivery_is_taken_once(house: House) -> None:
    """Deliveries whose acknowledgement is lost come again and change nothing."""
    house.slack.faults.drop_acks(3)
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 你好")
    await house.card("C0DESK", "还缺", thread_ts)
    await house.slack.settled()
    assert sum(delivery.attempts for delivery in house.slack.deliveries) > len(house.slack.deliveries)
    assert len(house.desk.events) == 1


async def test_replies_count_where_there_is_a_case(house: House) -> None:
    """A reply without a mention counts in a case's thread, even while the case is being made, and nowhere else."""
    other = await house.slack.say("U0EMMA", "C0DESK", "lunch?")
    await house.slack.say("U0LI", "C0DESK", "yes", other)
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补 80 美元")
    await house.slack.say("U0LI", "C0DESK", "现金", thread_ts)
    await house.slack.until(lambda: len(house.desk.events) == 2)
    await house.slack.say("U0LI", "C0DESK", "看图", thread_ts, files=[{"name": "a.png"}])
    await house.slack.say("U0LI", "C0DESK", "@Emma 你看看", thread_ts)
    await house.slack.say("U0LI", "C0DESK", "也发频道", thread_ts, broadcast=True)
    await house.card("C0DESK", "", thread_ts)
    await house.slack.until(lambda: [message for message in house.slack.messages("C0DESK", thread_ts) if message.bot][4:])
    assert [event.text for event in house.desk.events] == ["补 80 美元", "现金", "看图", "也发频道"]


async def test_edits_and_unfurls_say_nothing(house: House) -> None:
    """message_changed, for an edit or an unfurled link, makes no event."""
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补 80 美元")
    await house.card("C0DESK", "还缺", thread_ts)
    await house.slack.edit("U0LI", "C0DESK", thread_ts, "@sopdesk 补 800 美元")
    await house.slack.unfurl("C0DESK", thread_ts)
    await house.slack.settled()
    assert len(house.desk.events) == 1


async def test_a_direct_message_opens_a_case(house: House) -> None:
    """What is written to the bot directly needs no mention."""
    thread_ts = await house.slack.say("U0LI", "U0BOT", "补 80 美元")
    await house.card(house.slack.dm("U0LI").id, "还缺", thread_ts)


async def test_an_approval_from_click_to_result(house: House) -> None:
    """The card goes to the level's channel, the click counts once, the buttons go, the result stands in the thread."""
    thread_ts, card = await house.asked_for_approval()
    house.slack.faults.duplicate(1)
    receipt = await house.slack.click("U0WANG", "C0SUP", card.ts, label="批准 80.00 USD")
    assert receipt.acked
    await house.card("C0DESK", "RA1", thread_ts)
    await house.slack.until(lambda: not house.slack.buttons(house.slack.message("C0SUP", card.ts)))
    assert [event.kind for event in house.desk.events] == ["message", "answer", "decision"]
    assert house.desk.events[1].values == {"comp_type": "cash"}
    decision = house.desk.events[2]
    assert (decision.verdict, decision.request, decision.actor.name) == ("approve", "C-1/approve/1", "王")
    assert decision.actor.groups == ("S0SUPERVISORS",)


async def test_whoever_may_not_decide_is_told_where_they_clicked(house: House) -> None:
    """A refused click is answered privately in the channel where it was made, in the reader's language."""
    _, card = await house.asked_for_approval()
    await house.slack.click("U0ZHOU", "C0SUP", card.ts, label="批准 80.00 USD")
    answer = await house.whisper("U0ZHOU", "没有计入")
    assert answer.channel == "C0SUP"
    assert house.slack.buttons(house.slack.message("C0SUP", card.ts))


async def test_whoever_may_not_reject_gets_no_form_and_is_recorded(house: House) -> None:
    """The refused press goes to the engine, which records it, and no form opens."""
    _, card = await house.asked_for_approval()
    await house.slack.click("U0ZHOU", "C0SUP", card.ts, label="驳回…")
    await house.whisper("U0ZHOU", "没有计入")
    assert not house.slack.views("U0ZHOU")
    assert house.desk.events[-1].verdict == "reject"


async def test_a_rejection_needs_a_reason(house: House) -> None:
    """Without a reason the form stays open with an error; with one it is stored and the thread is told."""
    thread_ts, card = await house.asked_for_approval()
    await house.slack.click("U0KIM", "C0SUP", card.ts, label="驳回…")
    errors = await house.slack.submit("U0KIM", values={"reason": "   "})
    assert errors
    assert house.slack.views("U0KIM")
    assert not await house.slack.submit("U0KIM", values={"reason": "超出权限 <!channel>"})
    told = await house.card("C0DESK", "被驳回", thread_ts)
    assert "超出权限" in house.slack.text(told)
    assert "<!channel>" not in told.text
    assert house.desk.events[-1].reason == "超出权限 <!channel>"
    assert not house.slack.views("U0KIM")


async def test_a_form_names_the_field_that_is_wrong(house: House) -> None:
    """What the engine has against a value stands under its field; a good form is stored as an answer."""
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    question = await house.card("C0DESK", "还缺", thread_ts)
    await house.slack.click("U0LI", "C0DESK", question.ts, label="填表单…")
    errors = await house.slack.submit("U0LI", values={"amount": "很多", "comp_type": "cash"})
    assert errors == {"amount": "不是数"}
    assert not await house.slack.submit("U0LI", values={"amount": "80", "comp_type": "cash"})
    await house.card("C0SUP", "批准 80.00 USD")
    assert house.desk.events[-1].values == {"amount": "80", "comp_type": "cash"}


async def test_only_the_cases_people_may_cancel_it(house: House) -> None:
    """Somebody else's press opens no form and is answered; the agent's form cancels."""
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    await house.card("C0DESK", "还缺", thread_ts)
    card = await house.card("C0DESK", "C-1", thread_ts)
    await house.slack.choose("U0EMMA", "C0DESK", card.ts, "取消工单…")
    await house.whisper("U0EMMA", "Only 李 or a lead")
    assert not house.slack.views("U0EMMA")
    await house.slack.choose("U0LI", "C0DESK", card.ts, "取消工单…")
    assert not await house.slack.submit("U0LI", values={"reason": "客户撤回"})
    await house.slack.until(lambda: house.desk.events[-1].kind == "cancel")
    assert house.desk.events[-1].reason == "客户撤回"


async def test_a_form_that_cannot_be_opened_is_said(house: House) -> None:
    """An expired trigger is answered; nothing is stored."""
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    question = await house.card("C0DESK", "还缺", thread_ts)
    house.slack.faults.refuse("views.open", "expired_trigger_id")
    await house.slack.click("U0LI", "C0DESK", question.ts, label="填表单…")
    await house.whisper("U0LI", "再点一次")


async def test_facts_and_trail_are_private(house: House) -> None:
    """The buttons show to whoever pressed, in the thread, in their language, and make no event."""
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    await house.card("C0DESK", "还缺", thread_ts)
    card = await house.card("C0DESK", "C-1", thread_ts)
    await house.slack.click("U0EMMA", "C0DESK", card.ts, label="已知信息")
    shown = await house.whisper("U0EMMA", "80.00 USD")
    assert "amount" in house.slack.text(shown)
    assert shown.thread_ts == thread_ts
    await house.slack.message_shortcut("U0LI", "sop_trail", "C0DESK", thread_ts)
    await house.whisper("U0LI", "C-1")
    assert len(house.desk.events) == 1


async def test_the_command_answers_privately(house: House) -> None:
    """/sop shows the only open case, lists several, knows cases by id, says what it does not know."""
    await house.slack.slash("U0LI", "C0DESK", "/sop", "facts")
    await house.whisper("U0LI", "你没有工单")
    one = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    await house.card("C0DESK", "还缺", one)
    await house.slack.slash("U0LI", "C0RANDOM", "/sop", "facts")
    await house.whisper("U0LI", "80.00 USD")
    two = await house.slack.say("U0LI", "C0DESK", "@sopdesk 再补偿")
    await house.card("C0DESK", "还缺", two)
    await house.slack.slash("U0LI", "C0DESK", "/sop", "trail")
    rows = await house.whisper("U0LI", "C-2")
    assert "C-1" in house.slack.text(rows)
    await house.slack.slash("U0WANG", "C0SUP", "/sop", "facts c-1")
    await house.whisper("U0WANG", "C-1")
    await house.slack.slash("U0LI", "C0DESK", "/sop", "facts C-9")
    await house.whisper("U0LI", "没有工单 C-9")
    await house.slack.slash("U0EMMA", "C0DESK", "/sop", "dance")
    await house.whisper("U0EMMA", "dance")


async def test_app_home_lists_my_cases(house: House) -> None:
    """Opening App Home publishes what waits for me."""
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    await house.card("C0DESK", "还缺", thread_ts)
    await house.slack.open_home("U0LI")
    view = await house.slack.until(lambda: house.slack.home("U0LI"))
    assert view is not None
    assert "等你处理 1" in house.slack.text(view)


async def test_hostile_text_pings_nobody_and_is_accepted(house: House) -> None:
    """A customer's name full of Slack's own signs shows as text on every card."""
    house.desk.customer = "<!channel> *b* <https://x.example|y> & " * 100
    thread_ts, card = await house.asked_for_approval()
    await house.card("C0DESK", "C-1", thread_ts)
    for message in [card, *house.slack.messages("C0DESK", thread_ts)]:
        if message.bot:
            assert "<!channel>" not in f"{message.text}{message.blocks}"
    assert not await house.outbox.unsent()


async def test_rights_that_cannot_be_checked_do_not_count(house: House) -> None:
    """While Slack does not say who somebody is, their decision is refused and said to be."""
    _, card = await house.asked_for_approval()
    house.slack.faults.refuse("users.info", "fatal_error", 20)
    await house.slack.click("U0WANG", "C0SUP", card.ts, label="批准 80.00 USD")
    await house.whisper("U0WANG", "查不到权限")
    assert house.desk.events[-1].kind == "answer"


async def test_a_workspace_that_never_tells_who_people_are(house: House) -> None:
    """Where users.info does not exist, the id that comes with the click is who it was; it is not waited for in vain."""
    _, card = await house.asked_for_approval()
    house.slack.faults.refuse("users.info", "unknown_method", 20)
    await house.slack.click("U0KIM", "C0SUP", card.ts, label="批准 80.00 USD")
    await house.slack.until(lambda: house.desk.events[-1].kind == "decision")
    assert house.desk.events[-1].actor.id == "U0KIM"


async def test_a_night_without_a_network(house: House) -> None:
    """What was said while the bot was cut off is worked off once the network is back."""
    await house.slack.offline()
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    await house.slack.online()
    await house.card("C0DESK", "还缺", thread_ts)


async def test_a_button_that_is_gone_cannot_be_pressed_again(house: House) -> None:
    """After an answer the question's buttons are gone."""
    thread_ts, _ = await house.asked_for_approval()
    question = await house.card("C0DESK", "李", thread_ts)
    await house.slack.until(lambda: not house.slack.buttons(house.slack.message("C0DESK", question.ts)))
    with pytest.raises(ActionRefused):
        await house.slack.click("U0LI", "C0DESK", question.ts, label="积分")


async def test_what_cannot_be_stored_is_not_acknowledged(tmp_path: Path, keys: Keys) -> None:
    """While Redis is away a click fails visibly and a message comes again; afterwards both count once."""
    async with RedisServer(tmp_path, appendfsync="always") as server:
        redis = connect(server.url)
        async with running(redis, keys) as house:
            thread_ts, card = await house.asked_for_approval()
            server.kill()
            receipt = await house.slack.click("U0WANG", "C0SUP", card.ts, label="批准 80.00 USD")
            assert not receipt.acked
            assert house.slack.warnings("U0WANG")
            await server.start()
            again = await house.slack.click("U0WANG", "C0SUP", card.ts, label="批准 80.00 USD")
            assert again.acked
            await house.card("C0DESK", "RA1", thread_ts)
            assert [event.kind for event in house.desk.events].count("decision") == 1
        await redis.aclose()


async def test_signed_requests(redis: Redis, keys: Keys, caplog: pytest.LogCaptureFixture) -> None:
    """Over HTTP the same works; a forged request is refused and its body is not logged."""
    async with running(redis, keys, http=True) as house:
        thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
        question = await house.card("C0DESK", "还缺", thread_ts)
        await house.slack.click("U0LI", "C0DESK", question.ts, label="填表单…")
        assert await house.slack.submit("U0LI", values={"amount": "x", "comp_type": "cash"})
        address = f"http://127.0.0.1:{house.settings.sopdesk_http_port}{PATH}"
        with caplog.at_level(logging.DEBUG):
            async with ClientSession() as session:
                forged = {"X-Slack-Signature": "v0=00", "X-Slack-Request-Timestamp": "1"}
                answer = await session.post(address, json={"secret": "622202"}, headers=forged)
        assert answer.status == 401
        assert "signature" in caplog.text
        assert "622202" not in caplog.text


async def test_what_the_environment_says_of_slack_reaches_bolt_through_the_settings_alone(
    redis: Redis, keys: Keys, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With the token, and even an OAuth client, in the environment Bolt warns of nothing and works as without."""
    for name in ("SLACK_BOT_TOKEN", "SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET"):
        monkeypatch.setenv(name, "of-another-app")
    async with running(redis, keys) as house:
        assert os.environ["SLACK_BOT_TOKEN"] == "of-another-app"
        thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 给 KL-778 补 80 美元")
        await house.card("C0DESK", "还缺", thread_ts)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_slow_click_is_confirmed_before_it_is_done(house: House) -> None:
    """Somebody whose click takes longer is told that it was received, where they clicked; then the result comes."""
    thread_ts, card = await house.asked_for_approval()
    house.desk.gate = asyncio.Event()
    await house.slack.click("U0KIM", "C0SUP", card.ts, label="批准 80.00 USD")
    received = await house.whisper("U0KIM", "Received")
    assert received.channel == "C0SUP"
    house.desk.gate.set()
    await house.card("C0DESK", "RA1", thread_ts)
