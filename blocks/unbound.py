"""That something was not written because it is no longer what was approved: a new message, for the agent must know why."""

from __future__ import annotations

from blocks.kit import Card, card, section
from blocks.text import listed, md, push
from blocks.words import call_on
from graph.model import Lang, RunView
from graph.phrases import catalogue, say


def unbound_card(view: RunView, lang: Lang) -> Card:
    """What changed since the approval. The view holds the one entry of the trail that says so."""
    labels = {field.name: field.label for field in view.correctable}
    known = [labels.get(name) or catalogue().get(f"facts.{name}") for name in view.trail[0].fields]
    names = [md(label.in_(lang) if label else name, 40) for label, name in zip(known, view.trail[0].fields, strict=True)]
    words = say("evidence.unbound", lang, who=call_on(view.owner), fields=listed(names, lang))
    return card(push(words, f" {md(view.case, 40)}"), section(words))
