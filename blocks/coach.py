"""The coach's cards: the brief, what the customer says, the score card, and what trainees and leads look up."""

from __future__ import annotations

from collections.abc import Sequence

from slack_sdk.models.blocks import Block, ImageBlock
from slack_sdk.models.blocks.basic_components import SlackFile

from blocks.deeds import press_of
from blocks.kit import Card, actions, button, card, context, header, paragraphs, section
from blocks.press import Do, Press
from blocks.text import clock, md, mention, plain, push
from blocks.words import ROWS, more
from graph.model import CaseRow, DrillView, Lang, RequestView, RunView, ScenarioRow
from graph.phrases import say

_ANSWER = "drill"
"""The name of what the buttons answer; the step knows it."""
_ALT_LIMIT = 1900


def brief_card(view: RunView, drill: DrillView) -> Card:
    """What is practised and how; it stays as it is."""
    lang = view.lang
    title = say("coach.practice", lang, title=drill.title.in_(lang))
    return card(
        push(md(title), f" {md(view.owner.name, 40)} · {md(view.case, 40)}"),
        header(plain(title, 150)),
        section(say("coach.role", lang, who=mention(view.owner.id), goal=md(drill.goal.in_(lang), 300))),
        context(say("coach.only_you", lang, case=md(view.case, 40))),
    )


def customer_card(view: RunView, request: RequestView) -> Card:
    """What the customer says; with the buttons while the trainee is to answer it."""
    lang = view.lang
    words = md(request.prompt.in_(lang), 1000) if request.prompt else ""
    line = say("coach.says", lang, words=words)
    buttons = None
    if request.open and request.closed is None:
        buttons = actions(
            *(
                button(say(f"coach.button_{what}", lang), press_of(view, "answer", request, field=_ANSWER, value=what))
                for what in ("hint", "right", "end")
            )
        )
    return card(push(line, ""), section(line), buttons)


def score_card(view: RunView, drill: DrillView, picture: str | None) -> Card:
    """The end of a drill: points, the path, each slip with its reason. `picture` is the id of the tree's file."""
    lang = view.lang
    title = say("coach.score", lang, score=str(drill.score), title=drill.title.in_(lang))
    path = md(drill.path.in_(lang), 1500) if drill.path else ""
    slips = [md(slip.in_(lang), 900) for slip in drill.slips[:ROWS]]
    tail = " · ".join(
        filter(None, [say("coach.hints", lang, count=str(drill.hints)), md(drill.why.in_(lang)) if drill.why else ""])
    )
    again = Press(do="practise", thread=view.thread, case=view.case, value=drill.scenario)
    return card(
        push(f"{md(title)} · {path}", ""),
        header(plain(title, 150)),
        section(path),
        _picture(picture, f"{title} · {drill.path.in_(lang) if drill.path else ''}"),
        *paragraphs([*slips, *more(len(drill.slips) - ROWS, lang), tail]),
        actions(
            button(say("coach.button_again", lang), again, primary=True),
            button(say("coach.button_turns", lang), _press("turns", view)),
        ),
    )


def turns_card(drill: DrillView, lang: Lang) -> Card:
    """Every turn: what was due, what was done, and why points were taken off."""
    lines = []
    for turn in drill.turns:
        reason = f" · {md(turn.reason.in_(lang), 600)}" if turn.reason else ""
        lines.append(md(turn.line.in_(lang), 300) + reason)
    title = say("coach.score", lang, score=str(drill.score), title=drill.title.in_(lang))
    return card(push(md(title), ""), section(f"*{md(title, 150)}*"), *paragraphs(lines[:60]))


def scenarios_card(rows: Sequence[ScenarioRow], lang: Lang, unknown: str = "") -> Card:
    """What can be practised, each with a button that begins it."""
    title = say("coach.unknown", lang, name=md(unknown, 40)) if unknown else say("coach.which", lang)
    parts: list[Block | None] = [section(title)]
    for row in rows[:40]:
        parts.append(
            section(
                f"*{md(row.title.in_(lang), 100)}* · `{md(row.name, 60)}`",
                md(row.goal.in_(lang), 300),
                accessory=button(say("coach.button_start", lang), Press(do="practise", value=row.name)),
            )
        )
    return card(push(title, ""), *parts)


def scores_card(rows: Sequence[CaseRow], lang: Lang) -> Card:
    """One's own drills that have ended, the newest first."""
    done = [row for row in rows if row.drill is not None]
    title = say("coach.scores" if done else "coach.no_scores", lang, count=str(len(done)))
    return card(push(title, ""), section(title), *paragraphs([*_scores(done, lang), *more(len(done) - ROWS, lang)]))


def _scores(rows: Sequence[CaseRow], lang: Lang) -> list[str]:
    return [
        say(
            "coach.score_line",
            lang,
            at=clock(row.updated_at, day=True),
            score=str(row.drill.score),
            title=md(row.drill.title.in_(lang), 80),
            case=md(row.case, 40),
        )
        for row in rows[:ROWS]
        if row.drill is not None
    ]


def _picture(file: str | None, alt: str) -> Block | None:
    return ImageBlock(alt_text=plain(alt, _ALT_LIMIT) or "–", slack_file=SlackFile(id=file)) if file else None


def _press(do: Do, view: RunView) -> Press | None:
    try:
        return Press(do=do, thread=view.thread, case=view.case)
    except ValueError:
        return None
