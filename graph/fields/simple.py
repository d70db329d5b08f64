"""Dates, telephone numbers, whole numbers and percents: strict, no guessing."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from graph.fields.account import accounts
from graph.fields.found import Found
from graph.fields.numerals import numerals
from graph.fields.spec import FieldSpec

_DATE = re.compile(r"(?<![\d-])(\d{4}) ?[-/.年] ?(\d{1,2}) ?[-/.月] ?(\d{1,2})(?![\d-])(?: ?[日号])?")
_PHONE = re.compile(r"(?<![a-z0-9+-])\+?\d(?:[ -]?\d){6,16}(?![a-z0-9-])")
_PERCENT_AFTER = re.compile(r" ?(?:%|percent(?![a-z])|per cent(?![a-z]))")


def dates(text: str, spec: FieldSpec) -> list[Found]:
    """Dates with their year, as ISO 8601. A day without its year is not taken."""
    found = []
    for match in _DATE.finditer(text):
        year, month, day = (int(part) for part in match.groups())
        try:
            found.append(Found(match.start(), match.end(), date(year, month, day).isoformat()))
        except ValueError:
            continue
    return found


def phones(text: str, spec: FieldSpec) -> list[Found]:
    """Telephone numbers as digits with their plus sign; the field's pattern, if any, must fit the whole."""
    found = []
    for match in _PHONE.finditer(text):
        value = re.sub(r"[ -]", "", match.group())
        if spec.pattern is None or re.fullmatch(spec.pattern, value):
            found.append(Found(match.start(), match.end(), value))
    return found


def integers(text: str, spec: FieldSpec) -> list[Found]:
    """Whole numbers of zero or more."""
    return [
        Found(number.start, number.end, int(number.value))
        for number in numerals(text)
        if number.value is not None and number.value == int(number.value) and not (number.prefix or number.suffix)
    ]


def percents(text: str, spec: FieldSpec) -> list[Found]:
    """Percents as decimal strings: `15%`, `百分之十五`."""
    found = []
    for number in numerals(text):
        sign = _PERCENT_AFTER.match(text, number.end)
        before = text.endswith("百分之", 0, number.start)
        if number.value is not None and (sign or before):
            start = number.start - 3 if before else number.start
            found.append(Found(start, sign.end() if sign else number.end, f"{number.value.normalize():f}"))
    return found


FINDERS: dict[str, Callable[[str, FieldSpec], list[Found]]] = {
    "date": dates,
    "phone": phones,
    "integer": integers,
    "percent": percents,
    "account": accounts,
}
