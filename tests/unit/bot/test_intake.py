"""Slack's messages as events."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.intake import Incoming, message_of, place_of
from bot.plain import shown

NOW = datetime(2026, 3, 1, 6, 0, tzinfo=UTC)
BOT = "U0BOT"


def body(event: dict[str, object], event_id: str = "Ev1") -> dict[str, object]:
    """A delivery of the Events API."""
    base = {"type": "message", "user": "U0LI", "channel": "C0DESK", "ts": "1700000000.000100", "text": "hi"}
    return {"type": "event_callback", "team_id": "T1", "event_id": event_id, "event": base | event}


def taken(event_id: str = "Ev1", **event: object) -> Incoming:
    """The message that these keys make, which must be one of ours."""
    found = message_of(body(event, event_id), BOT, NOW)
    assert found is not None
    return found


def test_a_mention_and_its_message_are_one_event() -> None:
    """Both deliveries of one mention have the same event id and thread, and the bot's name is gone from the text."""
    one = taken(type="app_mention", event_id="Ev1", text="<@U0BOT> 给 KL-778 补 80 美元现金")
    two = taken(type="message", event_id="Ev2", text="<@U0BOT> 给 KL-778 补 80 美元现金")
    assert one.event == two.event
    assert one.event.thread == "T1:C0DESK:1700000000.000100"
    assert one.event.text == "给 KL-778 补 80 美元现金"
    assert one.addressed
    assert two.addressed
    assert (one.dedupe, two.dedupe) == (("delivery:Ev1",), ("delivery:Ev2",))


def test_a_reply_belongs_to_its_thread() -> None:
    """A reply carries the id of the thread's first message, and the time Slack gave it."""
    reply = taken(thread_ts="1700000000.000100", ts="1700000060.000200")
    assert reply.event.thread == "T1:C0DESK:1700000000.000100"
    assert reply.reply
    assert not reply.addressed
    assert reply.event.said_at == datetime.fromtimestamp(1700000060.0002, UTC)
    assert place_of(reply.event.thread) == ("C0DESK", "1700000000.000100")


@pytest.mark.parametrize("subtype", ["file_share", "thread_broadcast"])
def test_a_screenshot_or_a_broadcast_is_an_answer(subtype: str) -> None:
    """Text that comes with a file, or is also sent to the channel, counts."""
    assert taken(subtype=subtype, text="现金").event.text == "现金"


@pytest.mark.parametrize(
    "event",
    [
        {"subtype": "message_changed"},
        {"subtype": "channel_join"},
        {"subtype": "message_deleted"},
        {"bot_id": "B1"},
        {"subtype": "bot_message"},
        {"user": BOT},
        {"edited": {"user": "U0LI", "ts": "1.0"}},
    ],
)
def test_edits_joins_and_bots_are_not_ours(event: dict[str, object]) -> None:
    """What Slack sends along without a person having said something new is left alone."""
    assert message_of(body(event), BOT, NOW) is None


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("<@U0EMMA> can you look?", False),
        ("  <@U0EMMA|emma> can you look?", False),
        ("<@U0EMMA> <@U0BOT> facts", True),
        ("ask <@U0EMMA> about it", True),
    ],
)
def test_a_reply_to_somebody_else_is_not_ours(text: str, ours: bool) -> None:
    """A reply that opens by naming another person, and not the bot, is between those two."""
    assert (message_of(body({"text": text, "thread_ts": "1700000000.000001"}), BOT, NOW) is not None) is ours


def test_a_direct_message_needs_no_mention() -> None:
    """What is written to the bot directly is addressed to it."""
    assert taken(channel="D0LI", channel_type="im").addressed


def test_slacks_markup_becomes_words() -> None:
    """Links show their label, mentions stay readable, and entities are undone once."""
    text = "<@U0BOT>: <@U0EMMA> &lt;b&gt; &amp;lt; <https://x.example|KL-778> <!channel> <#C1|random> 3 &amp; 4"
    assert taken(text=text).event.text == "@U0EMMA <b> &lt; KL-778 @channel #random 3 & 4"


def test_a_card_as_plain_words() -> None:
    """Bold, links, dates and mentions read as words; a sum with a star in it stays."""
    card = "*80.00 USD* <https://x.example|KL-778> <!date^1^{time}|06:00> &lt;@all&gt; 2*3 = 6"
    assert shown(card) == "80.00 USD KL-778 06:00 <@all> 2*3 = 6"


WORDS = st.sampled_from(["", "message", "U0LI", "C0DESK", "D1", "1700000000.000100", "1.", "<@U0BOT>", "<@", "im", "\0"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)


@given(
    st.dictionaries(st.sampled_from(["team_id", "event_id", "event", "type"]), JSON),
    st.dictionaries(
        st.sampled_from(["type", "user", "channel", "ts", "thread_ts", "text", "subtype", "bot_id", "channel_type"]), JSON
    ),
)
def test_no_payload_raises(outer: dict[str, object], event: dict[str, object]) -> None:
    """Whatever keys are missing or of another type, the answer is an event or None."""
    message_of(outer, BOT, NOW)
    found = message_of(body(event), BOT, NOW)
    assert found is None or found.event.thread.startswith("T1:")
