"""The state of the workspace, and the one signal that it has changed."""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from .errors import ApiError
from .model import Channel, Group, Json, Message, Upload, User, View
from .seed import Seed

T = TypeVar("T")
TRIGGER_SECONDS = 3.0
RESPONSE_URL_SECONDS = 30 * 60
RESPONSE_URL_USES = 5
SLACKBOT = User("USLACKBOT", "slackbot", "Slackbot", is_bot=True)


@dataclass
class Trigger:
    """The right to open one form for one person, for three seconds, once."""

    user: str
    expires: float
    view: str | None = None
    used: bool = False


@dataclass
class ResponseUrl:
    """The right to answer an interaction five times within half an hour."""

    channel: str
    user: str
    expires: float
    ts: str | None = None
    uses_left: int = RESPONSE_URL_USES


@dataclass(frozen=True)
class Trouble:
    """What Slack tells a person whose click or command the app did not answer."""

    user: str
    text: str
    at: str


@dataclass
class World:
    """Everything that exists in one workspace."""

    seed: Seed
    base_url: str = ""
    clock: Callable[[], float] = time.time
    messages: dict[str, list[Message]] = field(default_factory=dict)
    ephemerals: list[Message] = field(default_factory=list)
    views: dict[str, View] = field(default_factory=dict)
    stacks: dict[str, list[str]] = field(default_factory=dict)
    homes: dict[str, View] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    response_urls: dict[str, ResponseUrl] = field(default_factory=dict)
    uploads: dict[str, Upload] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    picked: dict[tuple[str, str], dict[str, dict[str, Json]]] = field(default_factory=dict)
    """What a person has picked in a message's menus, by (person, ts); it goes along as `state`."""
    version: int = 0
    _last_ts: int = 0

    def __post_init__(self) -> None:
        everyone = [*self.seed.users, self.seed.bot_user, SLACKBOT]
        self.users: dict[str, User] = {user.id: user for user in everyone}
        self.groups: dict[str, Group] = {group.id: group for group in self.seed.groups}
        self.channels: dict[str, Channel] = {channel.id: channel for channel in self.seed.channels}
        self._change = asyncio.Event()

    # -- change ---------------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Wake everyone who waits for a change."""
        self.version += 1
        self._change.set()
        self._change = asyncio.Event()

    async def next_change(self) -> None:
        """Return at the next change."""
        await self._change.wait()

    async def until(self, predicate: Callable[[], T], timeout: float = 5.0) -> T:
        """The first truthy result of `predicate`, tried now and after each change; TimeoutError after `timeout` s."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        while True:
            change = self._change
            if result := predicate():
                return result
            try:
                await asyncio.wait_for(change.wait(), max(0.0, deadline - loop.time()))
            except TimeoutError:
                raise TimeoutError(
                    f"not within {timeout} s; the last messages: {self._latest() or 'none'}"
                ) from None

    def _latest(self) -> str:
        every = sorted((m for messages in self.messages.values() for m in messages), key=lambda m: m.ts)
        return " | ".join(f"{m.user} in {m.channel}: {m.text[:80]}" for m in every[-4:])

    # -- ids ------------------------------------------------------------------------------------------------------

    def new_ts(self) -> str:
        """A timestamp that is larger than every earlier one."""
        self._last_ts = max(self._last_ts + 1, int(self.clock() * 1_000_000))
        return f"{self._last_ts // 1_000_000}.{self._last_ts % 1_000_000:06d}"

    @staticmethod
    def new_id(prefix: str) -> str:
        """A fresh id in Slack's style."""
        return prefix + secrets.token_hex(5).upper()

    def new_trigger(self, user: str, view: str | None = None) -> str:
        """A trigger id for this person, good for three seconds."""
        key = f"{time.time_ns() // 1_000_000}.{secrets.randbelow(10**10)}.{secrets.token_hex(16)}"
        self.triggers[key] = Trigger(user, time.monotonic() + TRIGGER_SECONDS, view)
        return key

    def use_trigger(self, key: str) -> Trigger:
        """Spend a trigger id; ApiError if it is unknown, spent or too old."""
        trigger = self.triggers.get(key)
        if trigger is None:
            raise ApiError("invalid_trigger_id", ["unknown trigger_id [json-pointer:/trigger_id]"])
        if trigger.used:
            raise ApiError("exchanged_trigger_id", ["a trigger_id is good for one form [json-pointer:/trigger_id]"])
        if time.monotonic() > trigger.expires:
            raise ApiError("expired_trigger_id", [f"a trigger_id is good for {TRIGGER_SECONDS:g} s"])
        trigger.used = True
        return trigger

    def expire_triggers(self) -> None:
        """Let every trigger id run out now."""
        for trigger in self.triggers.values():
            trigger.expires = 0.0

    def new_response_url(self, channel: str, user: str, ts: str | None) -> str:
        """An address that takes five answers within half an hour."""
        key = secrets.token_hex(12)
        self.response_urls[key] = ResponseUrl(channel, user, time.monotonic() + RESPONSE_URL_SECONDS, ts)
        return f"{self.base_url}/actions/{self.seed.team_id}/{key}"

    # -- channels and messages ------------------------------------------------------------------------------------

    def bot_in(self, channel: Channel) -> bool:
        """True if the bot is a member."""
        return self.seed.bot_user.id in channel.members

    def dm(self, user: str) -> Channel:
        """The direct message between a person and the bot, made on demand."""
        if user not in self.users:
            raise ApiError("user_not_found")
        key = "D0" + user.removeprefix("U0")
        if key not in self.channels:
            self.channels[key] = Channel(key, "directmessage", {user, self.seed.bot_user.id}, is_im=True)
            self.changed()
        return self.channels[key]

    def message(self, channel: str, ts: str) -> Message | None:
        """The message, or None."""
        return next((m for m in self.messages.get(channel, ()) if m.ts == ts), None)

    def thread(self, channel: str, thread_ts: str) -> list[Message]:
        """Parent and replies, oldest first."""
        return [m for m in self.messages.get(channel, ()) if thread_ts in (m.ts, m.thread_ts)]

    def replies(self, parent: Message) -> list[Message]:
        """The replies of a message."""
        return [m for m in self.messages.get(parent.channel, ()) if m.thread_ts == parent.ts and m.ts != parent.ts]

    def add(self, message: Message) -> Message:
        """Store a message at the end of its channel."""
        self.messages.setdefault(message.channel, []).append(message)
        self.changed()
        return message

    def warn(self, user: str, text: str) -> None:
        """Tell a person that the app did not answer."""
        self.troubles.append(Trouble(user, text, self.new_ts()))
        self.changed()

    def open_views(self, user: str) -> list[View]:
        """The person's modals, the visible one last."""
        return [self.views[key] for key in self.stacks.get(user, ())]

    def message_json(self, message: Message, with_metadata: bool = True) -> Json:
        """The message object of events, history and interaction payloads."""
        seed = self.seed
        out: Json = {"type": "message", "user": message.user, "text": message.text, "ts": message.ts,
                     "team": seed.team_id}
        if message.subtype:
            out["subtype"] = message.subtype
        if message.client_msg_id:
            out["client_msg_id"] = message.client_msg_id
        if message.bot:
            out |= {"bot_id": seed.bot_id, "app_id": seed.app_id, "bot_profile": self.bot_json()}
        for key in ("blocks", "attachments", "files", "edited"):
            if value := getattr(message, key):
                out[key] = value
        if message.metadata and with_metadata:
            out["metadata"] = message.metadata
        if message.reactions:
            out["reactions"] = [{"name": n, "users": u, "count": len(u)} for n, u in message.reactions.items()]
        return out | self._thread_json(message)

    def _thread_json(self, message: Message) -> Json:
        if message.in_thread:
            parent = self.message(message.channel, str(message.thread_ts))
            return {"thread_ts": message.thread_ts, "parent_user_id": parent.user if parent else None}
        replies = self.replies(message)
        if not replies:
            return {}
        users = _unique(reply.user for reply in replies)
        return {"thread_ts": message.ts, "reply_count": len(replies), "reply_users_count": len(users),
                "latest_reply": replies[-1].ts, "reply_users": users, "is_locked": False, "subscribed": True}

    def bot_json(self) -> Json:
        """The bot object of bots.info and bot_profile."""
        seed = self.seed
        return {"id": seed.bot_id, "deleted": False, "name": seed.bot_user.name, "updated": 0, "app_id": seed.app_id,
                "user_id": seed.bot_user.id, "icons": {}, "team_id": seed.team_id}


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
