"""The ways in which people correct one field, in both languages and mixed."""

from __future__ import annotations

from dataclasses import dataclass

from graph.fields import FieldSpec
from graph.model import Lang, Outcome
from tests.unit.graph.builders import LI, view
from tests.unit.graph.pauses.walk import LIBRARY, Move, Values, Walk, in_words

#: Kinds whose value says by itself which field is meant.
_TELLING = ("code", "money", "choice", "date", "integer", "phone")


@dataclass(frozen=True)
class Phrasing:
    """A way to say that a field is another. `{label}` is its name, `{old}` what is known of it, `{new}` what it is to be;
    `old` and `telling` say what the words need."""

    words: str
    lang: Lang
    label: Lang = "zh"
    old: bool = False
    telling: bool = False


PHRASINGS = (
    Phrasing("{label}改成 {new}", "zh"),
    Phrasing("change the {label} to {new}", "en", "en"),
    Phrasing("不是 {old} 是 {new}", "zh", old=True),
    Phrasing("not {old} but {new}", "en", old=True),
    Phrasing("打错了，是 {new}", "zh", telling=True),
    Phrasing("{label} 改成 {new}，谢谢", "zh", "en"),
    Phrasing("{label} should be {new}", "en", "en"),
    Phrasing("把{label}改为 {new}，please", "en"),
)


def phrasings(spec: FieldSpec, old: str | None) -> list[Phrasing]:
    """Those that can tell of this field. What is sensitive is not compared with what is known."""
    known = old is not None and not spec.sensitive
    return [
        each for each in PHRASINGS if (known or not each.old) and (spec.type in _TELLING or not (each.telling or each.old))
    ]


def correction(name: str, old: str | None, new: str, number: int = 0) -> str:
    """A sentence that corrects one field; another one for each `number`."""
    spec = LIBRARY.words.fields[name]
    said = phrasings(spec, old)[number % len(phrasings(spec, old))]
    words = {"label": spec.label.in_(said.label), "new": in_words(spec, new, said.lang)}
    if old is not None:
        words["old"] = in_words(spec, old, said.lang)
    return said.words.format(**words)


def correcting(name: str, value: str, number: int = 0) -> Move:
    """The move that corrects one field by such a sentence: it is taken, or refused because something is written."""

    async def move(walk: Walk, outcome: Outcome) -> Outcome:
        words = correction(name, known(walk, outcome, name), value, number)
        return await corrected(walk, outcome, words, {name: value})

    return move


def there_and_back(name: str, number: int = 0) -> Move:
    """The move that corrects one field, and takes that back in other words."""

    async def move(walk: Walk, outcome: Outcome) -> Outcome:
        was, value = walk.values[name], walk.given.other[name][0]
        told = await correcting(name, value, number)(walk, outcome)
        return told if refused(told) else await correcting(name, was, number + 1)(walk, told)

    return move


async def corrected(walk: Walk, outcome: Outcome, words: str, values: Values) -> Outcome:
    """Words that correct these fields are said."""
    told = await walk.desk.say(words, actor=LI)
    before, after = view(outcome).plain, view(told).plain
    if refused(told):
        assert after == before, words
        return told
    new = [name for name, value in values.items() if name not in before or walk.values[name] != value]
    walk.values = {**walk.values, **values}
    if view(told).status == "waiting":
        assert all(name in after and after[name] != before.get(name) for name in new), words
    return told


def refused(outcome: Outcome) -> bool:
    """Whether it was said that it is too late: begun means committed."""
    return any(reply.code in ("already_paid", "already_done", "in_doubt") for reply in outcome.replies)


def known(walk: Walk, outcome: Outcome, name: str) -> str | None:
    """What the case knows of a field, as the walk said it; None where it is not known yet."""
    return walk.values.get(name) if name in view(outcome).plain else None
