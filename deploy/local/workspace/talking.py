"""People talk: messages, edits, files, invitations, commands and shortcuts."""

import uuid

from .core import Core
from .delivery import Receipt
from .errors import ActionRefused, ApiError
from .escaping import escape, typed
from .limits import require_message
from .model import Channel, Json, Message
from .world import SLACKBOT


class Talking(Core):
    """What a person can do without pressing anything the bot made."""

    async def say(
        self, user: str, channel: str, text: str, thread_ts: str | None = None, *,
        files: list[Json] | None = None, broadcast: bool = False, raw: bool = False,
    ) -> str:
        """Type a message and send it; returns its ts. Events go out in the background.

        `channel` may be the bot's user id for the direct message with it. `files` are file objects (name,
        mimetype) and make the message a `file_share`; `broadcast` sends a reply to the channel as well. `raw`
        takes `text` as already escaped. ActionRefused if the person is not in the channel.
        """
        place = self._room(user, channel)
        if place.is_archived:
            raise ActionRefused(f"#{place.name} is archived")
        if thread_ts is not None:
            parent = self.world.message(place.id, thread_ts)
            if parent is None:
                raise ActionRefused(f"there is no message {thread_ts} in {place.id} to reply to")
            thread_ts = parent.thread_ts or parent.ts
        if broadcast and thread_ts is None:
            raise ActionRefused("only a reply can be sent to the channel as well")
        stored = text if raw else typed(text, self.world.users, self.world.channels)
        shared = [self._file(user, file) for file in files or []]
        message = Message(
            self.world.new_ts(), place.id, user, stored, thread_ts=thread_ts, files=shared,
            subtype="file_share" if shared else "thread_broadcast" if broadcast else None,
            client_msg_id=str(uuid.uuid4()),
        )
        if stored:
            message.blocks = [_rich_text(text)]
        self.world.add(message)
        self.events.posted(message)
        return message.ts

    async def edit(self, user: str, channel: str, ts: str, text: str) -> None:
        """Edit one's own message."""
        message = self._own(user, channel, ts)
        previous = self.world.message_json(message)
        message.text = typed(text, self.world.users, self.world.channels)
        message.blocks = [_rich_text(text)]
        message.edited = {"user": user, "ts": self.world.new_ts()}
        self.world.changed()
        self.events.changed(message, previous)

    async def delete(self, user: str, channel: str, ts: str) -> None:
        """Delete one's own message."""
        message = self._own(user, channel, ts)
        self.world.messages[message.channel].remove(message)
        self.world.changed()
        self.events.deleted(self.world.channels[message.channel], self.world.message_json(message))

    async def unfurl(self, channel: str, ts: str, url: str = "https://example.com/") -> None:
        """Slack unfurls a link in the message: an attachment appears and message_changed is sent."""
        message = self.world.message(channel, ts)
        if message is None:
            raise ActionRefused(f"there is no message {ts} in {channel}")
        previous = self.world.message_json(message)
        message.attachments.append({"id": 1, "from_url": url, "title": url, "fallback": url})
        self.world.changed()
        self.events.changed(message, previous)

    async def invite(self, channel: str, user: str, by: str | None = None) -> None:
        """Make somebody, or the bot, a member."""
        place = self.world.channels[channel]
        place.members.add(user)
        self.world.changed()
        self.events.joined(place, user, by)

    async def open_home(self, user: str, tab: str = "home") -> None:
        """Open the bot's App Home (or its Messages tab)."""
        self._person(user)
        home = self.world.homes.get(user)
        self.events.home_opened(user, tab, self.forms.as_json(home) if home and tab == "home" else None)

    async def slash(
        self, user: str, channel: str, command: str, text: str = "", *, thread_ts: str | None = None
    ) -> Receipt:
        """Type a slash command. In a thread it is refused, with Slack's words; so is one that no app has."""
        place = self._room(user, channel)
        if thread_ts is not None:
            raise ActionRefused(f"{command} is not supported in threads. Sorry!")
        seed = self.world.seed
        if command not in seed.commands:
            raise ActionRefused(f"{command} is not a valid command. Available: {', '.join(seed.commands)}")
        payload: Json = {
            "token": seed.verification_token, "team_id": seed.team_id, "team_domain": seed.team_domain,
            "channel_id": place.id, "channel_name": "directmessage" if place.is_im else place.name, "user_id": user,
            "user_name": self._person(user).name, "command": command,
            "text": typed(text, self.world.users, self.world.channels),
            "api_app_id": seed.app_id, "is_enterprise_install": "false",
            "response_url": self.world.new_response_url(place.id, user, None),
            "trigger_id": self.world.new_trigger(user),
        }
        receipt = await self.dispatcher.interact("slash_commands", payload, accepts_response=True)
        if not receipt.acked:
            self._private(place, user, f'`{command}` failed with the error "operation_timeout"', SLACKBOT.id)
        elif receipt.response:
            body = {"text": receipt.response} if isinstance(receipt.response, str) else receipt.response
            self._command_answer(place, user, body)
        return receipt

    async def message_shortcut(self, user: str, callback_id: str, channel: str, ts: str) -> Receipt:
        """Choose a message shortcut of the bot."""
        place, message = self._room(user, channel), self._seen(user, channel, ts)
        payload = self._interaction("message_action", user) | {
            "callback_id": callback_id, "action_ts": self.world.new_ts(), "message_ts": message.ts,
            "trigger_id": self.world.new_trigger(user), "channel": self._channel_json(place),
            "message": self.world.message_json(message),
            "response_url": self.world.new_response_url(place.id, user, None),
        }
        return await self._sent(user, payload)

    async def global_shortcut(self, user: str, callback_id: str) -> Receipt:
        """Choose a global shortcut of the bot."""
        payload = self._interaction("shortcut", user) | {
            "callback_id": callback_id, "action_ts": self.world.new_ts(), "trigger_id": self.world.new_trigger(user),
        }
        return await self._sent(user, payload)

    async def _sent(self, user: str, payload: Json) -> Receipt:
        receipt = await self.dispatcher.interact("interactive", payload)
        if not receipt.acked:
            self.world.warn(user, "This app did not respond in time. Try again, or contact the app's developer.")
        return receipt

    def _room(self, user: str, channel: str) -> Channel:
        self._person(user)
        if channel == self.world.seed.bot_user.id:
            channel = self.world.dm(user).id
        return self._place(user, channel)

    def _own(self, user: str, channel: str, ts: str) -> Message:
        message = self._seen(user, channel, ts)
        if message.user != user:
            raise ActionRefused(f"message {ts} is not {user}'s own")
        return message

    def _file(self, user: str, file: Json) -> Json:
        return {"id": self.world.new_id("F0"), "user": user, "title": file.get("name", "file"), "mode": "hosted",
                "mimetype": "image/png", "filetype": "png"} | file

    def _command_answer(self, place: Channel, user: str, body: Json) -> None:
        blocks = body.get("blocks") or []
        try:
            require_message(str(body.get("text") or ""), blocks, None, [], False)
        except ApiError as error:
            self._private(place, user, f"The app's answer was refused: {escape(str(error))}", SLACKBOT.id)
            return
        if body.get("response_type") == "in_channel":
            self.world.add(Message(self.world.new_ts(), place.id, self.world.seed.bot_user.id,
                                   str(body.get("text") or ""), blocks, bot=True))
        else:
            self._private(place, user, str(body.get("text") or ""), self.world.seed.bot_user.id, blocks)

    def _private(self, place: Channel, user: str, text: str, sender: str, blocks: list[Json] | None = None) -> None:
        self.world.ephemerals.append(Message(
            self.world.new_ts(), place.id, sender, text, blocks or [], bot=sender != SLACKBOT.id, visible_to=user,
        ))
        self.world.changed()


def _rich_text(text: str) -> Json:
    section: Json = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    return {"type": "rich_text", "block_id": "typed", "elements": [section]}
