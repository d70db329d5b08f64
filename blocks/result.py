"""How a case ended: what was submitted, what is left to do; or why it stopped and that no money moved."""

from __future__ import annotations

from slack_sdk.models.blocks import ButtonElement

from blocks.deeds import deed, press_of
from blocks.kit import Card, actions, button, card, context, section
from blocks.surroundings import Surroundings
from blocks.text import clock, md, md_lines, push, quoted
from blocks.words import call_on, cancelled, cash, ending, headline, name_of, short_routes, subject
from graph.model import Lang, ResultView, Route, RunView
from graph.phrases import say


def result_card(view: RunView, around: Surroundings) -> Card:
    """The last reply of a case. It never says that money has arrived: only a tool could know."""
    if view.stopped is not None and view.status != "done":
        return _stopped(view, around)
    lang = view.lang
    result = view.result or ResultView(summary="")
    sentence = _submitted(view, result, lang)
    summary = md_lines(result.summary, 1000)
    return card(
        push(sentence, f" {md(view.case, 40)}"),
        section(sentence),
        section(summary if summary != sentence else ""),
        section(*(_to_do(view, result.routes, lang) if not result.closed_by else [_closed(result, lang)])),
        actions(deed(view, "trail", lang)),
        context(_foot(view, result, around, lang)),
    )


def _submitted(view: RunView, result: ResultView, lang: Lang) -> str:
    return say(
        "cards.result_submitted" if result.routes else "cards.result_no_routes",
        lang,
        headline=md(headline(view.headline, lang), 100),
        subject=_whom(view, lang),
        routes=short_routes(result.routes, lang),
    )


def _whom(view: RunView, lang: Lang) -> str:
    for_whom = md(subject(view), 70)
    return say("cards.result_subject", lang, subject=for_whom) if for_whom else ""


def _to_do(view: RunView, routes: list[Route], lang: Lang) -> list[str]:
    who = call_on(view.owner)
    lines = []
    for route in routes:
        if route.kind == "manual_transfer":
            account = ending(route.account, lang)
            key = "result_to_do" if account else "result_to_do_open"
            lines.append(say(f"cards.{key}", lang, who=who, amount=cash(route.amount, route.currency), account=account))
    return lines[:10] or [say("cards.result_nothing", lang)]


def _closed(result: ResultView, lang: Lang) -> str:
    """Who closed it in a review, when, and with which remark."""
    return say(
        "cards.result_closed",
        lang,
        name=md(result.closed_by, 40),
        at=clock(result.closed_at),
        how=md(result.closed_as, 60),
        reason=quoted(result.remark, lang, 300),
    )


def _foot(view: RunView, result: ResultView, around: Surroundings, lang: Lang) -> str:
    parts = []
    if result.number:
        parts.append(say("cards.result_number", lang, number=md(result.number, 60)))
    if result.approver == "System":
        parts.append(say("cards.result_system", lang))
    elif result.approver:
        parts.append(say("cards.result_approver", lang, approver=name_of(result.approver, view, around)))
    if result.note:
        parts.append(say("cards.result_note", lang, note=md(result.note, 200)))
    return " · ".join([*parts, md(view.case, 40)])


def _stopped(view: RunView, around: Surroundings) -> Card:
    lang, stopped = view.lang, view.stopped
    if stopped is None:
        raise ValueError("a stopped case says what stood against it")
    money = say("cards.money_moved" if stopped.money_moved else "cards.money_still", lang) if view.headline.priced else ""
    sentence = say(
        "cards.result_cancelled" if view.status == "cancelled" else "cards.result_stopped",
        lang,
        headline=md(headline(view.headline, lang), 100),
        subject=_whom(view, lang),
        why=md(stopped.why.in_(lang)),
    )
    lines = [cancelled(view, around, lang)]
    if stopped.rule:
        lines.append(say("cards.by_rule", lang, rule=md(stopped.rule, 60)))
    if stopped.next:
        lines.append(say("cards.next_step", lang, next=md(stopped.next.in_(lang))))
    return card(
        push(sentence, f"{money} {md(view.case, 40)}"),
        section(sentence + money),
        section(say("cards.sentence", lang).join(filter(None, lines))),
        actions(_instead(view, stopped.instead, around, lang), deed(view, "trail", lang)),
        context(md(view.case, 40)),
    )


def _instead(view: RunView, case: str, around: Surroundings, lang: Lang) -> ButtonElement | None:
    """The way to the open case that has to do with the same."""
    to_case = around.link(case)
    label = say("cards.open_that_case", lang, case=case)
    return button(label, press_of(view, "go"), spoken=label, url=to_case) if to_case else None
