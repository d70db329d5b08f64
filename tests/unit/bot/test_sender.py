"""Posting: once, in order, whatever Slack answers."""

from __future__ import annotations

from redis.asyncio import Redis

from deploy.local.workspace import Seed
from graph.store.keys import Keys
from tests.parts.processes import eventually
from tests.unit.bot.conftest import House, running


def bots(house: House, thread_ts: str) -> list[str]:
    """What the bot has posted in a thread, as text."""
    return [house.slack.text(message) for message in house.slack.messages("C0DESK", thread_ts) if message.bot]


async def test_a_rate_limit_loses_nothing_and_keeps_the_order(house: House) -> None:
    """After a 429 both cards come, the case card first."""
    house.slack.faults.rate_limit("chat.postMessage", 1, retry_after=1)
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    await house.card("C0DESK", "还缺", thread_ts)
    first, second = bots(house, thread_ts)
    assert "C-1" in first
    assert "还缺" in second


async def test_a_post_that_only_seemed_to_fail_is_found_again(house: House) -> None:
    """Slack posts and then answers 500, or cuts the line: the card stands once, and its buttons work."""
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    question = await house.card("C0DESK", "还缺", thread_ts)
    house.slack.faults.fail_after("chat.postMessage", 1, 500)
    await house.slack.click("U0LI", "C0DESK", question.ts, label="现金")
    card = await house.card("C0SUP", "批准 80.00 USD")
    house.slack.faults.fail_after("chat.postMessage", 1, None)
    await house.slack.click("U0WANG", "C0SUP", card.ts, label="批准 80.00 USD")
    await house.card("C0DESK", "RA1", thread_ts)
    await house.slack.until(lambda: not house.slack.buttons(house.slack.message("C0SUP", card.ts)))
    # A later reply in the same thread shows that nothing is left to be posted before it.
    await house.slack.say("U0LI", "C0DESK", "help", thread_ts)
    await house.card("C0DESK", "@", thread_ts)
    await house.slack.until(lambda: len(bots(house, thread_ts)) == 4)
    assert len([message for message in house.slack.messages("C0SUP") if message.bot]) == 1
    assert len([words for words in bots(house, thread_ts) if "RA1" in words]) == 1


async def test_blocks_that_slack_refuses_leave_the_text(house: House) -> None:
    """A card whose blocks are refused is posted as its text alone, so nobody waits for nothing."""
    house.slack.faults.refuse("chat.postMessage", "invalid_blocks", 1)
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    await house.card("C0DESK", "还缺", thread_ts)
    assert "C-1" in bots(house, thread_ts)[0]


async def test_a_card_that_was_deleted_is_posted_again(house: House) -> None:
    """An edit of a card that somebody deleted becomes a new card."""
    thread_ts = await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
    question = await house.card("C0DESK", "还缺", thread_ts)
    card = await house.card("C0DESK", "更正…", thread_ts)
    house.slack.world.messages["C0DESK"].remove(card)
    await house.slack.click("U0LI", "C0DESK", question.ts, label="现金")
    again = await house.card("C0DESK", "更正…", thread_ts)
    assert again.ts > question.ts


async def test_the_case_card_links_to_the_request(house: House) -> None:
    """Once the approval card stands in its channel the case card leads to it."""
    thread_ts, card = await house.asked_for_approval()
    address = house.slack.permalink(house.slack.message("C0SUP", card.ts))
    await house.slack.until(
        lambda: any(address in str(message.blocks) for message in house.slack.messages("C0DESK", thread_ts))
    )


async def test_a_level_whose_channel_is_missing_is_said_by_name(redis: Redis, keys: Keys) -> None:
    """The thread is told which channel cannot be reached, the card stands there, and it can be decided on."""
    seed = Seed()
    seed = Seed(channels=[channel for channel in seed.channels if channel.id != "C0SUP"])
    async with running(redis, keys, seed) as house:
        thread_ts, card = await house.asked_for_approval("C0DESK")
        told = await house.card("C0DESK", "approvals-supervisor", thread_ts)
        assert "主管" in house.slack.text(told)
        await house.slack.click("U0WANG", "C0DESK", card.ts, label="批准 80.00 USD")
        await house.card("C0DESK", "RA1", thread_ts)


async def test_a_channel_without_the_bot_is_said_by_name(redis: Redis, keys: Keys) -> None:
    """The same where the channel is there and the bot was not invited; invited, it is used again."""
    seed = Seed()
    for channel in seed.channels:
        if channel.id == "C0SUP":
            channel.members.discard("U0BOT")
    async with running(redis, keys, seed) as house:
        thread_ts, _ = await house.asked_for_approval("C0DESK")
        await house.card("C0DESK", "不在里面", thread_ts)
        await house.slack.invite("C0SUP", "U0BOT")
        await house.asked_for_approval("C0SUP")


async def test_a_sender_that_stops_leaves_its_post_in_doubt(redis: Redis, keys: Keys) -> None:
    """A post that does not end in time is left to others, who wait until it can no longer arrive and then look for it."""
    async with running(redis, keys) as house:
        house.edge.sender._grace = 0.1
        house.slack.faults.delay("chat.postMessage", 3, channel="C0DESK")
        await house.slack.say("U0LI", "C0DESK", "@sopdesk 补偿")
        await eventually(lambda: not house.slack.faults.api)
    [destination] = await redis.hkeys(keys.marks("sendable"))
    assert await redis.hget(keys.marks("sendable"), str(destination)) == "later"
    [first, *_] = await redis.lrange(keys.outbox(str(destination)), 0, -1)
    assert await redis.hmget(keys.notice(str(first)), ["doubt", "flying", "tries"]) == ["1", None, "0"]
