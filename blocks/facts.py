"""What is known in a case: value, the words it came from, who said them, when."""

from __future__ import annotations

from blocks.kit import Card, card, context, paragraphs, section
from blocks.surroundings import Surroundings
from blocks.text import clock, cut, md, push, quoted
from blocks.words import headline, more, name_of, subject
from graph.model import FactView, Lang, RunView
from graph.phrases import say

ROWS_SHOWN, ROW_LIMIT = 40, 220


def facts_card(view: RunView, lang: Lang, around: Surroundings | None = None) -> Card:
    """The facts in a reader's language, at most 40."""
    title = say("trail.facts_title", lang, case=md(view.case, 40))
    rows = [cut(_row(fact, view, around or Surroundings(), lang), ROW_LIMIT) for fact in view.facts[:ROWS_SHOWN]]
    head = f"{md(headline(view.headline, lang), 70)} {md(subject(view), 50)}".rstrip()
    return card(
        push(f"{title} · {head}", ""),
        section(f"*{title}*", head),
        *paragraphs(rows or [say("trail.facts_empty", lang)]),
        context(*more(len(view.facts) - ROWS_SHOWN, lang)),
    )


def _row(fact: FactView, view: RunView, around: Surroundings, lang: Lang) -> str:
    row = say("trail.fact", lang, label=md(fact.label.in_(lang), 60), value=md(fact.text.in_(lang), 120))
    source = [quoted(fact.quote, lang, 80)] if fact.quote else []
    if fact.by:
        source.append(name_of(fact.by, view, around))
    if fact.at:
        source.append(clock(fact.at))
    return f"{row} — {' '.join(source)}" if source else row
