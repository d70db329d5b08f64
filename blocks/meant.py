"""What a model took the agent's words for, as a question: a press does it, silence does nothing."""

from __future__ import annotations

import json

from blocks.deeds import deed, press_of, spoken
from blocks.kit import Card, actions, button, card, section
from blocks.text import md, push
from graph.model import Lang, Reply, RunView
from graph.phrases import say


def meant_card(reply: Reply, view: RunView, lang: Lang) -> Card:
    """The question, with the button that does it."""
    if reply.code == "meant_cancel":
        words = say("replies.meant_cancel", lang)
        return card(push(words, ""), section(words), actions(deed(view, "cancel", lang)))
    words = md(reply.text.in_(lang) if reply.text else "", 600)
    label = say("replies.amend", lang)
    press = press_of(view, "amend", value=_packed(reply))
    return card(push(words, ""), section(words), actions(button(label, press, spoken=spoken(label, view, lang))))


def _packed(reply: Reply) -> str:
    """Each new value with the words that it was taken from."""
    values = {key.removeprefix("set."): value for key, value in reply.values.items() if key.startswith("set.")}
    packed = {name: [value, reply.values.get(f"quote.{name}", "")] for name, value in values.items()}
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":"))
