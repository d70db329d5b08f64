"""What happens in the workspace, told to the bot as Events API payloads."""

from .delivery import Dispatcher
from .faults import Faults
from .model import Channel, Json, Message
from .world import World


class Events:
    """Builds the events that Slack sends, if the app subscribed to them and the bot may see the place."""

    def __init__(self, world: World, dispatcher: Dispatcher, faults: Faults) -> None:
        self._faults = faults
        self._world = world
        self._dispatcher = dispatcher

    def posted(self, message: Message) -> None:
        """A new message: a message event, and app_mention too where it names the bot."""
        channel = self._world.channels[message.channel]
        event = self._message_event(message, channel)
        bot = self._world.seed.bot_user.id
        if f"<@{bot}>" in message.text and not channel.is_im and not message.bot:
            mention = {key: value for key, value in event.items() if key not in ("channel_type", "subtype", "root")}
            self._send("app_mention", channel, mention | {"type": "app_mention"})
        self._send(self._subscription(channel), channel, event)
        if self._faults.parent_changed and message.thread_ts and message.in_thread:
            parent = self._world.message(channel.id, message.thread_ts)
            if parent:
                self.changed(parent, self._world.message_json(parent))

    def changed(self, message: Message, previous: Json) -> None:
        """A message was edited, or Slack unfurled a link in it."""
        channel = self._world.channels[message.channel]
        self._hidden(channel, {
            "subtype": "message_changed", "message": self._world.message_json(message), "previous_message": previous,
        })

    def deleted(self, channel: Channel, previous: Json) -> None:
        """A message was deleted."""
        self._hidden(channel, {
            "subtype": "message_deleted", "previous_message": previous, "deleted_ts": previous["ts"],
        })

    def joined(self, channel: Channel, user: str, inviter: str | None) -> None:
        """Somebody, perhaps the bot, became a member."""
        event: Json = {
            "type": "member_joined_channel", "user": user, "channel": channel.id,
            "channel_type": "G" if channel.is_private else "C", "team": self._world.seed.team_id,
            "event_ts": self._world.new_ts(),
        }
        if inviter:
            event["inviter"] = inviter
        self._send("member_joined_channel", channel, event)

    def home_opened(self, user: str, tab: str, view: Json | None) -> None:
        """A person opened the bot's page."""
        channel = self._world.dm(user)
        event: Json = {"type": "app_home_opened", "user": user, "channel": channel.id, "tab": tab,
                       "event_ts": self._world.new_ts()}
        if view:
            event["view"] = view
        self._send("app_home_opened", channel, event)

    def _message_event(self, message: Message, channel: Channel) -> Json:
        event = self._world.message_json(message) | {
            "channel": channel.id, "channel_type": channel.kind, "event_ts": message.ts,
        }
        for key in ("reply_count", "reply_users", "reply_users_count", "latest_reply", "is_locked", "subscribed"):
            event.pop(key, None)
        parent = self._world.message(channel.id, message.thread_ts) if message.thread_ts else None
        if message.subtype == "thread_broadcast" and parent:
            event["root"] = self._world.message_json(parent)
        return event

    def _hidden(self, channel: Channel, change: Json) -> None:
        ts = self._world.new_ts()
        event: Json = {"type": "message", "hidden": True, "channel": channel.id, "ts": ts, "event_ts": ts,
                       "channel_type": channel.kind}
        self._send(self._subscription(channel), channel, event | change)

    @staticmethod
    def _subscription(channel: Channel) -> str:
        return {"channel": "message.channels", "group": "message.groups", "im": "message.im"}[channel.kind]

    def _send(self, subscription: str, channel: Channel, event: Json) -> None:
        if subscription in self._world.seed.events and self._world.bot_in(channel):
            self._dispatcher.event(self.envelope(event))

    def envelope(self, event: Json) -> Json:
        """The outer event, as it arrives in both modes."""
        seed = self._world.seed
        return {
            "token": seed.verification_token, "team_id": seed.team_id, "context_team_id": seed.team_id,
            "context_enterprise_id": None, "api_app_id": seed.app_id, "event": event, "type": "event_callback",
            "event_id": self._world.new_id("Ev0"), "event_time": int(self._world.clock()),
            "authorizations": [{
                "enterprise_id": None, "team_id": seed.team_id, "user_id": seed.bot_user.id, "is_bot": True,
                "is_enterprise_install": False,
            }],
            "is_ext_shared_channel": False, "event_context": "4-" + self._world.new_id("ctx"),
        }
