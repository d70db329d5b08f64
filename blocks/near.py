"""The procedures that words come near, each as a button that begins it with what was said."""

from __future__ import annotations

from pydantic import ValidationError
from slack_sdk.models.blocks import ButtonElement

from blocks.kit import Card, actions, button, card, context, section
from blocks.press import Press
from blocks.text import plain, push
from graph.model import Lang, Reply
from graph.phrases import say


def near_card(reply: Reply, lang: Lang) -> Card | None:
    """The question which is meant; None where nothing can be offered, or the words are too long for a button."""
    mark = f"{lang}."
    titles = {key.removeprefix(mark): title for key, title in reply.values.items() if key.startswith(mark)}
    buttons = [each for name, title in titles.items() if (each := _button(name, title, reply, lang)) is not None]
    if not buttons:
        return None
    words = say("replies.near", lang)
    return card(push(words, ""), section(words), actions(*buttons), context(say("replies.near_none", lang)))


def _button(name: str, title: str, reply: Reply, lang: Lang) -> ButtonElement | None:
    values = reply.values
    try:
        press = Press(
            do="begin",
            thread=values.get("thread", ""),
            request=values.get("of", ""),
            field=values.get("by", ""),
            value=f"{name} {values.get('words', '')}".rstrip(),
        )
    except ValidationError:
        return None
    label = plain(title, 60) or name
    return button(label, press, spoken=say("replies.near_spoken", lang, title=label))
