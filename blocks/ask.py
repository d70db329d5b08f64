"""What an `ask` step still needs: a thread reply with choices as buttons, and a form."""

from __future__ import annotations

from slack_sdk.models.blocks import InteractiveElement

from blocks.deeds import deed, press_of, spoken
from blocks.kit import OVERFLOW_OPTIONS, Card, actions, button, card, context, menu, option, section
from blocks.problems import candidate_name, problem_line
from blocks.surroundings import Surroundings
from blocks.text import clock, md, md_lines, push
from blocks.words import call_on, closer, fields_of, headline
from graph.model import ClosedRequest, FieldView, Lang, RequestView, RunView
from graph.phrases import say


def ask_card(view: RunView, request: RequestView, around: Surroundings) -> Card:
    """The question while it waits; once it is over, what was answered and by whom."""
    lang = view.lang
    if request.closed or not request.open:
        return _closed(view, request, lang)
    missing = say("cards.ask_missing", lang, who=call_on(view.owner), fields=fields_of(request, lang))
    fields = {field.name: field for field in request.fields}
    reasons = [problem_line(problem, fields.get(problem.field), lang) for problem in request.problems[:5]]
    secret = [field for field in request.fields if field.sensitive]
    only_secret = bool(secret) and len(secret) == len(request.fields)
    prompt = md_lines(request.prompt.in_(lang), 300) if request.prompt else ""
    return card(
        push(" · ".join([*reasons, missing]), f" · {_tail(view, lang)}"),
        section(*reasons, missing),
        actions(
            *_choices(view, request, lang),
            _all_in_turn(view, request, lang),
            deed(view, "form", lang, request, primary=only_secret, label=say("cards.fill_in", lang)),
        ),
        context(
            prompt,
            "" if only_secret else _example(request, lang),
            say("cards.ask_form_only", lang) if secret else "",
        ),
    )


def _tail(view: RunView, lang: Lang) -> str:
    about = md(view.order, 30) or md(headline(view.headline, lang), 60)
    return f"{about} {md(view.case, 40)}"


def _closed(view: RunView, request: RequestView, lang: Lang) -> Card:
    closed = request.closed
    line = closed_line(closed, lang) if closed else ""
    if closed is not None and closed.ending == "answered" and not closed.answer:
        return card(push(line, f" · {md(view.case, 40)}"), section(line))
    answered = closed is None or closed.ending == "answered"
    text = say(f"cards.ask_{'closed' if answered else 'over'}_push", lang, fields=fields_of(request, lang))
    return card(push(text, f" · {md(view.case, 40)}"), section("" if closed and closed.answer else text, line))


def closed_line(closed: ClosedRequest, lang: Lang) -> str:
    """How a question ended: who, when, and what was said."""
    name, at = closer(closed, lang), clock(closed.at)
    if closed.ending == "answered":
        key = "ask_answered" if closed.answer else "ask_not_used"
        return say(f"cards.{key}", lang, name=name, at=at, answer=md(closed.answer))
    if closed.ending == "expired":
        return say("cards.ask_expired", lang, at=at)
    return say("cards.ask_withdrawn", lang, name=name, at=at)


def _choices(view: RunView, request: RequestView, lang: Lang) -> list[InteractiveElement | None]:
    """Buttons for the first field that can be answered by one; a menu when there are more than five."""
    field = next((field for field in request.fields if _offered(request, field) and not field.sensitive), None)
    if field is None:
        return []
    named = [
        (candidate_name(value, field, lang), press_of(view, "answer", request, field=field.name, value=value))
        for value in _offered(request, field)
    ]
    if len(named) > OVERFLOW_OPTIONS:
        return [menu(say("cards.choose_one", lang), [option(name, press) for name, press in named])]
    return [button(name, press, spoken=spoken(name, view, lang)) for name, press in named]


def _all_in_turn(view: RunView, request: RequestView, lang: Lang) -> InteractiveElement | None:
    """Where several orders were named: each of them, one after the other."""
    field = request.fields[0] if len(request.fields) == 1 else None
    problem = next((each for each in request.problems if field is not None and each.field == field.name), None)
    if field is None or problem is None or field.type != "code" or len(problem.candidates) < 2:
        return None
    label = say("cards.both" if len(problem.candidates) == 2 else "cards.all_in_turn", lang)
    press = press_of(view, "both", request, field=field.name, value=" ".join(problem.candidates))
    return button(label, press, spoken=spoken(label, view, lang))


def _offered(request: RequestView, field: FieldView) -> list[str]:
    for problem in request.problems:
        if problem.field == field.name and problem.candidates:
            return problem.candidates
    return [choice.value for choice in field.choices]


def _example(request: RequestView, lang: Lang) -> str:
    parts: list[str] = []
    for field in request.fields:
        if field.sensitive:
            continue
        if field.type == "money":
            usd = field.unit == "USD"
            parts.append(say("cards.example_money_usd" if usd else "cards.example_money", lang, unit=md(field.unit, 12)))
        elif field.choices:
            choice = field.choices[0]
            parts.append(md((choice.cue or choice.label).in_(lang), 40))
    if not parts:
        return say("cards.ask_reply", lang)
    return say("cards.ask_reply_like", lang, example=say("cards.comma", lang).join(parts[:3]))
