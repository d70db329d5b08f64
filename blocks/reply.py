"""What is said to one event without changing a case: answers from the handbook, refusals, notes, help."""

from __future__ import annotations

from string import Formatter

from blocks.another import another_card
from blocks.facts import facts_card
from blocks.kit import Card, card, context, section
from blocks.meant import meant_card
from blocks.near import near_card
from blocks.standing import standing_card
from blocks.surroundings import Surroundings
from blocks.text import clock, md, md_lines, push, quoted
from blocks.trail import trail_card
from blocks.words import fields_of, has_phrase, level_of
from graph.model import Lang, Reply, RunView
from graph.phrases import catalogue, say

_ON_A_DECISION = frozenset(
    {"not_listed", "own_facts", "changed", "decided", "withdrawn", "stale", "no_reason"}
    | {"foreign", "own_facts_of", "voted", "voted_for", "expired", "passed", "amount", "against"}
)
_HELP = ("say", "ask", "show", "change")


def reply_card(reply: Reply, view: RunView | None, around: Surroundings, lang: Lang) -> Card:
    """The reply in `lang`. `view` is the case it was said in, if any."""
    match reply.kind:
        case "policy":
            return _policy(reply, view, lang)
        case "no_policy":
            return _said(say("replies.no_policy", lang), _still_waits(view, lang))
        case "facts" | "trail" if view is not None:
            return facts_card(view, lang, around) if reply.kind == "facts" else trail_card(view, lang, 0, around)
        case "facts" | "trail":
            return _said(say("replies.no_case", lang))
        case "help":
            return near_card(reply, lang) or card(
                push(say("replies.help_push" if reply.code != "not_understood" else "replies.not_understood", lang), ""),
                section(say("replies.not_understood", lang) if reply.code == "not_understood" else ""),
                section(
                    *(say(f"replies.help_{part}", lang) for part in _HELP),
                    say("replies.help_procedures", lang, names=md(reply.text.in_(lang))) if reply.text else "",
                ),
                context(_still_waits(view, lang)),
            )
        case "note" if reply.code in ("meant_correct", "meant_cancel") and view is not None:
            return meant_card(reply, view, lang)
        case "note" if reply.code == "standing" and view is not None:
            return standing_card(reply, view, around, lang)
        case "note" if reply.code == "another" and view is not None:
            return another_card(reply, view, lang)
        case "note" | "refused":
            return _said(_sentence(reply, view, around, lang), _still_waits(view, lang) if reply.code == "why" else "")


def received(lang: Lang) -> Card:
    """The sign that a click has arrived and is being worked on."""
    return _said(say("replies.received", lang))


def no_rights(lang: Lang) -> Card:
    """The answer while nobody's rights can be looked up."""
    return _said(say("replies.not_counted", lang, why=say("replies.no_rights", lang)))


def counted(count: int, quorum: int, lang: Lang) -> Card:
    """The answer to a vote that is not yet the last one."""
    return _said(say("replies.counted", lang, count=str(count), quorum=str(quorum)))


def _said(words: str, small: str = "") -> Card:
    return card(push(words, ""), section(words), context(small))


def _policy(reply: Reply, view: RunView | None, lang: Lang) -> Card:
    answer = md_lines(reply.text.in_(lang), 1500) if reply.text else md_lines(reply.quote, 1500)
    quote = quoted(reply.quote, lang, 800) if reply.quote and md(reply.quote, 1500) not in answer else ""
    source = md(reply.source.in_(lang), 150) if reply.source else ""
    return card(
        push(answer.replace("\n", " ") or say("replies.handbook_plain", lang), ""),
        section(answer),
        section(quote),
        context(
            say("replies.handbook", lang, source=source) if source else say("replies.handbook_plain", lang),
            _still_waits(view, lang),
        ),
    )


def _still_waits(view: RunView | None, lang: Lang) -> str:
    request = view.open_request() if view else None
    if request is None:
        return ""
    what = fields_of(request, lang) or md(request.step.label.in_(lang), 60)
    return say("replies.case_waits", lang, what=what)


def _sentence(reply: Reply, view: RunView | None, around: Surroundings, lang: Lang) -> str:
    """The code's phrase where its values are at hand, else its plain sister; ready words go before both. Where a case is
    about no money, a phrase may have a sister that speaks of none."""
    if reply.code in _ON_A_DECISION:
        why = md_lines(reply.text.in_(lang), 600) if reply.text else _phrase(reply, view, around, lang)
        return say("replies.not_counted", lang, why=why)
    if reply.text:
        return md_lines(reply.text.in_(lang), 1500)
    return _phrase(reply, view, around, lang)


def _phrase(reply: Reply, view: RunView | None, around: Surroundings, lang: Lang) -> str:
    values = _values(reply, view, around, lang)
    free = view is not None and not view.headline.priced
    for key in (*([f"replies.{reply.code}_free"] if free else []), f"replies.{reply.code}", f"replies.{reply.code}_plain"):
        if has_phrase(key) and _needs(key, lang) <= set(values):
            return say(key, lang, **values)
    return say("replies.refused", lang)


def _values(reply: Reply, view: RunView | None, around: Surroundings, lang: Lang) -> dict[str, str]:
    values = {name: md(value, 160) for name, value in reply.values.items() if value}
    if "at" in values:
        values["at"] = clock(reply.values["at"])
    request = view.open_request() if view else None
    level = reply.values.get("level") or (request.level if request else None)
    if lang == "en" and reply.values.get("level_en"):
        values["level"] = values["level_en"]
    elif level:
        values["level"] = md(level_of(level, around, lang), 40)
    if view is not None and reply.code == "not_yours":
        values.setdefault("name", md(view.owner.name, 40))
    if "name" in values and "at" in values:
        ending = reply.values.get("ending", "")
        values["verdict"] = say(f"replies.verdict_{ending if ending in ('approved', 'rejected') else 'other'}", lang)
    return values


def _needs(key: str, lang: Lang) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(catalogue()[key].in_(lang)) if name}
