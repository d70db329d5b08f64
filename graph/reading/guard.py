"""What the bot writes, held against what it was written from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.fields import currencies
from graph.fields.numerals import numerals
from graph.fields.words import READ_AT_MOST, Source
from graph.reading.names import unknown_names
from graph.reading.promises import held, promises

_ID = re.compile(r"(?<![a-z0-9])(?=[a-z0-9_-]{0,64}\d)(?=[a-z0-9_-]{0,64}[a-z])[a-z0-9]+(?:[-_][a-z0-9]+)*")
_DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})|(\d{1,2})月(\d{1,2})[日号]?|(?<!\d)(\d{1,2}):(\d{2})")
_DIGITS = re.compile(r"\d+")
_PERCENT = re.compile(r" ?(?:%|percent(?![a-z])|per cent(?![a-z]))")
#: Articles rather than numbers.
_ARTICLES = frozenset({"一", "one"})


def grounded(said: str, sources: Sequence[str]) -> bool:
    """Whether every number, id, date, currency and name of a person of `said`, and every time it promises, is in a source.

    Writing does not matter: 80, 80.00, 八十 and ８０ are the same number. A source that shows a whole account bears out
    its last four digits.
    """
    if unknown_names(said, sources):
        return False
    norm = Source(said).norm
    known = [Source(window).norm for source in sources for window in _windows(source)]
    looks = ((_dates, _dates), (_ids, _ids), (currencies.all_named, currencies.all_named), (promises, held))
    for of_said, of_source in looks:
        if not of_said(norm) <= {one for text in known for one in of_source(text)}:
            return False
    missing = _numbers(_without(norm)) - {number for text in known for number in _numbers(text)}
    accounts = [digits for text in known for digits in _DIGITS.findall(re.sub(r"(?<=\d)[ -](?=\d)", "", text))]
    return all(len(number) == 4 and any(len(one) >= 8 and one.endswith(number) for one in accounts) for number in missing)


def _windows(source: str) -> list[str]:
    """A long source in overlapping parts, each short enough to be read."""
    return [source[at : at + READ_AT_MOST] for at in range(0, len(source), READ_AT_MOST - 100)]


def _numbers(norm: str) -> set[str]:
    found: set[str] = set()
    for number in numerals(norm):
        words = norm[number.start : number.end]
        if words in _ARTICLES:
            continue
        values = [number.value] if number.value is not None else list(number.values)
        sign = "%" if _PERCENT.match(norm, number.end) or norm.endswith("百分之", 0, number.start) else ""
        found.update([f"{value.normalize():f}{sign}" for value in values] or [words])
    found.update(digits for digits in _DIGITS.findall(norm) if len(digits) >= 5)
    return found


def _without(norm: str) -> str:
    """The text without its ids and dates, which are looked for by themselves."""
    return _DATE.sub(" ", _ID.sub(lambda found: found.group() if numerals(found.group()) else " ", norm))


def _ids(norm: str) -> set[str]:
    return {found.group() for found in _ID.finditer(norm) if not numerals(found.group())}


def _dates(norm: str) -> set[str]:
    """Days as `year-month-day` and `month-day`, and clock times, without leading zeros."""
    found = set()
    for match in _DATE.finditer(norm):
        year, month, day, month_only, day_only, hour, minute = match.groups()
        if hour:
            found.add(f"{int(hour)}:{minute}")
        elif year:
            found |= {f"{year}-{int(month)}-{int(day)}", f"{int(month)}-{int(day)}"}
        else:
            found.add(f"{int(month_only)}-{int(day_only)}")
    return found
