"""What came of an exam: a mark for every field and route, and the figures made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph.exam.cases import Case, Wanted
from graph.exam.forms import plain
from graph.fields.amounts import amounts
from graph.fields.words import Source
from graph.model import Fact, FactType, Lang

Verdict = Literal["found", "missed", "wrong", "empty", "filled", "routed", "astray"]
ALL = "all"


class Mark(BaseModel):
    """One thing that was looked at. `found`, `missed` and `wrong` are of what was said, `empty` and `filled` of what was
    not, `routed` and `astray` of where the words should lead. `why` is the reader's own word for what it did not take."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    line: int
    text: str
    lang: Lang
    field: str
    verdict: Verdict
    want: Wanted = None
    got: str | None = None
    why: str = ""

    @property
    def right(self) -> bool:
        """Whether it is as it should be."""
        return self.verdict in ("found", "empty", "routed")


class Figures(BaseModel):
    """Counts of one language and field (`route` for routing); `all` stands for every one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lang: str
    field: str
    said: int = 0
    found: int = 0
    wrong: int = 0
    unsaid: int = 0
    filled: int = 0
    routes: int = 0
    routed: int = 0

    @property
    def recall(self) -> float | None:
        """Share of said fields that were found."""
        return self.found / self.said if self.said else None

    @property
    def false_fills(self) -> float | None:
        """Share of unsaid fields that were filled."""
        return self.filled / self.unsaid if self.unsaid else None

    @property
    def accuracy(self) -> float | None:
        """Share of utterances that led where they should."""
        return self.routed / self.routes if self.routes else None


class Report(BaseModel):
    """A whole run: who was examined, how it did, and where it failed. `calls` counts calls of the model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str | None
    utterances: int
    calls: int
    figures: list[Figures]
    misses: list[Mark]

    @classmethod
    def of(cls, model: str | None, cases: Sequence[Case], marks: Sequence[Mark], calls: int) -> Report:
        """The report of all marks."""
        misses = [mark for mark in marks if not mark.right]
        return cls(model=model, utterances=len(cases), calls=calls, figures=figures(marks), misses=misses)


def mark(case: Case, field: str, want: Wanted, fact: Fact | None, why: str) -> Mark:
    """The mark of one field."""
    got = None if fact is None else str(fact.plain())
    if want is None or want == []:
        verdict: Verdict = "empty" if fact is None else "filled"
    else:
        wanted = want if isinstance(want, list) else [want]
        verdict = "missed" if fact is None else "found" if any(_same(fact, str(one)) for one in wanted) else "wrong"
    place = {"file": case.file, "line": case.line, "text": case.text, "lang": case.lang}
    return Mark.model_validate({**place, "field": field, "verdict": verdict, "want": want, "got": got, "why": why})


def figures(marks: Iterable[Mark]) -> list[Figures]:
    """The figures of all marks, then of each language, each field, and each field of each language."""
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for each in marks:
        for key in ((ALL, ALL), (each.lang, ALL), (ALL, each.field), (each.lang, each.field)):
            count = counts.setdefault(key, {})
            for name in _COUNTED[each.verdict]:
                count[name] = count.get(name, 0) + 1
    order = sorted(counts, key=lambda key: (key[1] != ALL, key[1], key[0] != ALL, key[0]))
    return [Figures(lang=lang, field=field, **counts[lang, field]) for lang, field in order]


_COUNTED: dict[Verdict, tuple[str, ...]] = {
    "found": ("said", "found"),
    "missed": ("said",),
    "wrong": ("said", "wrong"),
    "empty": ("unsaid",),
    "filled": ("unsaid", "filled"),
    "routed": ("routes", "routed"),
    "astray": ("routes",),
}


def _same(fact: Fact, want: str) -> bool:
    """Whether a fact is what was wanted. Money may be written with its currency, which must then be
    the same. Free text is when one holds the other and is at most twice as long."""
    got = str(fact.value)
    if fact.type == "money":
        said = amounts(Source(want).norm, fact.currency or "USD")
        return len(said) == 1 and said[0].code in (None, "zero", "negative") and said[0].value == Decimal(got)
    if fact.type in _NUMBERS:
        try:
            return Decimal(got) == Decimal(want.replace(",", "").rstrip("% "))
        except InvalidOperation:
            return False
    mine, theirs = plain(got), plain(want)
    if fact.type in ("text", "account"):
        short, long = sorted((mine, theirs), key=len)
        return short in long and 2 * len(short) >= len(long)
    return mine == theirs


_NUMBERS: tuple[FactType, ...] = ("integer", "percent")
