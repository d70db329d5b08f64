"""The case card: the first reply in a thread, updated in place."""

from __future__ import annotations

from slack_sdk.models.blocks import Block

from blocks.deeds import deed, press_of
from blocks.kit import Card, actions, card, context, header, option, overflow, section
from blocks.press import Do
from blocks.surroundings import Surroundings
from blocks.text import channel, clock, link, listed, md, push
from blocks.voters import votes_line
from blocks.words import (
    ROWS,
    call_on,
    cancelled,
    fields_of,
    headline,
    level_of,
    more,
    name_of,
    nobody,
    routes,
    subject,
)
from graph.model import Lang, RequestView, RunView, StepState, StepView
from graph.phrases import say

_OVER = ("done", "stopped", "cancelled", "answered")


def case_card(view: RunView, around: Surroundings) -> Card:
    """Where a case stands: for whom, what is done, what it waits for, what can be done with it."""
    lang = view.lang
    head = f"{headline(view.headline, lang)} · {state(view, around, lang)}"
    for_whom = subject(view)
    lead = " · ".join(md(part) for part in (view.customer, view.order, view.reason) if part)
    push_lead = say("cards.comma", lang).join(md(part, 60) for part in (for_whom, view.reason) if part)
    return card(
        push(say("cards.sentence", lang).join(filter(None, (md(head, 110), push_lead))), f" {md(view.case, 40)}"),
        header(head),
        section(lead, standing(view, around, lang)),
        section(*_steps(view, lang)),
        _deeds(view, around, lang),
        context(" · ".join(md(part, 80) for part in (view.case, view.owner.name, f"{view.sop} {view.version}") if part)),
    )


def state(view: RunView, around: Surroundings, lang: Lang) -> str:
    """The words that a case's headline ends with, unescaped."""
    if view.behind and view.status == "working":
        return say("cards.state_queued", lang)
    request = view.open_request()
    if view.status != "waiting" or request is None:
        return say(f"cards.state_{'working' if view.status == 'waiting' else view.status}", lang)
    kind = "ask" if request.kind == "drill" else request.kind
    return say(f"cards.state_{kind}", lang, level=level_of(request.level, around, lang, article=True))


def standing(view: RunView, around: Surroundings, lang: Lang) -> str:
    """Where a case stands, in one line, escaped: what it waits for and since when, or how it ended."""
    if view.status in _OVER:
        return _ended(view, around, lang)
    if view.behind and view.status == "working":
        return say("cards.line_queued", lang, case=md(view.behind, 40))
    request = view.open_request()
    if request is None:
        return listed([_label(step, lang) for step in view.steps if step.state == "now"][:1], lang)
    at = clock(request.made_at)
    step = _label(request.step, lang)
    who = call_on(view.owner)
    match request.kind:
        case "approve":
            line = _approvers(request, around, lang, at)
        case "ask" | "drill":
            line = say("cards.line_ask", lang, who=who, at=at, what=fields_of(request, lang) or step)
        case "confirm":
            line = say("cards.line_confirm", lang, who=who, at=at)
        case "hold":
            line = say("cards.line_hold", lang, step=step, at=at)
        case "park":
            line = say("cards.line_park", lang, leads=around.leads or say("cards.a_lead", lang))
        case "wait":
            line = say("cards.line_wait", lang, step=step, at=at)
    return line


def _approvers(request: RequestView, around: Surroundings, lang: Lang, at: str) -> str:
    if request.error == "nobody":
        return nobody(request, around, lang)
    place = around.levels.get(request.level) if request.level else None
    where = channel(place.channel) if place and place.channel else md(level_of(request.level, around, lang))
    line = say("cards.line_approve", lang, channel=where, at=at)
    if votes := votes_line(request, lang):
        line = f"{line} · {votes}"
    to_card = around.link(request.id)
    return f"{line} · {link(to_card, say('cards.see_request', lang))}" if to_card else line


def _ended(view: RunView, around: Surroundings, lang: Lang) -> str:
    if view.result is not None:
        return routes(view.result.routes, lang)
    if view.stopped is None:
        return ""
    stopped = view.stopped
    if view.status == "cancelled":
        return cancelled(view, around, lang)
    parts = [say("cards.by_rule", lang, rule=md(stopped.rule, 60))] if stopped.rule else []
    if stopped.by:
        parts.append(say("cards.who_when", lang, name=name_of(stopped.by, view, around), at=clock(stopped.at)))
    return " · ".join([*parts, md(stopped.why.in_(lang))])


def _steps(view: RunView, lang: Lang) -> list[str]:
    order: tuple[StepState, ...] = ("done", "skipped", "now", "next")
    return [line for line in (_step_line(view, kind, lang) for kind in order) if line]


def _step_line(view: RunView, kind: StepState, lang: Lang) -> str:
    steps = [step for step in view.steps if step.state == kind]
    if not steps or (kind == "next" and view.status in _OVER):
        return ""
    names = [_step(step, lang) for step in steps[:ROWS]] + more(len(steps) - ROWS, lang)
    title = "stopped" if kind == "now" and view.status in _OVER else kind
    return f"*{say(f'cards.steps_{title}', lang)}*  {' · '.join(names)}"


def _step(step: StepView, lang: Lang) -> str:
    name = _label(step, lang)
    if step.note:
        name = f"{name} {md(step.note.in_(lang), 80)}"
    if step.why:
        name = say("cards.step_why", lang, step=name, why=md(step.why.in_(lang), 80))
    return name


def _label(step: StepView, lang: Lang) -> str:
    return md(step.label.in_(lang), 60)


def _deeds(view: RunView, around: Surroundings, lang: Lang) -> Block | None:
    request = view.open_request()
    if view.status in _OVER:
        return actions(deed(view, "facts", lang), deed(view, "trail", lang))
    kind = request.kind if request else ""
    urgent: tuple[Do, ...] = ("retry",) if kind == "hold" else ()
    if kind == "park" and "settle" in around.offers:
        urgent = ("paid", "unpaid")
    return actions(
        *(deed(view, do, lang, request) for do in urgent),
        deed(view, "facts", lang),
        deed(view, "trail", lang),
        deed(view, "correct", lang) if view.correctable else None,
        overflow(
            option(say("cards.hand_over", lang), press_of(view, "hand_over")) if not view.behind else None,
            option(say("cards.cancel", lang), press_of(view, "cancel")),
        ),
    )
