"""What only one person sees: ephemeral where they are, else a direct message."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from slack_sdk.web.async_client import AsyncWebClient

from blocks import Card
from bot.clicks import Origin
from bot.clients import SlackFailed, asked, read
from graph.failpoints import around

_NOT_THERE = (
    "channel_not_found",
    "is_archived",
    "messages_tab_disabled",
    "not_in_channel",
    "user_not_in_channel",
    "restricted_action",
)


class _Opened(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str


class _DirectAnswer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    channel: _Opened


class Private:
    """Says something to one person alone. May be said twice after a crash, never lost for good (design 7)."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client

    async def say(self, user: str, origin: Origin | None, card: Card) -> None:
        """Show the card at `origin`; where that cannot be, or without one, send it directly. Raises SlackFailed."""
        if origin is not None and origin.channel and not origin.channel.startswith("D"):
            try:
                saying = self._client.chat_postEphemeral(
                    channel=origin.channel,
                    user=user,
                    thread_ts=origin.thread_ts or None,
                    text=card.text,
                    blocks=card.blocks,
                )
                await around("message.private", asked(saying))
            except SlackFailed as error:
                if error.code not in _NOT_THERE:
                    raise
            else:
                return
        await asked(
            self._client.chat_postMessage(
                channel=await self.room(user),
                text=card.text,
                blocks=card.blocks,
                unfurl_links=False,
                unfurl_media=False,
            )
        )

    async def room(self, user: str) -> str:
        """The id of the direct message between a person and the bot. Raises SlackFailed."""
        return (await read(_DirectAnswer, self._client.conversations_open(users=[user]))).channel.id
