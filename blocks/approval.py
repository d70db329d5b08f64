"""The approval card in a level's channel: the money first, then for whom, why and on what evidence; then the decision."""

from __future__ import annotations

from slack_sdk.models.blocks import Block

from blocks.approval_ended import approved_amount, ended_head, ended_line, is_approved
from blocks.deeds import press_of, spoken
from blocks.evidence import at_stake, before, evidence, inquiries, policy
from blocks.kit import Card, actions, again, button, card, context, header, option, overflow, section
from blocks.surroundings import Place, Surroundings
from blocks.text import clock, clock_after, md, plain, push
from blocks.voters import votes_line
from blocks.words import about_of, called, headline, level_of, named, nobody, routes, subject
from graph.model import About, Lang, RequestView, RunView
from graph.phrases import say


def approval_card(view: RunView, request: RequestView, around: Surroundings, lang: Lang) -> Card:
    """The request while it is open, and what became of it. `lang` is the channel's, not the case's."""
    about = about_of(view, request)
    head = headline(about.headline, lang, request.amount)
    is_open = request.open and request.closed is None
    if is_open:
        title = say("cards.approval_open", lang, headline=head)
        text, tail = _push(title, view, about, lang)
    else:
        title = ended_head(view, request, around, lang, head)
        text, tail = f"{md(title, 90)} · {md(subject(about), 50)}", f" · {md(view.case, 40)}"
    return card(
        push(text, tail),
        header(title),
        section(_order(about, lang), _reason(about, lang), _then(request, lang), at_stake(request, lang)),
        context(evidence(view, request, around, lang)),
        context(policy(request, lang)),
        context(*before(request, lang)),
        context(*inquiries(view, request, lang, is_open=is_open)),
        context(nobody(request, around, lang)) if is_open else None,
        context(votes_line(request, lang)) if is_open or not is_approved(request) else None,
        _decide(view, request, around, lang, head) if is_open else None,
        context(_foot(view, request, around, lang, is_open)),
        section(ended_line(view, request, around, lang)) if not is_open else None,
    )


def _push(title: str, view: RunView, about: About, lang: Lang) -> tuple[str, str]:
    words = say(
        "cards.approval_push",
        lang,
        question=md(title, 90),
        subject=md(subject(about), 50),
        reason=f"{say('cards.comma', lang)}{md(about.reason, 40)}" if about.reason else "",
        name=md(view.owner.name, 20),
    )
    return words, md(view.case, 40)


def _order(about: About, lang: Lang) -> str:
    order = md(about.order, 40)
    details = say("cards.comma", lang).join(md(part, 120) for part in (about.product, about.order_amount) if part)
    if details:
        order = say("cards.approval_order", lang, order=order, details=details) if order else details
    return " · ".join(part for part in (md(about.customer, 60), order) if part)


def _reason(about: About, lang: Lang) -> str:
    return say("cards.approval_reason", lang, reason=md(about.reason)) if about.reason else ""


def _then(request: RequestView, lang: Lang) -> str:
    if not request.routes or approved_amount(request):
        return ""
    return say("cards.approval_then", lang, routes=routes(request.routes, lang))


def _decide(view: RunView, request: RequestView, around: Surroundings, lang: Lang, head: str) -> Block | None:
    about = about_of(view, request)
    amount = request.amount or about.headline.amount
    label = say("cards.approve", lang, amount=plain(amount, 30)) if amount else say("cards.approve_plain", lang)
    question = say("cards.approval_open", lang, headline=head)
    twice = None
    if around.asks_again(request.level):
        twice = again(question, f"{subject(about)} · {about.reason}", label, say("cards.back", lang))
    reject, other = say("cards.reject", lang), say("cards.another_amount", lang)
    to_case = around.link(view.case)
    return actions(
        button(
            label,
            press_of(view, "approve", request),
            spoken=spoken(label, view, lang),
            primary=True,
            again=twice,
        ),
        button(other, press_of(view, "another_amount", request), spoken=spoken(other, view, lang))
        if "another_amount" in around.offers
        else None,
        button(reject, press_of(view, "reject", request), spoken=spoken(reject, view, lang)),
        overflow(
            option(say("cards.ask_requester", lang), press_of(view, "ask_requester", request))
            if "ask_requester" in around.offers
            else None,
            option(say("cards.open_case", lang), press_of(view, "go"), to_case) if to_case else None,
            option(say("cards.facts", lang), press_of(view, "facts")),
        ),
    )


def _foot(view: RunView, request: RequestView, around: Surroundings, lang: Lang, is_open: bool) -> str:
    place = around.levels.get(request.level) if request.level else None
    parts = [say("cards.approval_asker", lang, name=md(view.owner.name, 40))]
    if is_open and place:
        parts += [who for who in (called(place, request), *_away(place, lang)) if who]
    if is_open and request.rises:
        level = md(level_of(request.next_level, around, lang, article=True), 40)
        parts.append(say("cards.approval_rises", lang, at=clock_after(request.rises, request.made_at), level=level))
    elif is_open and request.due:
        parts.append(say("cards.approval_due", lang, at=clock_after(request.due, request.made_at)))
    return " · ".join([*parts, md(view.case, 40)])


def _away(place: Place, lang: Lang) -> list[str]:
    return [
        say(
            "cards.away",
            lang,
            name=named(each.of_name),
            deputy=named(each.to_name),
            until=clock(each.until, day=True),
        )
        for each in place.away
    ]
