"""The forms of a case's agent: details, correction, cancelling, handing over."""

from __future__ import annotations

from collections.abc import Mapping

from slack_sdk.models.blocks import Block

from blocks.budget import Json
from blocks.inputs import field_input, form, person_input, text_input
from blocks.kit import context, section
from blocks.press import Do, Press
from blocks.problems import candidate_name, problem_line
from blocks.text import md
from blocks.words import headline, routes, subject
from graph.model import FieldView, Lang, RequestView, Route, RunView
from graph.phrases import say


def details_form(view: RunView, request: RequestView, lang: Lang, errors: Mapping[str, str] | None = None) -> Json:
    """The form of an `ask`: an input for each missing field. `errors` by field are shown at the top and under it."""
    wrong = errors or {}
    problems = [
        problem_line(problem, _field(request, problem.field), lang)
        for problem in request.problems[:5]
        if problem.field not in wrong
    ]
    return form(
        form_press(view, "form", request),
        lang,
        "details",
        [
            about(view, lang),
            section(*(md(words, 200) for words in wrong.values()), *problems),
            *(_asked(field, request, wrong.get(field.name, ""), lang) for field in request.fields),
            context(say("forms.private", lang)) if any(field.sensitive for field in request.fields) else None,
        ],
    )


def correct_form(view: RunView, lang: Lang) -> Json:
    """All that can be corrected, prefilled; a sensitive field stays empty, and empty means unchanged."""
    pending = any(request.open and request.kind == "approve" for request in view.requests)
    return form(
        form_press(view, "correct"),
        lang,
        "correct",
        [
            about(view, lang),
            context(say("forms.correct_withdraws", lang)) if pending else None,
            *(_corrected(field, lang) for field in view.correctable),
            None if view.correctable else section(say("forms.correct_nothing", lang)),
        ],
        submits=bool(view.correctable),
    )


def changed_values(view: RunView, values: Mapping[str, str]) -> dict[str, str]:
    """What a submitted correction really changes: a field whose words are those it was filled with is left out."""
    shown = {field.name: _prefilled(field) for field in view.correctable}
    return {name: words for name, words in values.items() if name in shown and words != shown[name]}


def cancel_form(view: RunView, lang: Lang) -> Json:
    """Asks for the reason and says what was done already, else that no money moved."""
    paid = [route for entry in view.trail if entry.what == "call" for route in entry.routes]
    return form(
        form_press(view, "cancel"),
        lang,
        "cancel",
        [
            about(view, lang),
            section(_moved(paid, lang)) if view.headline.priced else None,
            text_input("reason", say("forms.reason", lang), multiline=True),
        ],
    )


def hand_over_form(view: RunView, lang: Lang) -> Json:
    """To whom, and a note."""
    return form(
        form_press(view, "hand_over"),
        lang,
        "hand_over",
        [
            about(view, lang),
            person_input("to", say("forms.hand_over_to", lang), say("forms.hand_over_choose", lang)),
            text_input("note", say("forms.note", lang), multiline=True, optional=True),
        ],
    )


def form_press(view: RunView, do: Do, request: RequestView | None = None) -> Press:
    """What a form carries. ValueError when an id is too long to be ours."""
    return Press(do=do, thread=view.thread, case=view.case, request=request.id if request else "")


def about(view: RunView, lang: Lang, amount: str | None = None) -> Block | None:
    """A form's first line: the money, for whom, which case."""
    parts = (md(part, 80) for part in (subject(view), view.case) if part)
    return section(f"*{md(headline(view.headline, lang, amount), 120)}*", " · ".join(parts))


def _moved(paid: list[Route], lang: Lang) -> str:
    return say("forms.money_moved", lang, routes=routes(paid, lang)) if paid else say("forms.money_still", lang)


def _field(request: RequestView, name: str) -> FieldView | None:
    return next((field for field in request.fields if field.name == name), None)


def _asked(field: FieldView, request: RequestView, error: str, lang: Lang) -> Block:
    named = [value for problem in request.problems if problem.field == field.name for value in problem.candidates]
    initial = "" if field.sensitive else field.current or (named[0] if len(named) == 1 else "")
    hint = error
    if not hint and len(named) > 1 and not field.choices and not field.sensitive:
        names = [candidate_name(value, field, lang) for value in named[:5]]
        hint = say("forms.candidates", lang, values=say("cards.list", lang).join(names))
    return field_input(field, lang, hint=hint, initial=initial)


def _corrected(field: FieldView, lang: Lang) -> Block:
    hint = ""
    if field.sensitive and field.current:
        hint = say("forms.keep_empty", lang, current=field.current)
    return field_input(field, lang, initial=_prefilled(field), hint=hint, optional=True)


def _prefilled(field: FieldView) -> str:
    return "" if field.sensitive else field.current.strip()[: field.max_length]
