"""The catalogue: every sentence a person reads, in Chinese and English, from `phrases/*.yaml`."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Final

import yaml

from graph.model import Fact, Lang, Problem, Text

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def catalogue() -> dict[str, Text]:
    """All phrases by dotted key: the file's name, then the key in it."""
    found: dict[str, Text] = {}
    for file in sorted((files("graph") / "wordings").iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".yaml"):
            group = file.name.removesuffix(".yaml")
            for key, words in yaml.load(file.read_text(encoding="utf-8"), Loader=_LOADER).items():
                found[f"{group}.{key}"] = Text.model_validate(words)
    return found


def text(key: str, **values: str | Text) -> Text:
    """The phrase `key` in both languages, with its placeholders filled."""
    words = catalogue()[key]
    return Text(
        zh=words.zh.format_map({name: _in(value, "zh") for name, value in values.items()}),
        en=words.en.format_map({name: _in(value, "en") for name, value in values.items()}),
    )


def say(key: str, lang: Lang, **values: str | Text) -> str:
    """The phrase `key` in one language, with its placeholders filled. KeyError when the catalogue lacks it."""
    return catalogue()[key].in_(lang).format_map({name: _in(value, lang) for name, value in values.items()})


def money(amount: str | Decimal, currency: str) -> str:
    """`1,200.50 USD`, the same in both languages."""
    return f"{Decimal(amount):,.2f} {currency}"


def fact_money(fact: Fact) -> str:
    """A money fact as people read it."""
    return money(fact.decimal(), fact.currency or "")


_LEAST: Final = 10
"""Signs of the shortest words in which such a number fits."""
_LONG_NUMBER = re.compile(r"(?<![\w-])(?!\d{4}-\d\d-\d\d\b)\d(?:[ \-]?\d){9,}", re.ASCII)
_NUMBER = re.compile(r"\d(?:[ \-]?\d){7,}", re.ASCII)


def last_four(value: str) -> str:
    """All that is ever shown of a sensitive value: the last four digits of its first long number, or its last four signs
    where it holds none. Empty when it is too short to hide the rest. What begins with `…` is masked already."""
    signs = "".join(sign for sign in value if sign.isalnum() and sign.isascii())
    if value.startswith("…"):
        return signs[-4:]
    number = _NUMBER.search(value)
    kept = "".join(sign for sign in number[0] if sign.isdigit()) if number else signs
    return kept[-4:] if len(kept) >= 8 else ""


def without_numbers(words: str) -> str:
    """Free text with every number of ten digits and more reduced to its last four: an account may stand there by mistake,
    a date is shorter."""
    if len(words) < _LEAST:
        return words
    return _LONG_NUMBER.sub(lambda number: f"…{last_four(number[0])}", words)


def masked(value: str) -> Text:
    """A sensitive value as people see it."""
    last = last_four(value)
    return text("common.ending", last=last) if last else text("common.hidden")


def problem_text(problem: Problem, label: Text, *, hidden: bool = False) -> Text:
    """Why a field was not taken, in words. `hidden`: what was said of it is not repeated."""
    key = f"problems.{problem.code}"
    candidates = "" if hidden else ", ".join(problem.candidates)
    said = text("cards.problem_what_was_said") if hidden else both(problem.quote)
    words = text(key, field=label, quote=said, limit=problem.limit, candidates=candidates)
    return both(words.zh, words.en[:1].upper() + words.en[1:])


def refusal_text(step: Text, code: str) -> Text:
    """What the back office refused and why; a code without words of its own is named."""
    known = catalogue().get(f"refusals.{code}")
    return text("engine.refused", step=step, why=known or both(code))


def word(value: str) -> Text:
    """A value that interfaces and rules use, as people read it; what is not in the catalogue stays as it is."""
    return catalogue().get(f"words.{value.lower()}") or both(value)


def both(zh: str, en: str | None = None) -> Text:
    """The same words in both languages: names, codes and what a person wrote."""
    return Text(zh=zh, en=zh if en is None else en)


def _in(value: str | Text, lang: Lang) -> str:
    return value.in_(lang) if isinstance(value, Text) else value
