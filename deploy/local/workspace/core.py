"""What every part of the driver works on."""

from .delivery import Dispatcher
from .errors import ActionRefused
from .events import Events
from .faults import Faults
from .forms import Forms
from .model import Channel, Json, Message, User, View
from .world import World


class Core:
    """The running parts, and the payload pieces that all interactions share."""

    world: World
    faults: Faults
    dispatcher: Dispatcher
    events: Events
    forms: Forms

    def _person(self, user: str) -> User:
        if user not in self.world.users:
            raise ActionRefused(f"there is no user {user!r}")
        return self.world.users[user]

    def _place(self, user: str, channel: str) -> Channel:
        """The channel, if the person is in it."""
        self._person(user)
        place = self.world.channels.get(channel)
        if place is None:
            raise ActionRefused(f"there is no channel {channel!r}")
        if user not in place.members:
            raise ActionRefused(f"{user} is not a member of #{place.name}")
        return place

    def _seen(self, user: str, channel: str, ts: str) -> Message:
        """A message that the person can see, ephemeral ones included."""
        self._place(user, channel)
        private = (m for m in self.world.ephemerals if m.ts == ts and m.channel == channel and m.visible_to == user)
        message = next(private, None) or self.world.message(channel, ts)
        if message is None:
            raise ActionRefused(f"{user} sees no message {ts} in {channel}")
        return message

    def _view(self, user: str, view: View | str | None) -> View:
        """A view that the person has open; the top modal if none is named."""
        self._person(user)
        if view is None:
            stack = self.world.open_views(user)
            if not stack:
                raise ActionRefused(f"{user} has no form open")
            return stack[-1]
        key = view if isinstance(view, str) else view.id
        home = self.world.homes.get(user)
        if home and home.id == key:
            return home
        if key not in self.world.stacks.get(user, ()):
            raise ActionRefused(f"{user} does not have the view {key} open")
        return self.world.views[key]

    def _interaction(self, kind: str, user: str) -> Json:
        """The fields that every interaction payload has."""
        seed, person = self.world.seed, self._person(user)
        return {
            "type": kind, "token": seed.verification_token, "api_app_id": seed.app_id,
            "team": {"id": seed.team_id, "domain": seed.team_domain}, "enterprise": None,
            "is_enterprise_install": False,
            "user": {"id": user, "username": person.name, "name": person.name, "team_id": person.team or seed.team_id},
        }

    def _channel_json(self, channel: Channel) -> Json:
        return {"id": channel.id, "name": "directmessage" if channel.is_im else channel.name}
