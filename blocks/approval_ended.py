"""What an approval card says once its request no longer waits."""

from __future__ import annotations

import re

from blocks.surroundings import Surroundings
from blocks.text import clock, clock_after, link, md
from blocks.voters import deciders
from blocks.words import level_of
from graph.model import Lang, RequestView, RunView
from graph.phrases import say

_MONEY = re.compile(r"[\d,]+\.\d+ [A-Z]{3}")


def ended_head(view: RunView, request: RequestView, around: Surroundings, lang: Lang, head: str) -> str:
    """The closed card's first line, unescaped: how it ended, then the money."""
    less = approved_amount(request)
    if less:
        return say("cards.approval_less", lang, amount=less, asked=request.amount or "")
    match _ending(view, request):
        case "approved":
            key = "approved"
        case "rejected":
            key = "rejected"
        case "expired":
            key = "expired"
        case "replaced":
            key = "replaced"
        case "passed":
            newer = _newer(view, request)
            level = level_of(newer.level if newer else None, around, lang, article=True)
            return say("cards.approval_passed", lang, level=level, headline=head)
        case _:
            key = "withdrawn"
    return say(f"cards.approval_{key}", lang, headline=head)


def ended_line(view: RunView, request: RequestView, around: Surroundings, lang: Lang) -> str:
    """The closed card's last line: who, when, why, or where to look now."""
    closed = request.closed
    to_card = link(around.link(request.replaced_by), say("cards.new_card", lang))
    if closed is None:
        return ""
    name, at = deciders(request, closed, lang), clock(closed.at)
    match _ending(view, request):
        case "approved":
            line = say("cards.who_when", lang, name=name, at=at)
            if closed.reason:
                line = say("cards.who_when_said", lang, name=name, at=at, reason=md(closed.reason))
            return f"{line} · {say('cards.submitted', lang)}" if view.result else line
        case "rejected":
            return say("cards.who_when_said", lang, name=name, at=at, reason=md(closed.reason))
        case "expired":
            by = clock_after(request.due or closed.at, request.made_at)
            return say("cards.nobody_decided", lang, at=by)
        case "replaced":
            newer = _newer(view, request)
            if newer is None:
                now = view.headline.amount
                free = now and now != request.amount
                return say("cards.now_free", lang, amount=md(now, 40)) if now and free else say("cards.now_over", lang)
            amount = newer.amount
            if amount and amount != request.amount:
                line = say("cards.now_asked", lang, amount=md(amount, 40))
            else:
                line = say("cards.now_open", lang)
            return f"{line} · {to_card}" if around.link(request.replaced_by) else line
        case "passed":
            return link(around.link(request.replaced_by), say("cards.see_new_card", lang))
        case _:
            return say(f"cards.{'cancelled_by' if view.status == 'cancelled' else 'corrected_by'}", lang, name=name, at=at)


def _ending(view: RunView, request: RequestView) -> str:
    closed = request.closed
    if closed is None:
        return "withdrawn"
    if closed.ending == "withdrawn" and _newer(view, request) is not None:
        return "replaced"
    return closed.ending


def _newer(view: RunView, request: RequestView) -> RequestView | None:
    return next((other for other in view.requests if other.id == request.replaced_by), None)


def is_approved(request: RequestView) -> bool:
    """Whether the last line names all who approved."""
    return request.closed is not None and request.closed.ending == "approved"


def approved_amount(request: RequestView) -> str:
    """The amount that was approved where it is another than was asked; empty otherwise."""
    closed = request.closed
    if closed is None or closed.ending != "approved" or not _MONEY.fullmatch(closed.answer):
        return ""
    return closed.answer if closed.answer != request.amount else ""
