"""A case that waits for the back office, or for a person after an unknown result."""

from __future__ import annotations

from blocks.deeds import deed
from blocks.kit import Card, actions, card, context, section
from blocks.surroundings import Surroundings
from blocks.text import clock, md, push
from blocks.words import headline, subject
from graph.model import RequestView, RunView
from graph.phrases import say


def hold_card(view: RunView, request: RequestView, around: Surroundings) -> Card:
    """Which step waits since when, with Retry; a `park` calls the leads, and nobody retries it."""
    lang = view.lang
    step = md(request.step.label.in_(lang), 60)
    parked = request.kind == "park"
    waits = request.closed is None and request.open
    if not waits:
        short = line = say("cards.hold_over", lang, step=step)
    elif parked:
        line = say("cards.park", lang, step=step, leads=around.leads or say("cards.a_lead", lang))
        short = say("cards.park_push", lang, step=step)
    else:
        line = say("cards.hold", lang, step=step, at=clock(request.made_at))
        short = say("cards.hold_push", lang, step=step)
    settles = parked and "settle" in around.offers
    return card(
        push(f"{short} · {md(headline(view.headline, lang), 60)} {md(subject(view), 60)}", f" · {md(view.case, 40)}"),
        section(line),
        actions(
            deed(view, "retry", lang, request) if not parked else None,
            deed(view, "paid", lang, request) if settles else None,
            deed(view, "unpaid", lang, request) if settles else None,
        )
        if waits
        else None,
        context(say("cards.hold_code", lang, code=md(request.error, 60)) if request.error and waits else ""),
    )
