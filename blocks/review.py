"""The card of a decision with options of its own, such as the review of a refund: the whole record, then the options."""

from __future__ import annotations

from slack_sdk.models.blocks import Block

from blocks.approval_ended import ended_head, ended_line, is_approved
from blocks.deeds import press_of, spoken
from blocks.evidence import evidence
from blocks.kit import Card, actions, button, card, context, header, option, overflow, paragraphs, section
from blocks.surroundings import Surroundings
from blocks.text import clock, clock_after, listed, md, push
from blocks.voters import votes_line
from blocks.words import about_of, action_label, called, has_phrase, headline, nobody, subject
from graph.model import JsonValue, Lang, RequestView, RunView, TrailEntry
from graph.phrases import say, word

_TRIES, _PARTS = 10, 10


def review_card(view: RunView, request: RequestView, around: Surroundings, lang: Lang) -> Card:
    """Why a person is needed, what was said, the way the case went, each try with what was offered, chosen and returned;
    the options, none of them the primary one."""
    about = about_of(view, request)
    head = headline(about.headline, lang, request.amount)
    is_open = request.open and request.closed is None
    title = say("cards.review_open", lang, headline=head) if is_open else _ended(view, request, around, lang, head)
    why = md(request.because.in_(lang), 200) if request.because else ""
    return card(
        push(f"{md(title, 90)} · {md(subject(about), 50)} · {why}", f" · {md(view.case, 40)}"),
        header(title),
        section(md(subject(about), 100), why),
        context(evidence(view, request.model_copy(update={"rules_total": 0}), around, lang)),
        section(_way(request, lang)),
        *paragraphs([_try(each, request, lang) for each in request.tries[-_TRIES:]]),
        context(_told(request, lang)),
        context(nobody(request, around, lang)) if is_open else None,
        context(votes_line(request, lang)) if is_open or not is_approved(request) else None,
        _options(view, request, around, lang) if is_open else None,
        context(_foot(view, request, around, lang, is_open)),
        section(ended_line(view, request, around, lang)) if not is_open else None,
    )


def _ended(view: RunView, request: RequestView, around: Surroundings, lang: Lang, head: str) -> str:
    closed = request.closed
    if closed is not None and closed.ending in ("approved", "rejected") and closed.answer:
        return say("cards.review_decided", lang, option=closed.answer, headline=head)
    return ended_head(view, request, around, lang, head)


def _way(request: RequestView, lang: Lang) -> str:
    """The states with the time at which each was entered."""
    passed: list[tuple[str, str]] = []
    for entry in request.tries:
        if not passed or passed[-1][0] != entry.step:
            passed.append((entry.step, entry.at))
    passed.append((request.step.id, request.made_at))
    said = [say("cards.review_way", lang, step=_state(step, request, lang), at=clock(at)) for step, at in passed[-8:]]
    return say("cards.review_arrow", lang).join(said)


def _told(request: RequestView, lang: Lang) -> str:
    if not request.told:
        return say("cards.review_told_nothing", lang)
    return say("cards.review_told", lang, words=md(request.told, 300))


def _try(entry: TrailEntry, request: RequestView, lang: Lang) -> str:
    values = entry.values
    state, chosen = _state(entry.step, request, lang), action_label(str(values.get("chosen", "")), lang)
    if values.get("refused"):
        return say(
            "cards.review_refused", lang, at=clock(entry.at), state=state, chosen=chosen, result=md(entry.reason, 60)
        )
    return say(
        "cards.review_try",
        lang,
        at=clock(entry.at),
        state=state,
        offered=listed([action_label(str(each), lang) for each in _list(values.get("offered"))], lang),
        chosen=chosen or "–",
        arguments=parts_of(values.get("arguments"), lang),
        result=parts_of(values.get("result"), lang) or md(entry.reason, 80) or say("cards.review_nothing", lang),
        seconds=md(str(values.get("seconds", "0")), 12),
    )


def _state(step: str, request: RequestView, lang: Lang) -> str:
    known = request.states.get(step)
    return md(known.in_(lang) if known else step, 60)


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def parts_of(value: JsonValue, lang: Lang) -> str:
    """The parts of a record by name, as far as they are plain."""
    if not isinstance(value, dict):
        return "" if value is None else _plain(value, lang)
    shown = [(name, part) for name, part in value.items() if part is not None and not isinstance(part, dict | list)]
    return listed([f"{_name(name, lang)} {_plain(part, lang)}" for name, part in shown[:_PARTS]], lang)


def _name(part: str, lang: Lang) -> str:
    return say(f"parts.{part}", lang) if has_phrase(f"parts.{part}") else md(part, 40)


def _plain(value: JsonValue, lang: Lang) -> str:
    if isinstance(value, bool):
        return say("trail.is_true" if value else "trail.is_false", lang)
    return md(word(str(value)).in_(lang), 60)


def _options(view: RunView, request: RequestView, around: Surroundings, lang: Lang) -> Block | None:
    to_case = around.link(view.case)
    buttons = []
    for each in request.options:
        label = f"{each.label.in_(lang)}…"
        press = press_of(view, "option", request, field=each.verdict, value=each.id)
        buttons.append(button(label, press, spoken=spoken(label, view, lang)))
    return actions(
        *buttons,
        overflow(
            option(say("cards.open_case", lang), press_of(view, "go"), to_case) if to_case else None,
            option(say("cards.facts", lang), press_of(view, "facts")),
        ),
    )


def _foot(view: RunView, request: RequestView, around: Surroundings, lang: Lang, is_open: bool) -> str:
    place = around.levels.get(request.level) if request.level else None
    parts = [say("cards.approval_asker", lang, name=md(view.owner.name, 40))]
    if is_open and place and (who := called(place, request)):
        parts.append(who)
    if is_open and request.due:
        parts.append(say("cards.approval_due", lang, at=clock_after(request.due, request.made_at)))
    return " · ".join([*parts, md(view.case, 40)])
