"""The names by which people call a field: its label in both languages, and the usual words for its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from graph.fields import FieldSpec
from graph.reading.fillers import length
from graph.reading.spans import Span

_USUAL: dict[str, str] = {
    "code": r"订单号|订单|单号|order number|order id|order no\.?|order",
    "money": r"金额|数额|额度|amount|sum",
    "choice": r"方式|way|method",
    "text": r"原因|理由|事由|reason",
    "account": r"收款账户|收款账号|银行账号|银行账户|账号|账户|帐号|卡号|bank account|account number|account",
    "phone": r"电话|手机号|手机|phone number|phone",
    "date": r"日期|date",
}
_IS = re.compile(r" ?(?:就是|是|为|:|=|is)? ?(?=\S)")
_BETWEEN = re.compile(r" ?(?:就是|大概|大约|是|为|有|:|=|is|of|around|about)? ?")


class Labelled(NamedTuple):
    """The fields that words name, and what the words say beside."""

    named: tuple[FieldSpec, ...]
    rest: str


def labels(words: str, fields: Sequence[FieldSpec]) -> Labelled:
    """Which of the fields normalised words name. The longest name wins where one is part of another."""
    found: dict[str, FieldSpec] = {}
    taken: list[Span] = []
    hits = sorted(
        ((match.span(), spec) for spec in fields for match in _names(spec, fields).finditer(words)),
        key=lambda hit: hit[0][0] - hit[0][1],
    )
    for (low, high), spec in hits:
        if not any(low < end and start < high for start, end in taken):
            taken.append((low, high))
            found[spec.name] = spec
    rest = words
    for low, high in sorted(taken, reverse=True):
        rest = f"{rest[:low]} {rest[high:]}"
    return Labelled(tuple(found.values()), rest)


def names_alone(words: str, spec: FieldSpec, fields: Sequence[FieldSpec], *, asked: bool) -> bool:
    """Whether words only name a field: `title`, `the title please`; in a first sentence also `… reserve a title`."""
    found = labels(words, fields)
    if found.named and not length(found.rest):
        return True
    return not asked and any(match.end() == len(words) for match in _names(spec, fields).finditer(words))


def labelled(norm: str, span: Span, fields: Sequence[FieldSpec]) -> Iterator[tuple[FieldSpec, int]]:
    """The field that a span begins with the name of, and where its value begins."""
    low, high = span
    lead = re.compile(r"(?:那就|那|就|把|the |and |also )*").match(norm, low, high)
    start = lead.end() if lead else low
    for spec in fields:
        name = _names(spec, fields).match(norm, start, high)
        between = _IS.match(norm, name.end(), high) if name else None
        if between is not None:
            yield spec, between.end()


def named_before(norm: str, start: int, spec: FieldSpec, fields: Sequence[FieldSpec]) -> bool:
    """Whether a field's name stands right before a value: 预算 500, budget is 900."""
    return any(
        _BETWEEN.fullmatch(norm, name.end(), start) is not None for name in _names(spec, fields).finditer(norm, 0, start)
    )


def _names(spec: FieldSpec, fields: Sequence[FieldSpec]) -> re.Pattern[str]:
    return _called(spec, sum(one.type == spec.type for one in fields) == 1)


@lru_cache(maxsize=256)
def _called(spec: FieldSpec, alone: bool) -> re.Pattern[str]:
    """What a field is called. By the usual words for its kind only where it is the only one of it."""
    own = [spec.label.zh, spec.label.en, spec.name.replace("_", " ")]
    own += [f"{word.removesuffix('number')}{same}" for word in own if word.endswith(" number") for same in ("id", "no")]
    own += [word.removesuffix("号") for word in own if word.endswith("号") and not word.endswith("编号") and len(word) > 2]
    own += [f"{word.removesuffix('编号')}{same}" for word in own if word.endswith("编号") for same in ("号", "号码", "id")]
    words = [re.escape(word.lower()) for word in own if word] + (_USUAL.get(spec.type, "").split("|") if alone else [])
    bounded = [rf"(?<![a-z]){word}s?(?![a-z])" if word[:1].isascii() else word for word in words if word]
    return re.compile("|".join(sorted(bounded, key=len, reverse=True)))
