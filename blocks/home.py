"""The App Home: what waits for me, my open cases, what was done lately."""

from __future__ import annotations

from slack_sdk.models.blocks import ButtonElement
from slack_sdk.models.views import View

from blocks.budget import Json
from blocks.cases import case_rows
from blocks.kit import actions, button, header, numbered, section
from blocks.press import Do, Press
from blocks.surroundings import Offer, Surroundings
from graph.model import CaseRow, Lang
from graph.phrases import say

_BLOCKS = 100


def home(waiting: list[CaseRow], open_cases: list[CaseRow], done: list[CaseRow], around: Surroundings, lang: Lang) -> Json:
    """A view for `views.publish`. `waiting` is what this person must act on, oldest first; lists show ten rows each."""
    title = say("home.title", lang, waiting=str(len(waiting)), open=str(len(open_cases)))
    parts = [
        header(title),
        actions(
            _deed("new_case", around, lang, primary=True),
            _deed("handbook", around, lang),
            _deed("practise", around, lang),
        ),
        section(f"*{say('home.waiting', lang)}*" if waiting else say("home.nothing", lang)),
        *case_rows(waiting, lang, around),
        *([section(f"*{say('home.open', lang)}*"), *case_rows(open_cases, lang, around)] if open_cases else []),
        *([section(f"*{say('home.done', lang)}*"), *case_rows(done, lang, around)] if done else []),
    ]
    view: Json = View(type="home", blocks=numbered(parts, _BLOCKS)).to_dict()
    return view


def _deed(do: Offer, around: Surroundings, lang: Lang, *, primary: bool = False) -> ButtonElement | None:
    if do not in around.offers:
        return None
    deeds: dict[Offer, Do] = {"new_case": "new_case", "handbook": "handbook", "practise": "practise"}
    return button(say(f"home.{do}", lang), Press(do=deeds[do]), primary=primary)
