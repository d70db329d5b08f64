"""The parts of a form, and what comes back from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from slack_sdk.models.blocks import (
    Block,
    DatePickerElement,
    InputBlock,
    InputInteractiveElement,
    Option,
    PlainTextInputElement,
    PlainTextObject,
    RadioButtonsElement,
    StaticSelectElement,
    UserSelectElement,
)
from slack_sdk.models.views import View

from blocks.budget import Json
from blocks.kit import MENU_OPTIONS, numbered
from blocks.press import BUTTON_LIMIT, Press, callback_id
from blocks.text import capital, plain, sound
from graph.model import FieldView, Lang
from graph.phrases import say

FORM_BLOCKS, TITLE_LIMIT, INPUT_LIMIT, RADIO_LIMIT = 100, 24, 3000, 10
_VALUE = "value"
Choices = Sequence[tuple[str, str]]


def form(press: Press, lang: Lang, name: str, parts: Sequence[Block | None], *, submits: bool = True) -> Json:
    """A modal for `views.open`. `name` is its key in `forms.yaml`; `press` comes back as `private_metadata`.

    A press too long to be carried raises ValueError: a form that cannot come back must not be opened.
    """
    submit = f"forms.{name}_submit"
    view: Json = View(
        type="modal",
        callback_id=callback_id(press.do),
        title=_plain(say(f"forms.{name}", lang), TITLE_LIMIT),
        submit=_plain(say(submit, lang), TITLE_LIMIT) if submits else None,
        close=_plain(say("forms.back", lang), TITLE_LIMIT),
        private_metadata=press.encode(BUTTON_LIMIT),
        blocks=numbered(parts, FORM_BLOCKS),
    ).to_dict()
    return view


def field_input(field: FieldView, lang: Lang, *, hint: str = "", initial: str = "", optional: bool = False) -> Block:
    """The input for a field: choices as radio buttons or a menu, a date as a calendar, all else as text."""
    label = capital(field.label.in_(lang))
    if field.unit:
        label = say("cards.with_unit", lang, label=label, unit=field.unit)
    choices = [(choice.value, choice.label.in_(lang)) for choice in field.choices]
    if choices:
        return choice_input(field.name, label, choices, lang, initial=initial, hint=hint, optional=optional)
    if field.type == "date":
        return _input(field.name, label, DatePickerElement(action_id=_VALUE, initial_date=_day(initial)), hint, optional)
    return text_input(
        field.name,
        label,
        initial=initial,
        hint=hint,
        optional=optional,
        multiline=field.type == "text",
        max_length=field.max_length,
    )


def text_input(
    name: str,
    label: str,
    *,
    initial: str = "",
    hint: str = "",
    optional: bool = False,
    multiline: bool = False,
    max_length: int = 300,
    placeholder: str = "",
) -> Block:
    """A line or a box to type in."""
    limit = min(max(max_length, 1), INPUT_LIMIT)
    element = PlainTextInputElement(
        action_id=_VALUE,
        multiline=multiline,
        max_length=limit,
        initial_value=sound(initial)[:limit] or None,
        placeholder=_plain(placeholder, 150) if placeholder else None,
    )
    return _input(name, label, element, hint, optional)


def choice_input(
    name: str, label: str, choices: Choices, lang: Lang, *, initial: str = "", hint: str = "", optional: bool = False
) -> Block:
    """One of several (value, label): all visible up to ten, else a menu. A value longer than Slack's 150 is left out."""
    options = [
        Option(text=_plain(words, 75), value=value) for value, words in choices[:MENU_OPTIONS] if 1 <= len(value) <= 150
    ]
    if not options:
        return text_input(name, label, initial=initial, hint=hint, optional=optional)
    chosen = next((option for option in options if option.value == initial), None)
    element: InputInteractiveElement = (
        RadioButtonsElement(action_id=_VALUE, options=options, initial_option=chosen)
        if len(options) <= RADIO_LIMIT
        else StaticSelectElement(
            action_id=_VALUE,
            placeholder=_plain(say("cards.choose_one", lang), 150),
            options=options,
            initial_option=chosen,
        )
    )
    return _input(name, label, element, hint, optional)


def person_input(name: str, label: str, placeholder: str) -> Block:
    """A menu of the people in the workspace."""
    element = UserSelectElement(action_id=_VALUE, placeholder=_plain(placeholder, 150))
    return _input(name, label, element, "", False)


def form_errors(errors: Mapping[str, str]) -> dict[str, str]:
    """Messages by field as Slack wants them in answer to a submission: by block, and an input's block is its field."""
    return {field: plain(words, 300) for field, words in errors.items()}


class _Picked(BaseModel):
    model_config = ConfigDict(extra="ignore")

    value: Annotated[str, Field(max_length=INPUT_LIMIT)]


class _Element(BaseModel):
    model_config = ConfigDict(extra="ignore")

    value: Annotated[str, Field(max_length=INPUT_LIMIT)] | None = None
    selected_option: _Picked | None = None
    selected_user: str | None = None
    selected_date: str | None = None


class _State(BaseModel):
    model_config = ConfigDict(extra="ignore")

    values: dict[str, dict[str, _Element]]


def form_values(state: object) -> dict[str, str]:
    """What was entered, by field, from a submitted view's `state`; fields left empty are left out.

    A validation error (a ValueError) says what was wrong with a state that is none.
    """
    found: dict[str, str] = {}
    for block, elements in _State.model_validate(state).values.items():
        element = elements.get(_VALUE)
        if element is None:
            continue
        picked = element.selected_option.value if element.selected_option else ""
        words = element.value or picked or element.selected_user or element.selected_date or ""
        if words.strip():
            found[block] = words.strip()
    return found


def _input(name: str, label: str, element: InputInteractiveElement, hint: str, optional: bool) -> Block:
    return InputBlock(
        block_id=name[:255],
        label=_plain(label, 200),
        element=element,
        hint=_plain(hint, 600) if hint else None,
        optional=optional,
    )


def _plain(words: str, limit: int) -> PlainTextObject:
    return PlainTextObject(text=plain(words, limit) or "–", emoji=False)


def _day(words: str) -> str | None:
    try:
        return date.fromisoformat(words).isoformat()
    except ValueError:
        return None
