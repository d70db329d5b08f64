"""Slack's channels: found by name or id, and the addresses of messages in them."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable

from pydantic import BaseModel, ConfigDict
from slack_sdk.web.async_client import AsyncWebClient

from bot.clients import SlackFailed, read
from graph.errors import SopdeskError

_ID = re.compile(r"^[CG][A-Z0-9]{3,}$")
_PAGE = 200
MISSING_FOR = 60.0
"""Seconds for which a channel that was not found is not looked for again: each look lists all channels."""
_LINKS_KEPT = 5000


class ChannelUnknown(SopdeskError):
    """A channel does not exist or is hidden from the bot."""


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Channel(_Answer):
    """A channel as Slack lists it."""

    id: str
    name: str = ""
    is_member: bool = False
    is_private: bool = False
    is_archived: bool = False


class _ChannelAnswer(_Answer):
    channel: Channel


class _Cursor(_Answer):
    next_cursor: str = ""


class _ChannelsAnswer(_Answer):
    channels: list[Channel] = []
    response_metadata: _Cursor = _Cursor()


class _MembersAnswer(_Answer):
    members: list[str] = []
    response_metadata: _Cursor = _Cursor()


class _LinkAnswer(_Answer):
    permalink: str


class Channels:
    """Looks channels up and remembers them until told to forget."""

    def __init__(self, client: AsyncWebClient, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._clock = clock
        self._missing: dict[str, float] = {}
        self._known: dict[str, Channel] = {}
        self._links: dict[tuple[str, str], str] = {}
        self._asking = asyncio.Lock()

    async def find(self, name_or_id: str) -> Channel:
        """A channel by its id or its name, with or without `#`. Raises ChannelUnknown, SlackFailed."""
        name = name_or_id.removeprefix("#")
        async with self._asking:
            if name not in self._known and self._clock() >= self._missing.get(name, 0.0):
                self._missing.pop(name, None)
                await (self._look_up(name) if _ID.match(name) else self._list())
        if name not in self._known:
            self._missing.setdefault(name, self._clock() + MISSING_FOR)
            raise ChannelUnknown(
                f"the channel {name_or_id!r} does not exist, or it is private and the bot is not in it; "
                "create it and invite the bot, or correct `channel` in approvals.yaml"
            )
        return self._known[name]

    def forget(self, name_or_id: str) -> None:
        """Ask Slack again next time: the channel was renamed or archived, or the bot came in or went out."""
        name = name_or_id.removeprefix("#")
        self._known = {key: kept for key, kept in self._known.items() if name not in (key, kept.id, kept.name)}

    async def permalink(self, channel: str, ts: str) -> str | None:
        """The address of a message, which never changes; None when Slack gives none now."""
        key = (channel, ts)
        if key not in self._links:
            try:
                answer = await read(_LinkAnswer, self._client.chat_getPermalink(channel=channel, message_ts=ts))
            except SlackFailed:
                return None
            if len(self._links) >= _LINKS_KEPT:
                self._links.clear()
            self._links[key] = answer.permalink
        return self._links[key]

    async def joined(self) -> list[Channel]:
        """The channels in which the bot is, by name. Asked anew each time. Raises SlackFailed."""
        async with self._asking:
            await self._list()
        return sorted({each for each in self._known.values() if each.is_member}, key=lambda each: each.name)

    async def has_member(self, channel: str, user: str) -> bool:
        """Whether a person is in a channel. Asked anew each time. Raises SlackFailed."""
        cursor: str | None = None
        while True:
            page = await read(
                _MembersAnswer, self._client.conversations_members(channel=channel, limit=_PAGE, cursor=cursor)
            )
            if user in page.members:
                return True
            cursor = page.response_metadata.next_cursor or None
            if cursor is None:
                return False

    async def _look_up(self, channel: str) -> None:
        try:
            answer = await read(_ChannelAnswer, self._client.conversations_info(channel=channel))
        except SlackFailed as error:
            if error.code == "channel_not_found":
                return
            raise
        self._keep(answer.channel)

    async def _list(self) -> None:
        cursor: str | None = None
        while True:
            page = await read(
                _ChannelsAnswer,
                self._client.conversations_list(
                    types="public_channel,private_channel", exclude_archived=True, limit=_PAGE, cursor=cursor
                ),
            )
            for channel in page.channels:
                self._keep(channel)
            cursor = page.response_metadata.next_cursor or None
            if cursor is None:
                return

    def _keep(self, channel: Channel) -> None:
        self._known[channel.id] = channel
        if channel.name:
            self._known[channel.name] = channel
