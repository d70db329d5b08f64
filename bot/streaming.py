"""Running words grow before the reader's eyes where the workspace can do it; where it cannot, they come whole.

What is streamed has been checked as a whole before (law 5: nodes never post). The message gets its metadata only at the
end, so one that was broken off is known by bearing none, and by its words being the beginning of those to be said.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict
from slack_sdk.web.async_client import AsyncWebClient

from blocks import Card
from bot.clients import SlackFailed, asked, read
from graph.failpoints import around

_WORTH: Final = 60
"""Characters; what is shorter comes whole."""
_PIECES: Final = 8
_LONGEST: Final = 3_000
_SENTENCE: Final = re.compile(r"(?<=[。！？；\n])|(?<=[.!?;]\s)")
_AGAIN_SECONDS: Final = 600.0
"""Before a workspace that could not stream is asked again."""
_log = logging.getLogger(__name__)


class Reader(NamedTuple):
    """For whom words are streamed: Slack wants to know in a channel."""

    team: str
    user: str


class _Started(BaseModel):
    model_config = ConfigDict(extra="ignore")

    ts: str


class Streaming:
    """Streams a card's words into a thread and leaves the card in their place. Nothing that adds words is repeated: what
    was broken off is known by its words."""

    def __init__(
        self, posting: AsyncWebClient, asking: AsyncWebClient, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._posting = posting
        self._asking = asking
        self._clock = clock
        self._not_before = 0.0

    async def post(
        self, channel: str, thread_ts: str, reader: Reader, card: Card, metadata: dict[str, object]
    ) -> str | None:
        """The timestamp of the finished message; None, with nothing left behind, where the words must come whole.
        Raises SlackFailed, `doubtful` where something may stand there."""
        pieces = pieces_of(card)
        if not pieces or self._clock() < self._not_before:
            return None
        ts = await self._start(channel, thread_ts, reader, pieces[0])
        if ts is None:
            return None
        try:
            for piece in pieces[1:]:
                await asked(self._posting.chat_appendStream(channel=channel, ts=ts, markdown_text=piece))
            stopping = self._posting.chat_stopStream(channel=channel, ts=ts, metadata=metadata)
            await around("message.stream", asked(stopping))
            await asked(
                self._asking.chat_update(channel=channel, ts=ts, text=card.text, blocks=card.blocks, metadata=metadata)
            )
        except SlackFailed as error:
            if error.doubtful or error.retry_after is not None:
                raise SlackFailed(error.code, doubtful=True) from error
            _log.warning("a stream broke off (%s); its words come whole", error.code)
            await asked(self._asking.chat_delete(channel=channel, ts=ts))
            return None
        return ts

    async def _start(self, channel: str, thread_ts: str, reader: Reader, first: str) -> str | None:
        starting = self._posting.chat_startStream(
            channel=channel,
            thread_ts=thread_ts,
            markdown_text=first,
            recipient_team_id=reader.team,
            recipient_user_id=reader.user,
        )
        try:
            return (await around("message.post", read(_Started, starting))).ts
        except SlackFailed as error:
            if error.doubtful or error.retry_after is not None:
                raise
            self._not_before = self._clock() + _AGAIN_SECONDS
            _log.info("this workspace does not stream (%s); words come whole", error.code)
            return None


def pieces_of(card: Card) -> list[str]:
    """The words of a card's sections, in pieces that end with sentences; none where they are short."""
    texts = [block.get("text") for block in card.blocks if block.get("type") == "section"]
    words = "\n".join(str(text.get("text", "")) for text in texts if isinstance(text, dict))[:_LONGEST]
    if len(words) < _WORTH:
        return []
    sentences = [each for each in _SENTENCE.split(words) if each]
    size = -(-len(sentences) // _PIECES)
    return ["".join(sentences[start : start + size]) for start in range(0, len(sentences), size)]


def broken_off(words: str, card: Card) -> bool:
    """Whether a message without metadata is a stream of this card that nobody finished."""
    return bool(words) and "".join(pieces_of(card)).startswith(words)
