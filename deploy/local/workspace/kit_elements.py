"""Block Kit's text objects, options and elements as models that carry Slack's limits."""

from collections.abc import Callable
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag, model_validator
from pydantic_core import PydanticCustomError

Text255 = Annotated[str, StringConstraints(min_length=1, max_length=255)]
Date = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\d$")]
Url = Annotated[str, StringConstraints(max_length=3000, pattern=r"^(https?|mailto|slack):")]
Number = Annotated[str, StringConstraints(pattern=r"^-?\d+(\.\d+)?$")]


def refuse(message: str, at: str = "") -> PydanticCustomError:
    """A refusal in Slack's words; `at` is the pointer below the object that is being checked."""
    return PydanticCustomError("slack", "{reason}", {"reason": message, "at": at})


def tag_of(value: object) -> str:
    """The discriminator. The mark keeps tags apart from field names in error locations."""
    kind = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)
    return f"~{kind}"


class Strict(BaseModel):
    """No key beyond those named, as Slack has it."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Plain(Strict):
    """A plain_text object."""

    type: Literal["plain_text"]
    text: Annotated[str, StringConstraints(min_length=1, max_length=3000)]
    emoji: bool | None = None


class Mrkdwn(Strict):
    """A mrkdwn object."""

    type: Literal["mrkdwn"]
    text: Annotated[str, StringConstraints(min_length=1, max_length=3000)]
    verbatim: bool | None = None


def _within(limit: int) -> Callable[[Plain | Mrkdwn], Plain | Mrkdwn]:
    def check(value: Plain | Mrkdwn) -> Plain | Mrkdwn:
        if len(value.text) > limit:
            raise refuse(f"must be less than {limit + 1} characters", "/text")
        return value

    return check


AnyText = Annotated[Annotated[Plain, Tag("~plain_text")] | Annotated[Mrkdwn, Tag("~mrkdwn")], Discriminator(tag_of)]
Text2000 = Annotated[AnyText, AfterValidator(_within(2000))]
Text300 = Annotated[AnyText, AfterValidator(_within(300))]
Text75 = Annotated[AnyText, AfterValidator(_within(75))]
Plain2000 = Annotated[Plain, AfterValidator(_within(2000))]
Plain150 = Annotated[Plain, AfterValidator(_within(150))]
Plain100 = Annotated[Plain, AfterValidator(_within(100))]
Plain75 = Annotated[Plain, AfterValidator(_within(75))]
Plain30 = Annotated[Plain, AfterValidator(_within(30))]
Plain24 = Annotated[Plain, AfterValidator(_within(24))]


class Confirm(Strict):
    """The dialog that asks again before an action is sent."""

    title: Plain100
    text: Text300
    confirm: Plain30
    deny: Plain30
    style: Literal["primary", "danger"] | None = None


class Option(Strict):
    """One choice of a menu or a group of boxes."""

    text: Text75
    value: Annotated[str, StringConstraints(min_length=1, max_length=150)]
    description: Text75 | None = None
    url: Url | None = None


class OptionGroup(Strict):
    """A titled part of a menu."""

    label: Plain75
    options: Annotated[list[Option], Field(min_length=1, max_length=100)]


class Element(Strict):
    """What all interactive elements share."""

    action_id: Text255 | None = None
    confirm: Confirm | None = None
    focus_on_load: bool | None = None


class Button(Strict):
    """A button."""

    type: Literal["button"]
    text: Plain75
    action_id: Text255 | None = None
    url: Url | None = None
    value: Annotated[str, StringConstraints(max_length=2000)] | None = None
    style: Literal["primary", "danger"] | None = None
    confirm: Confirm | None = None
    accessibility_label: Annotated[str, StringConstraints(max_length=75)] | None = None


class _Menu(Element):
    placeholder: Plain150 | None = None
    options: Annotated[list[Option], Field(min_length=1, max_length=100)] | None = None
    option_groups: Annotated[list[OptionGroup], Field(min_length=1, max_length=100)] | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.options is None) == (self.option_groups is None):
            raise refuse("exactly one of options and option_groups is required")
        return self

    def all_options(self) -> list[Option]:
        """The options of the menu, groups flattened."""
        return self.options or [option for group in self.option_groups or [] for option in group.options]


class StaticSelect(_Menu):
    """A menu of which one is chosen."""

    type: Literal["static_select"]
    initial_option: Option | None = None

    @model_validator(mode="after")
    def _initial(self) -> Self:
        if self.initial_option and self.initial_option not in self.all_options():
            raise refuse("must exactly match one of the provided options", "/initial_option")
        return self


class MultiStaticSelect(_Menu):
    """A menu of which several are chosen."""

    type: Literal["multi_static_select"]
    initial_options: Annotated[list[Option], Field(min_length=1, max_length=100)] | None = None
    max_selected_items: Annotated[int, Field(ge=1)] | None = None


class UsersSelect(Element):
    """A menu of the people in the workspace."""

    type: Literal["users_select"]
    placeholder: Plain150 | None = None
    initial_user: str | None = None


class Datepicker(Element):
    """A calendar."""

    type: Literal["datepicker"]
    placeholder: Plain150 | None = None
    initial_date: Date | None = None


class Overflow(Strict):
    """The menu behind three dots."""

    type: Literal["overflow"]
    action_id: Text255 | None = None
    options: Annotated[list[Option], Field(min_length=1, max_length=5)]
    confirm: Confirm | None = None


class _Boxes(Element):
    options: Annotated[list[Option], Field(min_length=1, max_length=10)]


class RadioButtons(_Boxes):
    """A few choices, all visible, of which one is chosen."""

    type: Literal["radio_buttons"]
    initial_option: Option | None = None


class Checkboxes(_Boxes):
    """A few choices, all visible, of which several are chosen."""

    type: Literal["checkboxes"]
    initial_options: Annotated[list[Option], Field(min_length=1, max_length=10)] | None = None


class DispatchConfig(Strict):
    """When typing sends a block_actions payload."""

    trigger_actions_on: Annotated[
        list[Literal["on_enter_pressed", "on_character_entered"]], Field(min_length=1, max_length=2)
    ]


class PlainTextInput(Strict):
    """A line or a box to type in."""

    type: Literal["plain_text_input"]
    action_id: Text255 | None = None
    placeholder: Plain150 | None = None
    initial_value: Annotated[str, StringConstraints(max_length=3000)] | None = None
    multiline: bool | None = None
    min_length: Annotated[int, Field(ge=0, le=3000)] | None = None
    max_length: Annotated[int, Field(ge=1, le=3000)] | None = None
    dispatch_action_config: DispatchConfig | None = None
    focus_on_load: bool | None = None


class NumberInput(Strict):
    """A box for a number; values are text."""

    type: Literal["number_input"]
    is_decimal_allowed: bool
    action_id: Text255 | None = None
    placeholder: Plain150 | None = None
    initial_value: Number | None = None
    min_value: Number | None = None
    max_value: Number | None = None
    dispatch_action_config: DispatchConfig | None = None
    focus_on_load: bool | None = None
