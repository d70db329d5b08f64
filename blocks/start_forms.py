"""The forms of the App Home: a new case, a question to the handbook."""

from __future__ import annotations

from blocks.budget import Json
from blocks.inputs import Choices, choice_input, form, text_input
from blocks.kit import context
from blocks.press import Press
from graph.model import Lang
from graph.phrases import say


def new_case_form(lang: Lang, channels: Choices = ()) -> Json:
    """What is needed, in plain words; `channels` are the desk's, as (id, shown name)."""
    first = channels[0][0] if len(channels) == 1 else ""
    return form(
        Press(do="new_case"),
        lang,
        "new_case",
        [
            text_input(
                "text",
                say("forms.new_case_what", lang),
                multiline=True,
                max_length=1000,
                placeholder=say("forms.new_case_example", lang),
            ),
            choice_input("channel", say("forms.new_case_where", lang), channels, lang, initial=first) if channels else None,
            context(say("forms.new_case_no_secrets", lang)),
        ],
    )


def handbook_form(lang: Lang) -> Json:
    """A question to the agents' handbook."""
    return form(
        Press(do="handbook"),
        lang,
        "handbook",
        [text_input("text", say("forms.question", lang), multiline=True, placeholder=say("forms.handbook_example", lang))],
    )
