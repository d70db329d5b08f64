"""Cases in rows: to pick one of several, and on the App Home."""

from __future__ import annotations

from typing import Literal

from slack_sdk.models.blocks import Block

from blocks.kit import Card, button, card, context, section
from blocks.press import Do, Press
from blocks.surroundings import Surroundings
from blocks.text import clock, is_link, md, plain, push
from blocks.words import ROWS, has_phrase, headline, level_of, more
from graph.model import CaseRow, Lang
from graph.phrases import say

Shows = Literal["facts", "trail"]


def case_list(
    rows: list[CaseRow], lang: Lang, around: Surroundings | None = None, shows: Shows | None = None
) -> Card:
    """The question which case is meant, with a button a row; with `shows` it shows that of the case."""
    title = say("home.which" if rows else "home.none", lang)
    return card(push(title, ""), section(title), *case_rows(rows, lang, around or Surroundings(), shows))


def pending_list(rows: list[CaseRow], lang: Lang, around: Surroundings) -> Card:
    """What waits for a person, oldest first, each row with the way to its card: nobody decides without the evidence."""
    title = say("home.pending" if rows else "home.nothing", lang, count=str(len(rows)))
    return card(push(title, ""), section(f"*{title}*"), *case_rows(rows, lang, around))


def case_rows(
    rows: list[CaseRow], lang: Lang, around: Surroundings, shows: Shows | None = None
) -> list[Block | None]:
    """Up to ten rows, then how many more there are."""
    return [_row(row, lang, around, shows) for row in rows[:ROWS]] + [context(*more(len(rows) - ROWS, lang))]


def _row(row: CaseRow, lang: Lang, around: Surroundings, shows: Shows | None) -> Block | None:
    whom = " · ".join(md(part, 50) for part in (row.customer, row.order, row.case) if part)
    ended = row.status in ("done", "stopped", "cancelled", "answered")
    at = clock(row.since or row.updated_at, day=True)
    when = say("home.at" if ended else "home.since", lang, state=_state(row, lang, around), at=at)
    to_card = "" if shows else around.link(row.request) or around.link(row.case)
    reachable = is_link(to_card)
    label = say("home.go" if reachable else "home.open_button", lang)
    press = _press(row, shows or ("go" if reachable else "open"))
    return section(
        f"*{md(headline(row.headline, lang), 100)}*",
        whom,
        when,
        accessory=button(
            label,
            press,
            spoken=say("cards.spoken", lang, label=label, order=plain(row.order or row.case, 30)),
            url=to_card,
        ),
    )


def _press(row: CaseRow, do: Do) -> Press | None:
    try:
        return Press(do=do, thread=row.thread, case=row.case)
    except ValueError:
        return None


def _state(row: CaseRow, lang: Lang, around: Surroundings) -> str:
    """`waits_for` is a kind of request, a level, or ready words."""
    if row.status == "working" and row.waits_for == "queued":
        return say("cards.state_queued", lang)
    if row.status != "waiting":
        return say(f"cards.state_{row.status}", lang)
    if (row.level or row.waits_for) in around.levels:
        level = level_of(row.level or row.waits_for, around, lang, article=True)
        return say("cards.state_approve", lang, level=md(level, 40))
    if not row.waits_for:
        return say("cards.state_wait", lang)
    if row.waits_for == "approve":
        return say("cards.state_approve", lang, level=level_of(None, around, lang))
    key = f"cards.state_{row.waits_for}"
    return say(key, lang) if has_phrase(key) else md(row.waits_for, 80)
