"""Reading Block Kit as data: the elements in it, the values they hold, what a person may put into them."""

import re
import secrets
from collections.abc import Iterator
from typing import Any

from .errors import ActionRefused
from .escaping import unescape
from .model import Json

_KEYS = {
    "plain_text_input": "value", "number_input": "value", "static_select": "selected_option",
    "radio_buttons": "selected_option", "overflow": "selected_option", "users_select": "selected_user",
    "datepicker": "selected_date", "multi_static_select": "selected_options", "checkboxes": "selected_options",
}
_INITIAL = {
    "value": "initial_value", "selected_option": "initial_option", "selected_user": "initial_user",
    "selected_date": "initial_date", "selected_options": "initial_options",
}
REQUIRED = "Please complete this required field."


def elements(block: Json) -> list[Json]:
    """The interactive elements of a block, in the order they are shown."""
    match block["type"]:
        case "actions":
            found = block["elements"]
        case "section":
            found = [block["accessory"]] if block.get("accessory") else []
        case "input":
            found = [block["element"]]
        case _:
            found = []
    return [element for element in found if element["type"] != "image"]


def every_element(blocks: list[Json]) -> Iterator[tuple[Json, Json]]:
    """All interactive elements, each with its block."""
    for block in blocks:
        for element in elements(block):
            yield block, element


def with_ids(blocks: list[Json]) -> list[Json]:
    """The blocks with a block_id and action_ids wherever the app gave none, as Slack fills them in."""
    out = []
    for given in blocks:
        block: Json = {"block_id": secrets.token_urlsafe(4), **given}
        if block["type"] == "actions":
            block["elements"] = [_with_action_id(element) for element in block["elements"]]
        for key in ("accessory", "element"):
            if block.get(key) and block[key]["type"] != "image":
                block[key] = _with_action_id(block[key])
        out.append(block)
    return out


def _with_action_id(element: Json) -> Json:
    return {"action_id": secrets.token_urlsafe(4)} | element


def options(element: Json) -> list[Json]:
    """The options of a menu, groups flattened."""
    flat: list[Json] = list(element.get("options") or [])
    for group in element.get("option_groups") or []:
        flat += group["options"]
    return flat


def initial(element: Json) -> Json | None:
    """The value an element starts with, in the form of `state.values`; None for buttons and overflow menus."""
    key = _KEYS.get(element["type"])
    if key is None or element["type"] == "overflow":
        return None
    empty: Any = [] if key == "selected_options" else None
    return {"type": element["type"], key: element.get(_INITIAL[key], empty)}


def initial_state(blocks: list[Json], kept: dict[str, dict[str, Json]] | None = None) -> dict[str, dict[str, Json]]:
    """`state.values` of fresh blocks. `kept` holds what was typed before; it stays where ids and types are the same."""
    state: dict[str, dict[str, Json]] = {}
    for block, element in every_element(blocks):
        value = initial(element)
        if value is None:
            continue
        old = (kept or {}).get(block["block_id"], {}).get(element["action_id"])
        same = old is not None and old["type"] == element["type"]
        state.setdefault(block["block_id"], {})[element["action_id"]] = old if same and old is not None else value
    return state


def filled(element: Json, given: object) -> Json:
    """The state value of an element after a person put `given` in; ActionRefused if it does not take that.

    Text for boxes and dates; an option's label or value for menus; a list of them where several may be chosen;
    None empties it.
    """
    kind, key = element["type"], _KEYS.get(element["type"])
    if key is None:
        raise ActionRefused(f"a {kind} takes no value")
    if key == "selected_options":
        many = [] if given is None else given if isinstance(given, list) else [given]
        return {"type": kind, key: [_option(element, one) for one in many]}
    if given is None:
        return {"type": kind, key: None}
    if key == "selected_option":
        return {"type": kind, key: _option(element, given)}
    return {"type": kind, key: str(given)}


def _option(element: Json, given: object) -> Json:
    for option in options(element):
        if given in (option.get("value"), option["text"]["text"], unescape(option["text"]["text"])):
            return option
    choices = ", ".join(repr(option["text"]["text"]) for option in options(element))
    raise ActionRefused(f"{given!r} is no choice of {element.get('action_id')}; there are {choices}")


def complaint(element: Json, value: Json, optional: bool) -> str | None:
    """What Slack itself says under a field before it sends the form; None if nothing."""
    held = value[_KEYS[element["type"]]]
    if not held:
        return None if optional else REQUIRED
    if element["type"] == "plain_text_input":
        return _text_complaint(element, str(held))
    if element["type"] == "number_input":
        return _number_complaint(element, str(held))
    if element["type"] == "datepicker" and not re.fullmatch(r"\d{4}-\d\d-\d\d", str(held)):
        return "Please enter a valid date."
    return None


def _text_complaint(element: Json, text: str) -> str | None:
    if len(text) < element.get("min_length", 0):
        return f"Please enter at least {element['min_length']} characters."
    if len(text) > element.get("max_length", 3000):
        return f"Please enter at most {element.get('max_length', 3000)} characters."
    return None


def _number_complaint(element: Json, text: str) -> str | None:
    pattern = r"-?\d+(\.\d+)?" if element["is_decimal_allowed"] else r"-?\d+"
    if not re.fullmatch(pattern, text):
        return "Please enter a valid number." if element["is_decimal_allowed"] else "Please enter a whole number."
    if "min_value" in element and float(text) < float(element["min_value"]):
        return f"Please enter a number of {element['min_value']} or more."
    if "max_value" in element and float(text) > float(element["max_value"]):
        return f"Please enter a number of {element['max_value']} or less."
    return None


def action(block: Json, element: Json, value: Json | None, action_ts: str) -> Json:
    """One entry of `actions` in a block_actions payload."""
    out: Json = {"type": element["type"], "action_id": element["action_id"], "block_id": block["block_id"],
                 "action_ts": action_ts}
    if element["type"] == "button":
        out["text"] = {"emoji": True} | element["text"]
        for key in ("value", "style", "url", "confirm"):
            if key in element:
                out[key] = element[key]
    elif value is not None:
        out |= value
    for key in ("placeholder", "initial_option", "initial_user", "initial_date"):
        if key in element:
            out[key] = element[key]
    return out
