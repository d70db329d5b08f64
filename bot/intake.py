"""Slack's payloads -> events. Pure; whatever is not one of ours, or is malformed, is None, never an exception."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.plain import said
from graph.model import Actor, Event

_Id = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{1,40}$")]
_Stamp = Annotated[str, Field(pattern=r"^\d{1,10}\.\d{1,6}$")]
_OURS = (None, "file_share", "thread_broadcast")
_MENTION = re.compile(r"<@([A-Z][A-Z0-9]*)(?:\|[^<>]*)?>")


class _Payload(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", hide_input_in_errors=True)


class _Message(_Payload):
    type: str = Field(pattern="^(app_mention|message)$")
    user: _Id
    channel: _Id
    ts: _Stamp
    thread_ts: _Stamp | None = None
    text: str | None = None
    subtype: str | None = None
    bot_id: str | None = None
    edited: object = None
    channel_type: str | None = None


class _Callback(_Payload):
    team_id: _Id
    event_id: str = ""
    event: _Message


class Incoming(_Payload):
    """A message as an event. `dedupe` tells a redelivery beside the event's own id.

    `addressed`: the bot was named, or written to directly. Where it was not, the message counts only as a reply in
    a thread that has a case.
    """

    event: Event
    dedupe: tuple[str, ...]
    addressed: bool
    reply: bool


def thread_id(team: str, channel: str, ts: str) -> str:
    """The name of a thread for the engine."""
    return f"{team}:{channel}:{ts}"


def place_of(thread: str) -> tuple[str, str]:
    """Channel and timestamp of a thread. ValueError when the id is not one of ours."""
    _, channel, ts = thread.split(":")
    return channel, ts


def moment(ts: str) -> datetime:
    """Slack's timestamp as a time."""
    return datetime.fromtimestamp(float(ts), UTC)


def stub(user: str, team: str) -> Actor:
    """A person of whom only the id is known yet; `Directory.actor` completes it in the worker."""
    return Actor(id=user, name=user, team=team)


def message_of(body: Mapping[str, object], bot_user: str, now: datetime) -> Incoming | None:
    """The event of an `app_mention` or `message` delivery; None for edits, joins, bots and what is said to others.

    Slack sends a mention twice, as both kinds; both have the same channel and timestamp, hence the same event id.
    """
    try:
        callback = _Callback.model_validate(body)
    except ValidationError:
        return None
    message = callback.event
    if message.subtype not in _OURS or message.bot_id or message.edited or message.user == bot_user:
        return None
    text = message.text or ""
    mentioned = [found[1] for found in _MENTION.finditer(text)]
    named = message.type == "app_mention" or bot_user in mentioned
    direct = message.channel_type == "im"
    starts = _MENTION.match(text.lstrip())
    if starts is not None and not named:
        return None
    own = f"{callback.team_id}:{message.channel}:{message.ts}"
    event = Event(
        id=f"msg:{own}",
        thread=thread_id(callback.team_id, message.channel, message.thread_ts or message.ts),
        kind="message",
        actor=stub(message.user, callback.team_id),
        at=now,
        said_at=moment(message.ts),
        text=said(_without(text, bot_user)),
        mentioned=tuple(stub(user, callback.team_id) for user in dict.fromkeys(mentioned) if user != bot_user),
        addressed=named or direct,
    )
    return Incoming(
        event=event,
        dedupe=(f"delivery:{callback.event_id}",) if callback.event_id else (),
        addressed=named or direct,
        reply=message.thread_ts is not None and message.thread_ts != message.ts,
    )


def _without(text: str, bot_user: str) -> str:
    """The text without the bot's own mention; a comma or colon that follows it goes, too."""
    return re.sub(rf"<@{re.escape(bot_user)}(?:\|[^<>]*)?>[ \t]*[,:，：]?[ \t]*", "", text)
