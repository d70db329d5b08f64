"""What calls for another step whatever was to be done next: once, until a review has answered it and its facts change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from graph.context import Context
from graph.errors import IncomparableFacts, MissingFact
from graph.model import Fact, Text
from graph.phrases import both
from graph.steps.base import Transition
from graph.steps.book import Book

PROGRESS = "progress"
"""The fact that says which state was left last, by which action and why: `state`, `action`, `code`, `zh`, `en`; `saved` is
the fact that holds what the action gave."""


class Alarm(NamedTuple):
    """An alarm that rings: where it leads, why, and the book in which it is noted."""

    way: Transition
    why: Text
    book: Book


def rung(watch: Sequence[Transition], facts: Mapping[str, Fact], ctx: Context, book: Book) -> Alarm | None:
    """The first that rings. What nobody has said calls for nothing; what cannot be compared calls a person."""
    for each in watch:
        name = each.when.source if each.when else ""
        try:
            holds = each.when is None or each.when.holds(facts)
        except MissingFact:
            continue
        except IncomparableFacts:
            holds = True
        digest = ctx.services.digest(each.names(), facts)
        if holds and book.answered.get(name) != digest:
            return Alarm(each, each.why or both(name), book.alarm(name, digest))
    return None


def progress(state: str, action: str, code: str, why: Text, at: str, saved: str = "") -> Fact:
    """How a state was left."""
    parts = {"state": state, "action": action, "code": code, "zh": why.zh or why.en, "en": why.en or why.zh}
    facts = {name: Fact(type="text", value=value) for name, value in (parts | ({"saved": saved} if saved else {})).items()}
    return Fact(type="record", value=facts, by="System", at=at)
