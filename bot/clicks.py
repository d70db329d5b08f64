"""Slack's clicks, forms, commands and shortcuts, read. Pure; whatever is malformed is None, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blocks import Press, decode, form_values

_Id = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{1,40}$")]


class _Payload(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", hide_input_in_errors=True)


class _Named(_Payload):
    id: _Id


class _Person(_Named):
    team_id: str = ""


class _Option(_Payload):
    value: str


class _Action(_Payload):
    action_id: str
    value: str | None = None
    selected_option: _Option | None = None


class _Message(_Payload):
    ts: str
    thread_ts: str | None = None


class _View(_Payload):
    id: str = ""
    external_id: str = ""
    callback_id: str = ""
    private_metadata: str = ""
    state: dict[str, dict[str, object]] = {}


class _Click(_Payload):
    trigger_id: str = Field(min_length=1)
    user: _Person
    team: _Named
    actions: list[_Action] = Field(min_length=1)
    channel: _Named | None = None
    message: _Message | None = None
    view: _View | None = None


class _Submission(_Payload):
    trigger_id: str = ""
    user: _Person
    team: _Named
    view: _View


class _Command(_Payload):
    command: str
    text: str = ""
    user_id: _Id
    team_id: _Id
    channel_id: _Id
    trigger_id: str = ""


class _Shortcut(_Payload):
    callback_id: str
    trigger_id: str = Field(min_length=1)
    user: _Named
    team: _Named
    channel: _Named
    message: _Message


class Origin(_Payload):
    """Where somebody pressed: what only they see is shown there. Both are empty on App Home, `thread_ts` in a channel."""

    channel: str = ""
    thread_ts: str = ""


class Click(_Payload):
    """A button or a menu's option that was pressed."""

    press: Press
    user: str
    team: str
    trigger: str
    origin: Origin = Origin()

    @property
    def event_id(self) -> str:
        """The same on every redelivery; `origin_of` reads from it where the click was."""
        return f"click:{self.mark}"

    @property
    def mark(self) -> str:
        """Origin and trigger in one word; a form that this click opens carries it as its external id."""
        return f"{self.origin.channel}:{self.origin.thread_ts}:{self.trigger}"


class Submission(_Payload):
    """A form that was sent: what it is for, what was entered by field, and the ids of its inputs' blocks."""

    press: Press
    user: str
    team: str
    mark: str
    values: dict[str, str]
    inputs: tuple[str, ...]

    @property
    def event_id(self) -> str:
        """The same however often the form is sent."""
        return f"form:{self.mark}"


class Command(_Payload):
    """A slash command, split into words."""

    name: str
    words: tuple[str, ...]
    user: str
    team: str
    channel: str
    trigger: str = ""


class Shortcut(_Payload):
    """A message's shortcut. `thread_ts` is the first message of its thread."""

    name: str
    user: str
    team: str
    channel: str
    thread_ts: str


def click_of(body: Mapping[str, object]) -> Click | None:
    """The press of a `block_actions` delivery; None where the element is not one of ours."""
    try:
        click = _Click.model_validate(body)
        action = click.actions[0]
        press = decode(action.selected_option.value if action.selected_option else action.value or "")
    except ValueError:
        return None
    message = click.message
    return Click(
        press=press,
        user=click.user.id,
        team=click.user.team_id or click.team.id,
        trigger=click.trigger_id,
        origin=Origin(
            channel=click.channel.id if click.channel else "",
            thread_ts=(message.thread_ts or "") if message else "",
        ),
    )


def submission_of(body: Mapping[str, object]) -> Submission | None:
    """A `view_submission` delivery; None where the form is not one of ours."""
    try:
        sent = _Submission.model_validate(body)
        press = decode(sent.view.private_metadata)
        values = form_values(sent.view.state)
    except ValueError:
        return None
    return Submission(
        press=press,
        user=sent.user.id,
        team=sent.user.team_id or sent.team.id,
        mark=sent.view.external_id or f"::{sent.view.id}",
        values=values,
        inputs=tuple(sent.view.state.get("values", {})),
    )


def command_of(body: Mapping[str, object]) -> Command | None:
    """A slash command's delivery."""
    try:
        sent = _Command.model_validate(body)
    except ValidationError:
        return None
    return Command(
        name=sent.command,
        words=tuple(sent.text.split()),
        user=sent.user_id,
        team=sent.team_id,
        channel=sent.channel_id,
        trigger=sent.trigger_id,
    )


def shortcut_of(body: Mapping[str, object]) -> Shortcut | None:
    """A message shortcut's delivery."""
    try:
        sent = _Shortcut.model_validate(body)
    except ValidationError:
        return None
    return Shortcut(
        name=sent.callback_id,
        user=sent.user.id,
        team=sent.team.id,
        channel=sent.channel.id,
        thread_ts=sent.message.thread_ts or sent.message.ts,
    )


def origin_of(event_id: str) -> Origin | None:
    """Where the click or form stood whose event has this id; None for other events."""
    kind, _, rest = event_id.partition(":")
    parts = rest.split(":")
    if kind not in ("click", "form") or len(parts) != 3 or not parts[0]:
        return None
    return Origin(channel=parts[0], thread_ts=parts[1])
