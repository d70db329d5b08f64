"""The forms that an approver or a lead fills in: reject, another amount, a question, a parked payment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from blocks.budget import Json
from blocks.forms import about, form_press
from blocks.inputs import choice_input, form, text_input
from blocks.kit import context, section
from blocks.press import Press
from blocks.text import md, tidy
from graph.model import Lang, RequestView, RunView, Text
from graph.phrases import say

SAVED = "saved"
"""The field that holds a saved reason; a typed one goes before it (see `reason_of`)."""


def reject_form(view: RunView, request: RequestView, lang: Lang, saved: Sequence[Text] = ()) -> Json:
    """Asks for the reason, which the agent reads as it stands. `saved` reasons are offered as a menu."""
    reasons = [(tidy(reason.in_(lang), 150), reason.in_(lang)) for reason in saved if tidy(reason.in_(lang))]
    return form(
        form_press(view, "reject", request),
        lang,
        "reject",
        [
            about(view, lang, request.amount),
            choice_input(SAVED, say("forms.saved_reasons", lang), reasons, lang, optional=True) if reasons else None,
            text_input(
                "reason",
                say("forms.reason", lang),
                hint=say("forms.reject_seen", lang),
                multiline=True,
                optional=bool(reasons),
            ),
        ],
    )


def reason_of(values: dict[str, str]) -> str:
    """The reason of a submitted rejection: the typed one, else the saved one, else nothing."""
    return values.get("reason") or values.get(SAVED, "")


def amount_form(view: RunView, request: RequestView, lang: Lang) -> Json:
    """Approves another amount, not above the one asked, with a reason."""
    asked = request.amount or ""
    unit = asked.rpartition(" ")[2]
    label = say("forms.amount", lang, unit=unit) if asked else say("forms.amount_plain", lang)
    return form(
        form_press(view, "another_amount", request),
        lang,
        "another_amount",
        [
            about(view, lang, request.amount),
            text_input("amount", label, hint=say("forms.not_above", lang, amount=asked) if asked else "", max_length=30),
            text_input("reason", say("forms.reason", lang), hint=say("forms.reject_seen", lang), multiline=True),
        ],
    )


def question_form(view: RunView, request: RequestView, lang: Lang) -> Json:
    """A question to the requester, put in the case's thread."""
    return form(
        form_press(view, "ask_requester", request),
        lang,
        "ask_requester",
        [
            about(view, lang, request.amount),
            text_input("question", say("forms.question", lang), hint=say("forms.question_where", lang), multiline=True),
        ],
    )


def settle_form(view: RunView, request: RequestView, lang: Lang, outcome: Literal["paid", "unpaid"]) -> Json:
    """A lead says what became of a payment whose result was not known; the remark is required."""
    return form(
        form_press(view, outcome, request),
        lang,
        outcome,
        [
            about(view, lang, request.amount),
            context(md(say("forms.settle_check", lang))),
            text_input("remark", say("forms.remark", lang), multiline=True),
        ],
    )


def option_form(view: RunView, request: RequestView, press: Press, lang: Lang) -> Json | None:
    """Decides by one of the request's options, with a remark; None where it is offered no more."""
    chosen = next((each for each in request.options if each.id == press.value), None)
    if chosen is None:
        return None
    return form(
        form_press(view, "option", request).model_copy(update={"field": chosen.verdict, "value": chosen.id}),
        lang,
        "option",
        [
            about(view, lang, request.amount),
            section(f"*{md(chosen.label.in_(lang), 60)}*"),
            text_input("reason", say("forms.remark", lang), hint=say("forms.reject_seen", lang), multiline=True),
        ],
    )
