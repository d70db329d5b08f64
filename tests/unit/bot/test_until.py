"""The last day of an absence, as people write it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from bot.until import end_of, last_day

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("until 2026-12-05", date(2026, 12, 5)),
        ("2026-12-05", date(2026, 12, 5)),
        ("till 2026/12/5", date(2026, 12, 5)),
        ("到 2026年12月5日", date(2026, 12, 5)),
        ("到12月5日", date(2026, 12, 5)),
        ("至 12-5", date(2026, 12, 5)),
        ("until 01-05", date(2027, 1, 5)),  # the next one
        ("until 11-30", TODAY),
        ("until today", TODAY),
        ("Until Tomorrow", date(2026, 12, 1)),
        ("到 后天", date(2026, 12, 2)),
        ("until 2027-12-02", None),  # too far away
        ("until 2026-11-29", None),  # over
        ("until 2026-13-01", None),
        ("until 02-30", None),
        ("until soon", None),
        ("until 2026-12-05 or so", None),
        ("until", None),
        ("", None),
    ],
)
def test_a_day_is_read_in_both_languages(words: str, day: date | None) -> None:
    """From today on and within a year; anything else is asked for again."""
    assert last_day(words.split(), TODAY) == day


def test_the_day_ends_in_the_persons_zone() -> None:
    """Its last minute, in UTC."""
    assert end_of(date(2026, 12, 5), 8 * 3600) == datetime(2026, 12, 5, 15, 59, tzinfo=UTC)
    assert end_of(date(2026, 12, 5), -5 * 3600) == datetime(2026, 12, 6, 4, 59, tzinfo=UTC)
