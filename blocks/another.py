"""The question where a request belongs that came while a case was open: behind it, or in a thread of its own."""

from __future__ import annotations

from pydantic import ValidationError
from slack_sdk.models.blocks import ButtonElement

from blocks.kit import Card, actions, button, card, section
from blocks.press import Do, Press
from blocks.text import md, push
from graph.model import Lang, Reply, RunView
from graph.phrases import say

_WAYS: tuple[Do, ...] = ("queue", "apart")


def another_card(reply: Reply, view: RunView, lang: Lang) -> Card:
    """Two buttons, each of which carries the request."""
    values = reply.values
    words = say("replies.another", lang, case=md(values["case"], 40), request=md(values["request"], 160))
    buttons = [_button(do, reply, view, lang) for do in _WAYS]
    return card(push(words, ""), section(words), actions(*buttons))


def _button(do: Do, reply: Reply, view: RunView, lang: Lang) -> ButtonElement | None:
    values = reply.values
    label = say(f"replies.another_{do}", lang)
    try:
        press = Press(
            do=do,
            thread=view.thread,
            case=view.case,
            request=values["of"],
            field=values["by"],
            value=values["request"],
        )
    except ValidationError:
        return None
    return button(label, press, spoken=say("cards.spoken", lang, label=label, order=md(values["request"], 30)))
