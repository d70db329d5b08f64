"""People press buttons and pick from menus, in messages, forms and App Home."""

from .core import Core
from .delivery import Receipt
from .elements import action, every_element, filled, initial_state, options
from .errors import ActionRefused
from .escaping import unescape
from .model import Json, Message, View


class Pressing(Core):
    """Clicks and choices, sent as block_actions."""

    async def click(
        self, user: str, channel: str, ts: str, *, action_id: str | None = None, label: str | None = None,
        value: str | None = None,
    ) -> Receipt:
        """Press a button of a message, and confirm if it asks again.

        ActionRefused if the message is not visible to the person or has no such button (any more), or several.
        """
        message = self._seen(user, channel, ts)
        block, element = _button(message.blocks, action_id, label, value)
        return await self._act_in_message(user, message, block, element, None)

    async def choose(
        self, user: str, channel: str, ts: str, option: object, *, action_id: str | None = None
    ) -> Receipt:
        """Pick from a menu, overflow menu, radio or check boxes of a message.

        `option` is a label or value, a user id or date where the element takes one, a list for several.
        """
        message = self._seen(user, channel, ts)
        block, element = _menu(message.blocks, option, action_id)
        return await self._act_in_message(user, message, block, element, _value(element, option))

    async def click_in_view(
        self, user: str, view: View | str | None = None, *, action_id: str | None = None, label: str | None = None,
        value: str | None = None,
    ) -> Receipt:
        """Press a button in a form or in App Home; the top form if no view is named."""
        place = self._view(user, view)
        block, element = _button(place.blocks, action_id, label, value)
        return await self._act_in_view(user, place, block, element, None)

    async def choose_in_view(
        self, user: str, option: object, view: View | str | None = None, *, action_id: str | None = None
    ) -> Receipt:
        """Pick from a menu in a form or in App Home."""
        place = self._view(user, view)
        block, element = _menu(place.blocks, option, action_id)
        return await self._act_in_view(user, place, block, element, _value(element, option))

    async def click_home(
        self, user: str, *, action_id: str | None = None, label: str | None = None, value: str | None = None
    ) -> Receipt:
        """Press a button in App Home."""
        home = self.world.homes.get(user)
        if home is None:
            raise ActionRefused(f"the bot has published no App Home for {user}")
        return await self.click_in_view(user, home, action_id=action_id, label=label, value=value)

    async def _act_in_message(
        self, user: str, message: Message, block: Json, element: Json, value: Json | None
    ) -> Receipt:
        world, channel = self.world, self.world.channels[message.channel]
        private = message.visible_to is not None
        state = initial_state(message.blocks, world.picked.get((user, message.ts)))
        if value is not None and element["type"] != "overflow":
            state.setdefault(block["block_id"], {})[element["action_id"]] = value
            world.picked[user, message.ts] = state
        container: Json = {"type": "message", "message_ts": message.ts, "channel_id": channel.id,
                           "is_ephemeral": private}
        if message.thread_ts:
            container["thread_ts"] = message.thread_ts
        payload = self._interaction("block_actions", user) | {
            "container": container, "trigger_id": world.new_trigger(user), "channel": self._channel_json(channel),
            "state": {"values": state}, "response_url": world.new_response_url(channel.id, user, message.ts),
            "actions": [action(block, element, value, world.new_ts())],
        }
        if not private:
            payload["message"] = world.message_json(message)
        return await self._pressed(user, payload)

    async def _act_in_view(self, user: str, view: View, block: Json, element: Json, value: Json | None) -> Receipt:
        if value is not None and element["type"] != "overflow":
            view.state.setdefault(block["block_id"], {})[element["action_id"]] = value
            self.world.changed()
            if block["type"] == "input" and not block.get("dispatch_action"):
                return Receipt(True, {})
        payload = self._interaction("block_actions", user) | {
            "container": {"type": "view", "view_id": view.id}, "trigger_id": self.world.new_trigger(user, view.id),
            "view": self.forms.as_json(view), "actions": [action(block, element, value, self.world.new_ts())],
        }
        return await self._pressed(user, payload)

    async def _pressed(self, user: str, payload: Json) -> Receipt:
        receipt = await self.dispatcher.interact("interactive", payload)
        if not receipt.acked:
            self.world.warn(user, "Something went wrong: the app did not respond to your click. Try again.")
        return receipt


def _button(blocks: list[Json], action_id: str | None, label: str | None, value: str | None) -> tuple[Json, Json]:
    if action_id is None and label is None and value is None:
        raise ActionRefused("name the button by action_id, label or value")
    buttons = [(block, element) for block, element in every_element(blocks) if element["type"] == "button"]
    found = [
        (block, element) for block, element in buttons
        if action_id in (None, element["action_id"]) and value in (None, element.get("value"))
        and label in (None, element["text"]["text"], unescape(element["text"]["text"]))
    ]
    if len(found) != 1:
        wanted = f"action_id={action_id!r}, label={label!r}, value={value!r}"
        there = ", ".join(f"{e['text']['text']!r} ({e['action_id']})" for _, e in buttons) or "none"
        raise ActionRefused(f"{len(found)} buttons fit {wanted}; there are: {there}")
    return found[0]


def _menu(blocks: list[Json], option: object, action_id: str | None) -> tuple[Json, Json]:
    menus = [(block, element) for block, element in every_element(blocks) if element["type"] != "button"]
    wanted = option if isinstance(option, list) else [option]

    def has(element: Json) -> bool:
        known = {text for o in options(element) for text in (o.get("value"), unescape(o["text"]["text"]))}
        return not options(element) or all(one in known for one in wanted)

    found = [
        (block, element) for block, element in menus
        if (element["action_id"] == action_id if action_id is not None else bool(options(element)) and has(element))
    ]
    if len(found) != 1:
        there = ", ".join(f"{e['action_id']}: {[o['text']['text'] for o in options(e)]}" for _, e in menus) or "none"
        raise ActionRefused(f"{len(found)} menus fit {option!r} (action_id={action_id!r}); there are: {there}")
    return found[0]


def _value(element: Json, option: object) -> Json:
    value = filled(element, option)
    return {key: held for key, held in value.items() if key != "type"} | {"type": element["type"]}
