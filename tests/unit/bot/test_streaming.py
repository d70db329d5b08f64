"""Words that grow: streamed in pieces where the workspace can, whole where it cannot, never twice."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from blocks import Card, reply_card
from blocks.surroundings import Surroundings
from bot.clients import SlackFailed, asking_client, posting_client
from bot.posting import Posting
from bot.settings import Settings
from bot.streaming import Reader, broken_off, pieces_of
from deploy.local.workspace import Workspace
from graph.model import Reply, Text

WORDS = (
    "A trip that was missed through the merchant's fault is compensated. The amount depends on the order. "
    "Cash goes back to the card first; what is left is transferred by hand. Ask a lead when in doubt! Is that all? Yes."
)
READER = Reader("T0LOCAL", "U0LI")


class Channel(NamedTuple):
    """A thread in a workspace, and what posts there."""

    slack: Workspace
    posting: Posting
    thread: str


@pytest.fixture
async def place() -> AsyncIterator[Channel]:
    """A thread in a fresh workspace."""
    slack = Workspace()
    await slack.start()
    settings = Settings.model_validate({"slack_bot_token": "xoxb-local", "slack_api_url": slack.api_url})
    thread = await slack.say("U0LI", "C0DESK", "@sopdesk what about missed trips?")
    yield Channel(slack, Posting(posting_client(settings), asking_client(settings)), thread)
    await slack.stop()


@pytest.fixture
def answer() -> Card:
    """An answer in running words."""
    reply = Reply(kind="policy", to="U0LI", text=Text(zh=WORDS, en=WORDS), quote="compensated", prose=True)
    return reply_card(reply, None, Surroundings(), "en")


def named(slack: Workspace) -> list[str]:
    """The methods called, in order."""
    return [name for name, _ in slack.calls if name.startswith("chat.")]


async def test_words_come_in_pieces_and_end_as_their_card(place: Channel, answer: Card) -> None:
    """The message grows piece by piece, all of them the words, and is at last the card with the notice's id."""
    ts = await place.posting.post("C0DESK", place.thread, answer, "n1", READER)
    pieces = [args["markdown_text"] for name, args in place.slack.calls if name.endswith(("startStream", "appendStream"))]
    assert len(pieces) > 3
    assert "".join(pieces) == WORDS
    [posted] = [each for each in place.slack.messages("C0DESK", place.thread) if each.bot]
    assert (posted.ts, posted.text, posted.streaming) == (ts, answer.text, False)
    assert posted.blocks[0]["text"]["text"] == WORDS
    assert await place.posting.find("C0DESK", place.thread, "n1") == ts


@pytest.mark.parametrize("why", ["unknown_method", "not_allowed_token_type", "channel_type_not_supported"])
async def test_a_workspace_that_cannot_stream_gets_them_whole(place: Channel, answer: Card, why: str) -> None:
    """One post, and the next one does not ask again."""
    place.slack.faults.refuse("chat.startStream", why)
    await place.posting.post("C0DESK", place.thread, answer, "n1", READER)
    await place.posting.post("C0DESK", place.thread, answer, "n2", READER)
    assert named(place.slack) == ["chat.postMessage", "chat.postMessage"]


@pytest.mark.parametrize("method", ["chat.appendStream", "chat.stopStream"])
async def test_a_stream_that_breaks_off_is_taken_away(place: Channel, answer: Card, method: str) -> None:
    """The words come whole instead, and once."""
    place.slack.faults.refuse(method, "message_not_in_streaming_state")
    ts = await place.posting.post("C0DESK", place.thread, answer, "n1", READER)
    posted = [each for each in place.slack.messages("C0DESK", place.thread) if each.bot]
    assert [(each.ts, each.text) for each in posted] == [(ts, answer.text)]


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream", "chat.stopStream", "chat.update"])
async def test_what_nobody_finished_is_found_and_taken_away(place: Channel, answer: Card, method: str) -> None:
    """After a failure in which something may stand there, the next try clears it first or finds it finished."""
    place.slack.faults.fail_after(method, calls=9)
    with pytest.raises(SlackFailed) as told:
        await place.posting.post("C0DESK", place.thread, answer, "n1", READER)
    assert told.value.doubtful
    place.slack.faults.clear()
    found = await place.posting.find("C0DESK", place.thread, "n1")
    if found is None:
        await place.posting.clear("C0DESK", place.thread, answer)
        await place.posting.post("C0DESK", place.thread, answer, "n1", READER)
    assert len([each for each in place.slack.messages("C0DESK", place.thread) if each.bot]) == 1


async def test_clearing_leaves_everything_else(place: Channel, answer: Card) -> None:
    """Neither a person's words that begin alike nor a post that bears an id are taken away."""
    await place.slack.say("U0LI", "C0DESK", WORDS[:40], place.thread)
    await place.posting.post("C0DESK", place.thread, answer, "other")
    await place.posting.clear("C0DESK", place.thread, answer)
    assert len(place.slack.messages("C0DESK", place.thread)) == 3


def test_short_words_come_whole(answer: Card) -> None:
    """What is short has no pieces, and the beginning of long words is known as such."""
    assert pieces_of(Card(text="x", blocks=[{"type": "section", "text": {"type": "mrkdwn", "text": "Yes."}}])) == []
    assert pieces_of(Card(text="x", blocks=[{"type": "divider"}])) == []
    assert broken_off(WORDS[:50], answer)
    assert not broken_off("", answer)
    assert not broken_off(re.sub("trip", "tour", WORDS[:50]), answer)
