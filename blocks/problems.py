"""Why a field was not taken, in a sentence."""

from __future__ import annotations

from blocks.text import capital, md
from blocks.words import cash
from graph.model import FieldView, Lang, Problem
from graph.phrases import say


def problem_line(problem: Problem, field: FieldView | None, lang: Lang) -> str:
    """The reason, for `mrkdwn`. What was said of a sensitive field is not repeated."""
    label = md(field.label.in_(lang) if field else problem.field, 60)
    hidden = field is not None and field.sensitive
    said = md(problem.quote, 80) if not hidden else ""
    candidates = "" if hidden else _candidates(problem, field, lang)
    return say(
        _key(problem, candidates),
        lang,
        field=_opening(label, lang),
        quote=said or say("cards.problem_what_was_said", lang),
        limit=md(problem.limit, 40),
        candidates=_opening(candidates, lang),
    )


def _opening(words: str, lang: Lang) -> str:
    return capital(words) if lang == "en" else words


def _key(problem: Problem, candidates: str) -> str:
    if problem.code != "several":
        return f"problems.{problem.code}"
    if not candidates:
        return "cards.problem_several_open"
    return "cards.problem_both" if len(problem.candidates) == 2 else "cards.problem_several"


def candidate_name(value: str, field: FieldView | None, lang: Lang) -> str:
    """A named value as people read it, unescaped for a choice, escaped for money, which has no signs to escape."""
    if field is None:
        return value
    choice = next((choice for choice in field.choices if choice.value == value), None)
    if choice:
        return choice.label.in_(lang)
    return cash(value, field.unit) if field.type == "money" and field.unit else value


def _candidates(problem: Problem, field: FieldView | None, lang: Lang) -> str:
    names = [md(_short(candidate_name(value, field, lang)), 60) for value in problem.candidates[:5]]
    joint = "cards.and" if len(names) == 2 else "cards.list"
    return say(joint, lang).join(names[:1] + [_small(name) for name in names[1:]])


def _small(name: str) -> str:
    """A label inside a sentence: its capital goes, unless it belongs to an abbreviation."""
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


def _short(name: str) -> str:
    """`现金，原路退` is called 现金 in a sentence, `Cash, back to card` cash."""
    return name.replace("，", ",").split(",")[0] if not name[:1].isdigit() else name
