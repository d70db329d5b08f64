"""What a person can read on a card, and whether Slack would take it."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict

from blocks import Card, Json, Press, decode
from deploy.local.workspace.limits import check_view, require_message
from graph.model import JsonValue


class Part(BaseModel):
    """A text, an option or an element, as far as tests look at it."""

    model_config = ConfigDict(extra="ignore")

    type: str = ""
    text: Part | str | None = None
    value: str | None = None
    action_id: str = ""
    style: str = ""
    url: str = ""
    accessibility_label: str = ""
    confirm: dict[str, JsonValue] | None = None
    options: list[Part] = []
    initial_value: str | None = None
    initial_option: Part | None = None
    max_length: int | None = None

    def words(self) -> str:
        """The words of a text, or those on an element."""
        return self.text.words() if isinstance(self.text, Part) else self.text or ""


class Shape(BaseModel):
    """A block, as far as tests look at it."""

    model_config = ConfigDict(extra="ignore")

    type: str
    block_id: str
    text: Part | None = None
    elements: list[Part] = []
    accessory: Part | None = None
    element: Part | None = None
    label: Part | None = None
    hint: Part | None = None
    optional: bool = False


class Form(BaseModel):
    """A view, as far as tests look at it."""

    model_config = ConfigDict(extra="ignore")

    type: str
    title: Part = Part()
    submit: Part | None = None
    close: Part | None = None
    callback_id: str = ""
    private_metadata: str = ""
    blocks: list[Shape]

    def inputs(self) -> dict[str, Shape]:
        """The inputs by block id."""
        return {block.block_id: block for block in self.blocks if block.type == "input"}

    def press(self) -> Press:
        """What comes back with the form."""
        return decode(self.private_metadata)


def shapes(card: Card) -> list[Shape]:
    """The blocks of a card."""
    return [Shape.model_validate(block) for block in card.blocks]


def form_of(view: Json) -> Form:
    """A view read back; it must be one that Slack takes."""
    assert check_view(view) == []
    return Form.model_validate(view)


def header_of(card: Card) -> str:
    """The large line."""
    return next((block.text.words() for block in shapes(card) if block.type == "header" and block.text), "")


def lines(card: Card) -> list[str]:
    """All marked lines, dates as their fallback."""
    found: list[str] = []
    for block in shapes(card):
        parts = [part for part in (block.text, *block.elements) if part and part.type == "mrkdwn"]
        found += [line for part in parts for line in plain_dates(part.words()).splitlines()]
    return found


def plain_dates(words: str) -> str:
    """Dates as their fallback, a clock time in UTC."""
    return re.sub(r"<!date\^\d+\^[^|>]*\|([^>]*)>", r"\1", words)


def elements(card: Card) -> list[Part]:
    """All buttons and menus in order."""
    found: list[Part] = []
    for block in shapes(card):
        found += [part for part in block.elements if part.type != "mrkdwn"]
        found += [block.accessory] if block.accessory else []
    return found


def labels(card: Card) -> list[str]:
    """What stands on the buttons; a primary one ends in `*`, a menu lists its options."""
    return [
        "⋯ " + " ".join(option.words() for option in part.options)
        if part.options
        else part.words() + ("*" if part.style == "primary" else "")
        for part in elements(card)
    ]


def presses(card: Card) -> list[Press]:
    """What the buttons and options of a card carry."""
    values = [
        value for part in elements(card) for value in (part.value, *(option.value for option in part.options)) if value
    ]
    return [decode(value) for value in values]


def require_sendable(card: Card) -> None:
    """Fail unless Slack would take the card, and its text is a proper push."""
    require_message(card.text, [dict(block) for block in card.blocks], None, [], has_files=False)
    assert 1 <= len(card.text) <= 150
    ids = [part.action_id for part in elements(card)]
    assert len(ids) == len(set(ids))
    assert sum(part.style == "primary" for part in elements(card)) <= 1
    assert all(part.style != "danger" for part in elements(card))
