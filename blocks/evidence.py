"""On what a decision is made: what was said, what the rules and the handbook say, what was decided before and asked."""

from __future__ import annotations

from blocks.surroundings import Surroundings
from blocks.text import clock, md, quoted
from blocks.words import closer, name_of
from graph.model import ClosedRequest, Lang, RequestView, RunView
from graph.phrases import fact_money, say

_QUOTES, _SPEAKERS, _BEFORE, _ASKED = 4, 3, 3, 3


def evidence(view: RunView, request: RequestView, around: Surroundings, lang: Lang) -> str:
    """The words that the facts were taken from, each speaker's in one place, and how many rules passed."""
    said: dict[tuple[str, str], list[str]] = {}
    for fact in request.quotes:
        words = said.setdefault((fact.by, fact.at), [])
        if fact.quote and fact.quote not in words:
            words.append(fact.quote)
    lines = [
        say(
            "cards.said_by",
            lang,
            quote=" ".join(quoted(quote, lang, 100) for quote in words[:_QUOTES]),
            name=name_of(by, view, around),
            at=clock(at) if at else "",
        ).rstrip()
        for (by, at), words in list(said.items())[:_SPEAKERS]
        if words
    ]
    if request.rules_total:
        passed, total = str(request.rules_passed), str(request.rules_total)
        lines.append(say("cards.approval_rules", lang, passed=passed, total=total))
    return " · ".join(lines)


def policy(request: RequestView, lang: Lang) -> str:
    """What the handbook says on the matter; empty where it says nothing."""
    if request.policy is None:
        return ""
    source, quote = request.policy.source.in_(lang), request.policy.quote.in_(lang)
    return say("evidence.policy", lang, source=md(source, 100), quote=quoted(quote, lang, 160))


def at_stake(request: RequestView, lang: Lang) -> str:
    """What was paid or approved for the same subject beside this, and the sum by which the level was found."""
    beside = request.beside
    if beside is None:
        return ""
    return say(
        "evidence.beside",
        lang,
        days=str(beside.days),
        others=md(fact_money(beside.others), 40),
        total=md(fact_money(beside.total), 40),
    )


def before(request: RequestView, lang: Lang) -> list[str]:
    """How earlier requests of the case ended, the last of them last."""
    return [_before(closed, lang) for closed in request.earlier[-_BEFORE:]]


def _before(closed: ClosedRequest, lang: Lang) -> str:
    ending = closed.ending if closed.ending in ("rejected", "expired", "approved") else "replaced"
    return say(
        f"evidence.before_{ending}",
        lang,
        name=closer(closed, lang),
        at=clock(closed.at),
        amount=md(fact_money(closed.request.amount)) if closed.request.amount else "",
        reason=md(closed.reason),
    )


def inquiries(view: RunView, request: RequestView, lang: Lang, *, is_open: bool) -> list[str]:
    """What was asked of the requester, and what they answered."""
    found: list[str] = []
    for each in request.inquiries[-_ASKED:]:
        asked = say("evidence.asked", lang, name=md(each.name, 40), at=clock(each.at), question=quoted(each.question, lang))
        if each.answer:
            answer = quoted(each.answer, lang)
            asked += " · " + say(
                "evidence.answered", lang, name=md(each.answered_by, 40), at=clock(each.answered_at), answer=answer
            )
        elif is_open:
            asked += " · " + say("evidence.asked_open", lang, name=md(view.owner.name, 40))
        found.append(asked)
    return found
