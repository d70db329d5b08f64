"""Things laid out to take one of: each with its own button, and one to go on without."""

from __future__ import annotations

from slack_sdk.models.blocks import Block

from blocks.ask import closed_line
from blocks.deeds import press_of, spoken
from blocks.kit import Card, actions, button, card, context, section
from blocks.problems import problem_line
from blocks.surroundings import Surroundings
from blocks.text import md, md_lines, push
from blocks.words import call_on
from graph.model import RequestView, RunView
from graph.phrases import say

ANSWER, WITHOUT = "offer", "-"
"""The name and, for taking nothing, the value of what a button answers; the step knows both."""


def offer_card(view: RunView, request: RequestView, around: Surroundings) -> Card:
    """The list while it waits; once it is over, what was taken and by whom. The first section says the list in words."""
    lang = view.lang
    prompt = md_lines(request.prompt.in_(lang), 300) if request.prompt else ""
    tail = f" · {md(view.case, 40)}"
    if request.closed is not None or not request.open:
        line = closed_line(request.closed, lang) if request.closed else ""
        return card(push(line or prompt, tail), section(prompt, line))
    field = request.step.label.in_(lang)
    reasons = [problem_line(each.model_copy(update={"field": field}), None, lang) for each in request.problems[:3]]
    intro = " ".join((call_on(view.owner), prompt))
    parts: list[Block | None] = [section(*reasons, md_lines(request.remark, 300), intro)]
    for number, offer in enumerate(request.offers[:10], 1):
        press = press_of(view, "answer", request, field=ANSWER, value=offer.value)
        parts.append(section(f"*{number}. {md(offer.label, 80)}*", md_lines(offer.note, 300)))
        name = say("cards.take", lang, what=offer.label[:40])
        parts.append(actions(button(name, press, spoken=spoken(offer.label, view, lang))))
    if request.without is not None:
        label = request.without.in_(lang)
        press = press_of(view, "answer", request, field=ANSWER, value=WITHOUT)
        parts.append(actions(button(label, press, spoken=spoken(label, view, lang))))
    parts.append(context(say("cards.offer_reply", lang)) if request.offers else None)
    return card(push(" · ".join([*reasons, prompt]), tail), *parts)

