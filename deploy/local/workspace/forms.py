"""Modals and App Homes: each person's stack of views, opened by triggers, changed by the app."""

import secrets
import time

from .elements import initial_state, with_ids
from .errors import ApiError
from .limits import require_view
from .model import Json, View
from .world import World

STACK = 3


class Forms:
    """What views.* does, and what an answer to a submission does."""

    def __init__(self, world: World) -> None:
        self._world = world

    def as_json(self, view: View) -> Json:
        """The view object of responses and payloads."""
        seed, body = self._world.seed, view.body
        out: Json = {
            "id": view.id, "team_id": seed.team_id, "type": view.type, "blocks": view.blocks,
            "private_metadata": body.get("private_metadata", ""), "callback_id": body.get("callback_id", ""),
            "state": {"values": view.state}, "hash": view.hash, "clear_on_close": body.get("clear_on_close", False),
            "notify_on_close": body.get("notify_on_close", False), "close": body.get("close"),
            "submit": body.get("submit"), "previous_view_id": view.previous_id, "root_view_id": view.root_id,
            "app_id": seed.app_id, "external_id": body.get("external_id", ""),
            "app_installed_team_id": seed.team_id, "bot_id": seed.bot_id,
        }
        if view.type == "modal":
            out["title"] = body["title"]
        return out

    def open(self, trigger_id: str, body: object) -> View:
        """views.open: a new stack with this view on it; an open form of the person is replaced."""
        checked = require_view(body, "modal")
        self._unique_external(checked)
        user = self._world.use_trigger(trigger_id).user
        self.clear(user)
        return self._put(user, checked, None)

    def push(self, trigger_id: str, body: object) -> View:
        """views.push: on top of the view the trigger came from."""
        checked = require_view(body, "modal")
        self._unique_external(checked)
        trigger = self._world.use_trigger(trigger_id)
        if trigger.view not in self._world.views or not self._world.stacks.get(trigger.user):
            raise ApiError("not_found", ["the trigger does not come from an open modal [json-pointer:/trigger_id]"])
        return self.push_for(trigger.user, checked)

    def push_for(self, user: str, body: object) -> View:
        """Push a view on the person's stack, at most three deep."""
        checked = require_view(body, "modal")
        stack = self._world.stacks.get(user, [])
        if len(stack) >= STACK:
            raise ApiError("push_limit_reached", [f"no more than {STACK} views in a stack"])
        return self._put(user, checked, stack[-1] if stack else None)

    def update(self, view_id: str | None, external_id: str | None, body: object, hash_: str | None) -> View:
        """views.update; `hash_conflict` if the view has changed since `hash_`."""
        checked = require_view(body)
        view = self.find(view_id, external_id)
        if checked["type"] != view.type:
            raise ApiError("invalid_arguments", [f"must be one of '{view.type}' [json-pointer:/view/type]"])
        self._compare(view, hash_)
        return self.replace(view, checked)

    def replace(self, view: View, body: object) -> View:
        """Exchange what a view shows; typed values stay where the ids stay."""
        checked = require_view(body, view.type)
        blocks = with_ids(checked["blocks"])
        view.body = checked | {"blocks": blocks}
        view.state = initial_state(blocks, view.state)
        view.errors = {}
        view.hash = self._hash()
        self._world.changed()
        return view

    def publish(self, user: str, body: object, hash_: str | None) -> View:
        """views.publish: the person's App Home."""
        checked = require_view(body, "home")
        if user not in self._world.users:
            raise ApiError("user_not_found", ["unknown user [json-pointer:/user_id]"])
        if home := self._world.homes.get(user):
            self._compare(home, hash_)
            return self.replace(home, checked)
        home = self._new(user, checked, None)
        self._world.homes[user] = home
        self._world.changed()
        return home

    def find(self, view_id: str | None, external_id: str | None = None) -> View:
        """An open view; ApiError `not_found` once it is closed."""
        views = [*self._world.views.values(), *self._world.homes.values()]
        for view in views:
            if view.id == view_id or (external_id and view.body.get("external_id") == external_id):
                return view
        raise ApiError("not_found", ["no such open view [json-pointer:/view_id]"])

    def close_top(self, user: str) -> View | None:
        """Close the visible view; the one below shows again."""
        stack = self._world.stacks.get(user, [])
        if not stack:
            return None
        view = self._world.views.pop(stack.pop())
        self._world.changed()
        return view

    def clear(self, user: str) -> list[View]:
        """Close all of a person's modals; returns them, the top one first."""
        closed = []
        while view := self.close_top(user):
            closed.append(view)
        return closed

    def _put(self, user: str, body: Json, previous: str | None) -> View:
        view = self._new(user, body, previous)
        self._world.views[view.id] = view
        self._world.stacks.setdefault(user, []).append(view.id)
        self._world.changed()
        return view

    def _new(self, user: str, body: Json, previous: str | None) -> View:
        view_id = self._world.new_id("V0")
        root = self._world.views[previous].root_id if previous else view_id
        blocks = with_ids(body["blocks"])
        return View(view_id, user, body | {"blocks": blocks}, self._hash(), root, previous, initial_state(blocks))

    def _unique_external(self, body: Json) -> None:
        external = body.get("external_id")
        if external and any(view.body.get("external_id") == external for view in self._world.views.values()):
            raise ApiError("duplicate_external_id")

    @staticmethod
    def _compare(view: View, hash_: str | None) -> None:
        if hash_ and hash_ != view.hash:
            raise ApiError("hash_conflict", ["the view has changed since [json-pointer:/hash]"])

    @staticmethod
    def _hash() -> str:
        return f"{int(time.time())}.{secrets.token_hex(4)}"
