"""The question before a procedure goes on: amount, way, for whom, where the money goes, who approves next."""

from __future__ import annotations

from blocks.ask import closed_line
from blocks.deeds import deed
from blocks.kit import Card, actions, card, context, section
from blocks.problems import problem_line
from blocks.surroundings import Surroundings
from blocks.text import clock, md, md_lines, push
from blocks.words import ROWS, about_of, closer, fact_rows, headline, level_of, routes
from graph.model import Lang, RequestView, RunView
from graph.phrases import say


def confirm_card(view: RunView, request: RequestView, around: Surroundings) -> Card:
    """A yes goes on, anything else corrects; once it is over, who said what."""
    lang = view.lang
    question = _question(view, request, lang)
    closed = request.closed
    if closed is not None or not request.open:
        return card(push(question, f" {md(view.case, 40)}"), section(question, _ended(request, lang)))
    again = request.error == "expired"
    reasons = [problem_line(problem, None, lang) for problem in request.problems[:5]]
    return card(
        push(question, f" {md(view.case, 40)}"),
        section(*reasons, question),
        section(
            md_lines(request.prompt.in_(lang), 300) if request.prompt else "",
            routes(request.routes, lang),
            *fact_rows(request.quotes, lang, ROWS),
            _next(request, around, lang),
        ),
        actions(
            deed(
                view,
                "confirm",
                lang,
                request,
                primary=True,
                label=say("cards.submit_again" if again else "cards.go_on", lang),
            ),
            deed(view, "correct", lang) if view.correctable else None,
        ),
        context(say("cards.resubmit_else" if again else "cards.confirm_any_other", lang)),
    )


def _question(view: RunView, request: RequestView, lang: Lang) -> str:
    about = about_of(view, request)
    head = about.headline
    amount = request.amount or head.amount
    if request.error == "expired":
        return say("cards.resubmit", lang, headline=md(headline(head, lang, amount), 120))
    if not amount or not about.order:
        whole = " · ".join(md(part, 60) for part in (headline(head, lang, amount), about.customer, about.order) if part)
        return say("cards.confirm_plain", lang, headline=whole)
    way = md(head.way.in_(lang), 30) if head.way else ""
    return say(
        "cards.confirm" if about.customer else "cards.confirm_order",
        lang,
        title=md(head.title.in_(lang), 40),
        amount=md(amount, 30),
        way=f" {way}" if way else "",
        customer=md(about.customer, 40),
        order=md(about.order, 30),
    )


def _next(request: RequestView, around: Surroundings, lang: Lang) -> str:
    if not request.next_level:
        return ""
    if request.next_level == "auto":
        return say("cards.confirm_auto", lang)
    return say("cards.confirm_next", lang, level=md(level_of(request.next_level, around, lang, article=True)))


def _ended(request: RequestView, lang: Lang) -> str:
    closed = request.closed
    if closed is None:
        return ""
    if closed.ending != "answered":
        return closed_line(closed, lang)
    key = {"": "confirm_yes", "yes": "confirm_yes", "no": "confirm_no"}.get(closed.answer, "confirm_said")
    return say(
        f"cards.{key}",
        lang,
        name=closer(closed, lang),
        at=clock(closed.at),
        answer=md(closed.answer),
    )
