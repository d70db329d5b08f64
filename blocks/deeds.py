"""Buttons that concern a case, spoken with its order."""

from __future__ import annotations

from pydantic import ValidationError
from slack_sdk.models.blocks import ButtonElement

from blocks.kit import button
from blocks.press import Do, Press
from blocks.text import plain
from graph.model import Lang, RequestView, RunView
from graph.phrases import say


def press_of(
    view: RunView, do: Do, request: RequestView | None = None, *, field: str = "", value: str = ""
) -> Press | None:
    """A press that concerns this case. None when an id or a value is too long to be carried whole."""
    try:
        return Press(
            do=do, thread=view.thread, case=view.case, request=request.id if request else "", field=field, value=value
        )
    except ValidationError:
        return None


def spoken(label: str, view: RunView, lang: Lang) -> str:
    """What a screen reader says of a button: its label and the order."""
    return say("cards.spoken", lang, label=plain(label.removesuffix("…"), 40), order=plain(view.order or view.case, 30))


def deed(
    view: RunView, do: Do, lang: Lang, request: RequestView | None = None, *, primary: bool = False, label: str = ""
) -> ButtonElement | None:
    """The button for a deed, with its own label from the catalogue unless another is given."""
    words = label or say(f"cards.{do}", lang)
    return button(words, press_of(view, do, request), spoken=spoken(words, view, lang), primary=primary)
