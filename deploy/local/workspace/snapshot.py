"""What one person sees right now, as the JSON that the page draws."""

from .api_chat import permalink
from .elements import initial_state
from .forms import Forms
from .model import Channel, Json, Message, View
from .world import World

LATEST = 300
"""Messages of a channel that the page shows."""


class Snapshots:
    """Builds the page's state for one person and the place they look at."""

    def __init__(self, world: World, forms: Forms) -> None:
        self._world = world
        self._forms = forms
        self._read: dict[tuple[str, str], str] = {}

    def of(self, user: str, channel: str | None, thread: str | None) -> Json:
        """Everything the page needs; the shown channel counts as read."""
        world = self._world
        world.dm(user)
        place = world.channels.get(channel or "")
        if place and user in place.members:
            self._mark_read(user, place)
        else:
            place = None
        return {
            "version": world.version, "me": user, "team": world.seed.team_name, "bot": world.seed.bot_user.id,
            "users": {key: self._person(key) for key in world.users},
            "groups": {group.id: group.handle for group in world.groups.values()},
            "channels": [self._channel(user, one) for one in world.channels.values() if user in one.members],
            "all_channels": {one.id: one.name for one in world.channels.values() if not one.is_im},
            "channel": place.id if place else None, "messages": self._main(user, place) if place else [],
            "thread": self._thread(user, place, thread) if place and thread else None,
            "views": [self._view(view) for view in world.open_views(user)],
            "home": self._view(world.homes[user]) if user in world.homes else None,
            "commands": world.seed.commands, "message_shortcuts": world.seed.message_shortcuts,
            "global_shortcuts": world.seed.global_shortcuts,
            "warnings": [{"text": t.text, "at": t.at} for t in world.troubles if t.user == user][-1:],
        }

    def _mark_read(self, user: str, place: Channel) -> None:
        messages = self._world.messages.get(place.id)
        if messages:
            self._read[user, place.id] = messages[-1].ts

    def _person(self, key: str) -> Json:
        user = self._world.users[key]
        return {"name": user.display, "handle": user.name, "bot": user.is_bot, "locale": user.locale, "tz": user.tz,
                "title": user.title}

    def _channel(self, user: str, place: Channel) -> Json:
        read = self._read.get((user, place.id), "")
        fresh = [m for m in self._world.messages.get(place.id, ()) if m.ts > read and m.user != user]
        shown = [m for m in fresh if not m.in_thread or self._follows(user, m)]
        mentions = sum(self._calls(user, m) or place.is_im for m in shown)
        return {"id": place.id, "name": place.name, "im": place.is_im, "private": place.is_private,
                "archived": place.is_archived, "topic": place.topic, "unread": len(shown), "mentions": mentions,
                "members": len(place.members), "bot": self._world.bot_in(place)}

    def _follows(self, user: str, reply: Message) -> bool:
        thread = self._world.thread(reply.channel, str(reply.thread_ts))
        return any(m.user == user for m in thread) or self._calls(user, reply)

    def _calls(self, user: str, message: Message) -> bool:
        names = [f"<@{user}>", "<!channel>", "<!here>"]
        names += [f"<!subteam^{g.id}" for g in self._world.groups.values() if user in g.users]
        body = message.text + str(message.blocks)
        return any(name in body for name in names)

    def _private(self, user: str, place: Channel, thread: str | None) -> list[Message]:
        mine = (m for m in self._world.ephemerals if m.visible_to == user and m.channel == place.id)
        return [m for m in mine if m.thread_ts == thread]

    def _main(self, user: str, place: Channel) -> list[Json]:
        every = [m for m in self._world.messages.get(place.id, ()) if not m.in_thread or m.subtype == "thread_broadcast"]
        every = sorted([*every[-LATEST:], *self._private(user, place, None)], key=lambda m: m.ts)
        return [self._message(user, m) for m in every]

    def _thread(self, user: str, place: Channel, thread: str) -> Json:
        found = self._world.thread(place.id, thread)
        private = sorted([*found, *self._private(user, place, thread)], key=lambda m: m.ts)
        return {"ts": thread, "messages": [self._message(user, m) for m in private]}

    def _message(self, user: str, message: Message) -> Json:
        out = self._world.message_json(message, with_metadata=False)
        for key in ("bot_profile", "team", "app_id", "parent_user_id", "client_msg_id"):
            out.pop(key, None)
        out |= {
            "channel": message.channel, "private": message.visible_to is not None, "bot": message.bot,
            "state": initial_state(message.blocks, self._world.picked.get((user, message.ts))),
        }
        if message.visible_to is None:
            out["permalink"] = permalink(self._world.base_url, message)
        return out

    def _view(self, view: View) -> Json:
        return self._forms.as_json(view) | {"errors": view.errors}
