"""The codec between what a button carries and what the bot does when it is pressed."""

from __future__ import annotations

import json
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

Do = Literal[
    "answer",  # a choice of an `ask`: `field`, `value`
    "both",  # all that were named, in turn: `value` holds them, spaces between
    "amend",  # a correction that was offered: `value` holds values and their words as JSON
    "queue",  # a request, `value`, goes behind the open case; `request` is its own id, `field` who made it
    "apart",  # the same, but into a thread of its own
    "begin",  # of the procedures that words came near: `value` is its name and the words, `request` and `field` as above
    "confirm",  # yes to a `confirm`
    "form",  # opens the form of an `ask`, and is its submission
    "correct",  # opens a form, and is its submission; so are the following three
    "cancel",
    "hand_over",
    "reject",
    "approve",
    "option",  # decides by one of a request's options: `field` is the verdict, `value` the option; opens a form
    "another_amount",  # forms again
    "ask_requester",
    "paid",
    "unpaid",
    "retry",
    "facts",
    "trail",
    "trail_page",  # `value` is the page, counted from the newest
    "audit",  # the same; `field` is the order, where it is about one
    "open",  # shows a case from a list
    "go",  # a link: Slack still reports the click, nothing is to be done
    "more",  # an overflow menu; what was chosen is in the option's value
    "new_case",
    "handbook",
    "practise",  # begins a drill: `value` is the scenario; with a thread, in that
    "turns",  # every turn of a drill
]
BUTTON_LIMIT = 2000
OPTION_LIMIT = 150
_ACTION = "sop."


class Press(BaseModel):
    """What a button, a menu's option or a form asks for. `request` is our own request id."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    do: Do
    thread: Annotated[str, StringConstraints(max_length=200)] = ""
    case: Annotated[str, StringConstraints(max_length=100)] = ""
    request: Annotated[str, StringConstraints(max_length=300)] = ""
    field: Annotated[str, StringConstraints(max_length=100)] = ""
    value: Annotated[str, StringConstraints(max_length=1000)] = ""

    def encode(self, limit: int = BUTTON_LIMIT) -> str:
        """One compact line for a button's value. ValueError when it is longer than `limit`."""
        parts = [self.do, self.thread, self.case, self.request, self.field, self.value]
        while not parts[-1]:
            parts.pop()
        line = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
        if len(line) > limit:
            raise ValueError(f"a press of {len(line)} characters does not fit into {limit}")
        return line


def decode(line: str) -> Press:
    """The press that a button carried. ValueError for anything that `encode` does not make."""
    if len(line) > BUTTON_LIMIT:
        raise ValueError(f"a press has at most {BUTTON_LIMIT} characters, this one has {len(line)}")
    try:
        parts = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError("a press is a JSON list of strings") from error
    names = tuple(Press.model_fields)
    if not isinstance(parts, list) or not 1 <= len(parts) <= len(names):
        raise ValueError(f"a press is a JSON list of 1 to {len(names)} strings: {', '.join(names)}")
    try:
        return Press.model_validate(dict(zip(names, parts, strict=False)))
    except ValidationError as error:
        wrong = error.errors()[0]
        raise ValueError(f"a press's {'.'.join(map(str, wrong['loc']))} is wrong: {wrong['msg']}") from error


def action_id(do: Do, number: int) -> str:
    """The action id of the `number`th interactive element of a message."""
    return f"{_ACTION}{do}.{number}"


def callback_id(do: Do) -> str:
    """The callback id of a form."""
    return f"{_ACTION}{do}"


def is_ours(identity: str) -> bool:
    """Whether an action id or a callback id is one that these functions make."""
    head, _, rest = identity.removeprefix(_ACTION).partition(".")
    return identity.startswith(_ACTION) and head in get_args(Do) and (not rest or rest.isdecimal())
