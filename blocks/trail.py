"""The record of a case in words, 40 lines a page, the newest page first."""

from __future__ import annotations

from blocks.deeds import press_of, spoken
from blocks.kit import Card, actions, button, card, context, paragraphs, section
from blocks.surroundings import Surroundings
from blocks.text import clock, cut, listed, md, push, quoted
from blocks.words import action_label, cash, headline, level_of, name_of, routes, subject
from graph.model import JsonValue, Lang, RunView, TrailEntry
from graph.phrases import catalogue, say, word

_WORDS_OF_PEOPLE = ("reject", "cancel", "correct", "answer", "hand_over", "approve", "inquire", "reply")
_ONWARDS = ("choose", "wait")
_PICKED = ("offered", "chosen")
PAGE, ROW_LIMIT, _VALUES = 40, 220, 6


def trail_card(view: RunView, lang: Lang, page: int = 0, around: Surroundings | None = None) -> Card:
    """A page of the record in a reader's language. Page 0 is the newest; a page that is not there is the oldest."""
    pages = max(1, -(-len(view.trail) // PAGE))
    page = min(max(page, 0), pages - 1)
    last = len(view.trail) - page * PAGE
    first = max(0, last - PAGE)
    title = say("trail.title", lang, case=md(view.case, 40))
    head = f"{md(headline(view.headline, lang), 70)} {md(subject(view), 50)}".rstrip()
    rows = [cut(trail_line(entry, view, around or Surroundings(), lang), ROW_LIMIT) for entry in view.trail[first:last]]
    count = say("trail.page", lang, first=str(first + 1), last=str(last), total=str(len(view.trail)))
    label = say("cards.earlier", lang)
    return card(
        push(f"{title} · {head}", ""),
        section(f"*{title}*", head),
        *paragraphs(rows or [say("trail.empty", lang)]),
        context(count if pages > 1 else ""),
        actions(button(label, press_of(view, "trail_page", value=str(page + 1)), spoken=spoken(label, view, lang)))
        if first
        else None,
    )


def trail_line(entry: TrailEntry, view: RunView, around: Surroundings, lang: Lang) -> str:
    """One line: when, what, with what values, why."""
    who = name_of(entry.by, view, around) if entry.by else say("trail.by_system", lang)
    if entry.acting_for:
        who = say("trail.in_place_of", lang, who=who, of=md(entry.acting_for, 40))
    step = _step_name(entry.step, view, lang)
    fields = listed([_label(name, view, lang) for name in entry.fields[:_VALUES]], lang)
    what = say(
        f"trail.{_key(entry)}",
        lang,
        who=who,
        step=step,
        fields=fields,
        rule=md(entry.rule or "", 60),
        level=md(level_of(entry.level, around, lang, article=True), 40),
    )
    details = [_value(entry, name, value, view, around, lang) for name, value in list(entry.values.items())[:_VALUES]]
    if entry.routes:
        details.append(routes(entry.routes, lang))
    if entry.rule and entry.what not in ("check", "plan"):
        details.append(say("trail.rule", lang, rule=md(entry.rule, 60)))
    if reason := _reason(entry, view, lang):
        details.append(reason)
    if entry.goto:
        where = "on_to" if entry.what in _ONWARDS else "back_to"
        details.append(say(f"trail.{where}", lang, step=_step_name(entry.goto, view, lang)))
    line = say("trail.line", lang, at=clock(entry.at), what=what)
    return say("cards.colon", lang).join([line, say("cards.comma", lang).join(details)]) if details else line


def _key(entry: TrailEntry) -> str:
    if entry.what == "check" and entry.rule:
        return "check_rule"
    if entry.what == "ask":
        return "asked_level" if entry.level else "ask" if entry.fields else "ask_step"
    if entry.what == "confirm" and entry.goto:
        return "confirm_no"
    return entry.what


def _reason(entry: TrailEntry, view: RunView, lang: Lang) -> str:
    if entry.what == "skip":
        step = next((step for step in view.steps if step.id == entry.step and step.why), None)
        return md(step.why.in_(lang) if step and step.why else entry.reason, 160)
    if not entry.reason:
        return ""
    return quoted(entry.reason, lang, 160) if entry.what in _WORDS_OF_PEOPLE else md(entry.reason, 160)


def _step_name(step: str, view: RunView, lang: Lang) -> str:
    known = next((known for known in view.steps if known.id == step), None)
    return md(known.label.in_(lang) if known else step, 60)


def _label(name: str, view: RunView, lang: Lang) -> str:
    labels = {field.name: field.label for field in view.correctable} | {fact.name: fact.label for fact in view.facts}
    label = labels.get(name) or catalogue().get(f"facts.{name}")
    return md(label.in_(lang) if label else name, 40)


def _value(entry: TrailEntry, name: str, value: JsonValue, view: RunView, around: Surroundings, lang: Lang) -> str:
    if name == "to" and isinstance(value, str):
        return name_of(value, view, around)
    if name == "until" and isinstance(value, str) and value:
        return say("trail.fact", lang, label=_label(name, view, lang), value=clock(value, day=True))
    shown = _picked(value, lang) if entry.what == "choose" and name in _PICKED else _shown(name, value, view, lang)
    if entry.what in ("call", "check") or name == "sop":
        # The step's own label has said what this is.
        return shown
    return say("trail.fact", lang, label=_label(name, view, lang), value=shown)


def _picked(value: JsonValue, lang: Lang) -> str:
    return listed([action_label(str(each), lang) for each in (value if isinstance(value, list) else [value])], lang)


def _shown(name: str, value: JsonValue, view: RunView, lang: Lang) -> str:
    if isinstance(value, bool):
        return say("trail.is_true" if value else "trail.is_false", lang)
    if isinstance(value, dict | list):
        parts = list(value.values() if isinstance(value, dict) else value)
        flat = [_shown("", part, view, lang) for part in parts if part is not None and not isinstance(part, dict | list)]
        return listed(flat[:_VALUES], lang)
    field = next((field for field in view.correctable if field.name == name), None)
    if field and field.type == "money" and isinstance(value, str):
        return cash(value, field.unit)
    choice = next((choice for choice in field.choices if choice.value == value), None) if field else None
    fact = next((fact for fact in view.facts if fact.name == name), None)
    if choice:
        return md(choice.label.in_(lang), 80)
    if fact and fact.text.en.startswith(f"{cash(str(value), '').strip()} "):
        # A bare number of money whose fact is still the same: the fact has the currency.
        return md(fact.text.in_(lang), 80)
    return md("–" if value is None else word(str(value)).in_(lang), 80)
