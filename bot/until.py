"""The last day of an absence, as people write it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone

LONGEST = timedelta(days=366)
"""No absence is longer: a right given for good belongs into approvals.yaml."""
_UNTIL = ("until", "till", "to", "到", "至")
_NAMED = {"today": 0, "今天": 0, "tomorrow": 1, "明天": 1, "后天": 2}
_WHOLE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_SHORT = re.compile(r"(\d{1,2})[-/.月](\d{1,2})日?")


def last_day(words: Sequence[str], today: date) -> date | None:
    """The day that these words name, with or without a word for "until" before it; None when they name none that is
    today or later, or one too far away. A day without a year is the next one of that date."""
    rest = [word for word in words if word.lower() not in _UNTIL]
    if len(rest) != 1:
        return None
    word = rest[0].lower().lstrip("到至")
    day = today + timedelta(days=_NAMED[word]) if word in _NAMED else _written(word, today)
    return day if day is not None and today <= day <= today + LONGEST else None


def _written(word: str, today: date) -> date | None:
    whole, short = _WHOLE.fullmatch(word), _SHORT.fullmatch(word)
    if whole is not None:
        return _day(int(whole[1]), int(whole[2]), int(whole[3]))
    if short is None:
        return None
    month, number = int(short[1]), int(short[2])
    this_year = _day(today.year, month, number)
    return this_year if this_year is None or this_year >= today else _day(today.year + 1, month, number)


def _day(year: int, month: int, number: int) -> date | None:
    try:
        return date(year, month, number)
    except ValueError:
        return None


def end_of(day: date, utc_offset: int) -> datetime:
    """The last minute of a day in a zone so many seconds east of UTC, in UTC."""
    zone = timezone(timedelta(seconds=utc_offset))
    return datetime.combine(day, time(23, 59), zone).astimezone(UTC)
