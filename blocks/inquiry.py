"""An approver's question in the thread, and the requester's answer under the card: each calls on whom it is for."""

from __future__ import annotations

from blocks.kit import Card, card, context, section
from blocks.text import clock, md, mention, push, quoted
from blocks.words import call_on
from graph.model import Inquiry, Lang, RunView
from graph.phrases import say


def inquiry_card(view: RunView, inquiry: Inquiry, lang: Lang, *, answered: bool) -> Card:
    """The question, for the requester; `answered`: the answer, for whoever asked."""
    if answered:
        words = say(
            "evidence.reply",
            lang,
            who=mention(inquiry.by),
            name=md(inquiry.answered_by, 40),
            at=clock(inquiry.answered_at),
            answer=quoted(inquiry.answer, lang),
        )
        return card(push(words, f" {md(view.case, 40)}"), section(words))
    words = say(
        "evidence.question",
        lang,
        who=call_on(view.owner),
        name=md(inquiry.name, 40),
        question=quoted(inquiry.question, lang),
    )
    return card(push(words, f" {md(view.case, 40)}"), section(words), context(say("evidence.answer_here", lang)))
