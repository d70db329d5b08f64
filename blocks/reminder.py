"""What is said about an approval beside its card: the reminder under it, and what a delegate decided."""

from __future__ import annotations

from blocks.approval_ended import approved_amount
from blocks.kit import Card, card, section
from blocks.surroundings import Surroundings
from blocks.text import clock, clock_after, link, md, push
from blocks.words import about_of, called, headline, level_of, nobody, subject
from graph.model import Decision, Lang, RequestView, RunView
from graph.phrases import say


def reminder_card(view: RunView, request: RequestView, around: Surroundings, lang: Lang) -> Card:
    """Under the card of an approval that still waits: whom it waits for, and what happens when."""
    head = headline(about_of(view, request).headline, lang, request.amount)
    place = around.levels.get(request.level) if request.level else None
    who = called(place, request) if place else ""
    if request.rises:
        level = md(level_of(request.next_level, around, lang, article=True), 40)
        words = say("cards.reminder_rises", lang, who=who, at=clock_after(request.rises, request.made_at), level=level)
    elif request.due:
        words = say("cards.reminder_due", lang, who=who, at=clock_after(request.due, request.made_at))
    else:
        words = say("cards.reminder", lang, who=who)
    return card(
        push(say("cards.reminder_push", lang, headline=md(head, 100)), f" {md(view.case, 40)}"),
        section(words.strip(), nobody(request, around, lang)),
    )


def deputised_card(view: RunView, request: RequestView, vote: Decision, around: Surroundings, lang: Lang) -> Card:
    """To the one who is away: what was decided in their place, by whom and when."""
    about = about_of(view, request)
    words = say(
        "cards.deputised",
        lang,
        name=md(vote.name, 40),
        at=clock(vote.at, day=True),
        verdict=say(f"replies.verdict_{'approved' if vote.verdict == 'approve' else 'rejected'}", lang),
        headline=md(headline(about.headline, lang, approved_amount(request) or request.amount), 120),
        subject=md(subject(about), 60),
    )
    to_card = link(around.link(request.id), say("cards.see_request", lang)) if around.link(request.id) else ""
    return card(push(words, ""), section(f"{words} · {to_card}" if to_card else words))
