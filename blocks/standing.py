"""How far a case is: where it stands, what came last, when it goes on by itself."""

from __future__ import annotations

from blocks.case import standing
from blocks.kit import Card, card, context, section
from blocks.review import parts_of
from blocks.surroundings import Surroundings
from blocks.text import clock, cut, md, push
from blocks.trail import trail_line
from blocks.words import action_label
from graph.model import Lang, Reply, RunView, TrailEntry
from graph.phrases import say

_LONGEST = 300


def standing_card(reply: Reply, view: RunView, around: Surroundings, lang: Lang) -> Card:
    """The line of the case card, the last line of the record that tells of something done, and the next clock."""
    where = standing(view, around, lang)
    done = [entry for entry in view.trail if entry.tool or "told" in entry.values]
    last = cut(_line(done[-1], view, around, lang), _LONGEST) if done else ""
    until = reply.values.get("until", "")
    until = say("replies.standing_until", lang, at=clock(until, day=True)) if until else ""
    return card(push(where, ""), section(where, last), context(until), context(md(view.case, 40)))


def _line(entry: TrailEntry, view: RunView, around: Surroundings, lang: Lang) -> str:
    """What was asked and what came back; how it was picked stands in the record."""
    action, result = str(entry.values.get("chosen", "")), parts_of(entry.values.get("result"), lang)
    if entry.what != "choose" or not action or not result:
        return trail_line(entry, view, around, lang)
    return say("replies.standing_last", lang, at=clock(entry.at), action=action_label(action, lang), result=result)
