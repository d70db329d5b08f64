"""Posts, edits and finds again the bot's own messages."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

from pydantic import BaseModel, ConfigDict
from slack_sdk.web.async_client import AsyncWebClient

from blocks import Card
from bot.clients import SlackFailed, asked, read
from bot.notice import Place
from bot.streaming import Reader, Streaming, broken_off
from graph.failpoints import around

EVENT_TYPE = "sopdesk_notice"
_GONE = ("message_not_found", "cant_update_message", "cant_delete_message", "edit_window_closed")
_TOO_MUCH = ("invalid_blocks", "invalid_blocks_format", "msg_too_long", "msg_blocks_too_long")
_PAGES, _PAGE = 10, 200
_log = logging.getLogger(__name__)


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Metadata(_Shape):
    event_type: str = ""
    event_payload: dict[str, object] = {}


class _Message(_Shape):
    ts: str
    text: str = ""
    bot_id: str | None = None
    metadata: _Metadata = _Metadata()


class _Cursor(_Shape):
    next_cursor: str | None = None


class _Messages(_Shape):
    messages: list[_Message] = []
    response_metadata: _Cursor | None = None


class _Posted(_Shape):
    ts: str


class Posting:
    """`posting` never repeats a call by itself, `asking` does: a post that seems to fail may stand in the channel."""

    def __init__(self, posting: AsyncWebClient, asking: AsyncWebClient) -> None:
        self._posting = posting
        self._asking = asking
        self._streaming = Streaming(posting, asking)

    async def post(
        self, channel: str, thread_ts: str | None, card: Card, notice_id: str, reader: Reader | None = None
    ) -> str:
        """Post a card and return its timestamp. Its metadata carries the notice's id. With a `reader`, its words are
        streamed where the workspace can. Raises SlackFailed."""
        if reader is not None and thread_ts is not None:
            streamed = await self._streaming.post(channel, thread_ts, reader, card, _metadata(notice_id))
            if streamed is not None:
                return streamed
        try:
            return await self._post(channel, thread_ts, card, notice_id)
        except SlackFailed as error:
            if error.code not in _TOO_MUCH:
                raise
            _log.error("Slack refused the blocks of notice %s (%s); less of it is posted", notice_id, error.code)
            return await self._post_less(channel, thread_ts, card, notice_id)

    async def _post_less(self, channel: str, thread_ts: str | None, card: Card, notice_id: str) -> str:
        """Without pictures, which Slack may not have made ready yet; without blocks where that does not help either."""
        plain = [block for block in card.blocks if block.get("type") != "image"]
        if 0 < len(plain) < len(card.blocks):
            try:
                return await self._post(channel, thread_ts, Card(text=card.text, blocks=plain), notice_id)
            except SlackFailed as error:
                if error.code not in _TOO_MUCH:
                    raise
        return await self._post(channel, thread_ts, Card(text=card.text, blocks=[]), notice_id)

    async def edit(self, place: Place, card: Card) -> bool:
        """Put a card in the place of an earlier one; False when that is no longer there. Raises SlackFailed."""
        try:
            editing = self._asking.chat_update(channel=place.channel, ts=place.ts, text=card.text, blocks=card.blocks)
            await around("message.edit", asked(editing))
        except SlackFailed as error:
            if error.code not in _GONE:
                raise
            return False
        return True

    async def delete(self, place: Place) -> None:
        """Take a message back; harmless when it is no longer there. Raises SlackFailed."""
        try:
            await around("message.delete", asked(self._asking.chat_delete(channel=place.channel, ts=place.ts)))
        except SlackFailed as error:
            if error.code not in _GONE:
                raise

    async def find(self, channel: str, thread_ts: str | None, notice_id: str) -> str | None:
        """The timestamp of our own post of a notice; None if it is not among the latest. Raises SlackFailed."""
        async for ts in self.all(channel, thread_ts, notice_id):
            return ts
        return None

    async def all(self, channel: str, thread_ts: str | None, notice_id: str) -> AsyncIterator[str]:
        """The timestamps of all our posts of a notice among the latest messages. Raises SlackFailed."""
        async for message in self._latest(channel, thread_ts):
            ours = message.metadata.event_type == EVENT_TYPE
            if ours and message.metadata.event_payload.get("id") == notice_id:
                yield message.ts

    async def clear(self, channel: str, thread_ts: str, card: Card) -> None:
        """Take away what a stream of this card left that nobody finished. Raises SlackFailed."""
        async for message in self._latest(channel, thread_ts):
            if message.bot_id and not message.metadata.event_type and broken_off(message.text, card):
                await self.delete(Place(channel=channel, ts=message.ts))

    async def _latest(self, channel: str, thread_ts: str | None) -> AsyncIterator[_Message]:
        cursor: str | None = None
        for _ in range(_PAGES):
            if thread_ts is None:
                call = self._asking.conversations_history(
                    channel=channel, limit=_PAGE, cursor=cursor, include_all_metadata=True
                )
            else:
                call = self._asking.conversations_replies(
                    channel=channel, ts=thread_ts, limit=_PAGE, cursor=cursor, include_all_metadata=True
                )
            page = await read(_Messages, call)
            for message in page.messages:
                yield message
            cursor = page.response_metadata.next_cursor if page.response_metadata else None
            if not cursor:
                return

    async def _post(self, channel: str, thread_ts: str | None, card: Card, notice_id: str) -> str:
        posting = self._posting.chat_postMessage(
            channel=channel,
            thread_ts=thread_ts,
            text=card.text,
            blocks=card.blocks or None,
            metadata=_metadata(notice_id),
            unfurl_links=False,
            unfurl_media=False,
        )
        return (await around("message.post", read(_Posted, posting))).ts


def _metadata(notice_id: str) -> dict[str, object]:
    return {"event_type": EVENT_TYPE, "event_payload": {"id": notice_id}}
