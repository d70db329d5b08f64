"""Who stands in for whom, as one of the two sees it."""

from __future__ import annotations

from collections.abc import Sequence

from blocks.kit import Card, card, section
from blocks.text import clock, push
from blocks.words import ROWS, more, named
from graph.model import Delegation, Lang
from graph.phrases import say


def delegations_card(delegations: Sequence[Delegation], reader: str, lang: Lang) -> Card:
    """One line each: who decides in my place, and in whose place I decide, until when."""
    rows = [_row(each, reader, lang) for each in delegations[:ROWS]] + more(len(delegations) - ROWS, lang)
    return card(push(rows[0] if rows else "", ""), section(*rows))


def _row(each: Delegation, reader: str, lang: Lang) -> str:
    until = clock(each.until, day=True)
    if each.of == reader:
        return say("cards.stands_in_for_me", lang, name=named(each.to_name), until=until)
    return say("cards.i_stand_in", lang, name=named(each.of_name), until=until)
