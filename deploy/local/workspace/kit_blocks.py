"""Block Kit's blocks and views as models that carry Slack's limits."""

from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, StringConstraints, Tag, model_validator

from .kit_elements import (
    AnyText,
    Button,
    Checkboxes,
    Datepicker,
    Mrkdwn,
    MultiStaticSelect,
    NumberInput,
    Overflow,
    Plain,
    Plain24,
    Plain150,
    Plain2000,
    PlainTextInput,
    RadioButtons,
    StaticSelect,
    Strict,
    Text255,
    Text2000,
    Url,
    UsersSelect,
    refuse,
    tag_of,
)


class SlackFile(Strict):
    """A file that the app has uploaded before."""

    id: str | None = None
    url: str | None = None


class ImageElement(Strict):
    """A small picture in a context block or beside a section."""

    type: Literal["image"]
    alt_text: Annotated[str, StringConstraints(min_length=1, max_length=2000)]
    image_url: Url | None = None
    slack_file: SlackFile | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.image_url is None) == (self.slack_file is None):
            raise refuse("exactly one of image_url and slack_file is required")
        return self


_Interactive = (
    Annotated[Button, Tag("~button")]
    | Annotated[StaticSelect, Tag("~static_select")]
    | Annotated[UsersSelect, Tag("~users_select")]
    | Annotated[Datepicker, Tag("~datepicker")]
    | Annotated[Overflow, Tag("~overflow")]
    | Annotated[RadioButtons, Tag("~radio_buttons")]
    | Annotated[Checkboxes, Tag("~checkboxes")]
)
ActionElement = Annotated[_Interactive, Discriminator(tag_of)]
Accessory = Annotated[
    _Interactive
    | Annotated[MultiStaticSelect, Tag("~multi_static_select")]
    | Annotated[ImageElement, Tag("~image")],
    Discriminator(tag_of),
]
InputElement = Annotated[
    Annotated[PlainTextInput, Tag("~plain_text_input")]
    | Annotated[NumberInput, Tag("~number_input")]
    | Annotated[StaticSelect, Tag("~static_select")]
    | Annotated[MultiStaticSelect, Tag("~multi_static_select")]
    | Annotated[UsersSelect, Tag("~users_select")]
    | Annotated[Datepicker, Tag("~datepicker")]
    | Annotated[RadioButtons, Tag("~radio_buttons")]
    | Annotated[Checkboxes, Tag("~checkboxes")],
    Discriminator(tag_of),
]
ContextElement = Annotated[
    Annotated[Plain, Tag("~plain_text")]
    | Annotated[Mrkdwn, Tag("~mrkdwn")]
    | Annotated[ImageElement, Tag("~image")],
    Discriminator(tag_of),
]


class _Block(Strict):
    block_id: Text255 | None = None


class Section(_Block):
    """Text, fields, and one element at the side."""

    type: Literal["section"]
    text: AnyText | None = None
    fields: Annotated[list[Text2000], Field(min_length=1, max_length=10)] | None = None
    accessory: Accessory | None = None
    expand: bool | None = None

    @model_validator(mode="after")
    def _has_words(self) -> Self:
        if self.text is None and self.fields is None:
            raise refuse("missing required field: text or fields")
        return self


class Header(_Block):
    """A large bold line."""

    type: Literal["header"]
    text: Plain150


class Context(_Block):
    """Small grey words and pictures."""

    type: Literal["context"]
    elements: Annotated[list[ContextElement], Field(min_length=1, max_length=10)]


class Actions(_Block):
    """Interactive elements in a row."""

    type: Literal["actions"]
    elements: Annotated[list[ActionElement], Field(min_length=1, max_length=25)]


class Divider(_Block):
    """A line across."""

    type: Literal["divider"]


class Input(_Block):
    """A labelled field of a form."""

    type: Literal["input"]
    label: Plain2000
    element: InputElement
    hint: Plain2000 | None = None
    optional: bool | None = None
    dispatch_action: bool | None = None


class Image(ImageElement):
    """A picture with a title."""

    block_id: Text255 | None = None
    title: Plain2000 | None = None


class RichText(_Block):
    """What Slack's own editor makes; its inside is taken as it is."""

    type: Literal["rich_text"]
    elements: list[dict[str, Any]]


Block = Annotated[
    Annotated[Section, Tag("~section")]
    | Annotated[Header, Tag("~header")]
    | Annotated[Context, Tag("~context")]
    | Annotated[Actions, Tag("~actions")]
    | Annotated[Divider, Tag("~divider")]
    | Annotated[Input, Tag("~input")]
    | Annotated[Image, Tag("~image")]
    | Annotated[RichText, Tag("~rich_text")],
    Discriminator(tag_of),
]


class MessageBlocks(Strict):
    """The blocks of a message."""

    blocks: Annotated[list[Block], Field(max_length=50)]


class _View(Strict):
    blocks: Annotated[list[Block], Field(max_length=100)]
    private_metadata: Annotated[str, StringConstraints(max_length=3000)] | None = None
    callback_id: Annotated[str, StringConstraints(max_length=255)] | None = None
    external_id: Annotated[str, StringConstraints(max_length=255)] | None = None


class Modal(_View):
    """A form over the page."""

    type: Literal["modal"]
    title: Plain24
    submit: Plain24 | None = None
    close: Plain24 | None = None
    clear_on_close: bool | None = None
    notify_on_close: bool | None = None
    submit_disabled: bool | None = None

    @model_validator(mode="after")
    def _can_be_sent(self) -> Self:
        if self.submit is None and any(isinstance(block, Input) for block in self.blocks):
            raise refuse("missing required field: submit (the view has an input block)")
        return self


class Home(_View):
    """A person's own tab of the app."""

    type: Literal["home"]


AnyView = Annotated[Annotated[Modal, Tag("~modal")] | Annotated[Home, Tag("~home")], Discriminator(tag_of)]


class ViewArgument(Strict):
    """The `view` argument of views.*"""

    view: AnyView
