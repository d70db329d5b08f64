"""Working hours: which time counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from graph.authority import Hours, Span, due_after

OFFICE = Hours.model_validate(
    {"timezone": "Asia/Shanghai", "from": "09:00", "to": "18:00", "holidays": ["2026-10-01", "2026-10-02"]}
)
SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")


def at(written: str, zone: ZoneInfo = SHANGHAI) -> datetime:
    """A time on the wall."""
    return datetime.fromisoformat(written).replace(tzinfo=zone)


def span(written: str) -> Span:
    """A stretch of time as a file says it."""
    return Span.model_validate({"count": int(written[:-1]), "unit": written[-1:]})


@pytest.mark.parametrize(
    ("since", "length", "due"),
    [
        ("2026-09-03 10:00", "2h", "2026-09-03 12:00"),
        ("2026-09-03 17:00", "1h", "2026-09-03 18:00"),  # to the last minute of the day
        ("2026-09-03 17:00", "2h", "2026-09-04 10:00"),  # the rest on the next day
        ("2026-09-03 22:00", "30m", "2026-09-04 09:30"),  # after hours nothing counts
        ("2026-09-03 06:00", "30m", "2026-09-03 09:30"),
        ("2026-09-04 17:00", "2h", "2026-09-07 10:00"),  # over the week-end
        ("2026-09-05 12:00", "1h", "2026-09-07 10:00"),  # said on a Saturday
        ("2026-09-30 17:30", "1h", "2026-10-05 09:30"),  # over holidays and a week-end
        ("2026-09-03 14:00", "1d", "2026-09-04 14:00"),  # a working day later
        ("2026-09-04 14:00", "3d", "2026-09-09 14:00"),
    ],
)
def test_only_working_hours_count(since: str, length: str, due: str) -> None:
    """Evenings, week-ends and holidays of the level do not."""
    assert due_after(at(since), span(length), OFFICE) == at(due)


def test_without_hours_all_time_counts() -> None:
    """A day then has 24 hours; the answer is in UTC."""
    due = due_after(at("2026-09-05 23:00"), span("1d"), None)
    assert due == at("2026-09-06 23:00")
    assert due.tzinfo is UTC


def test_the_clock_on_the_wall_decides_when_it_is_put_back() -> None:
    """Nine o'clock stays nine o'clock on both sides of the change to winter time."""
    berlin = Hours.model_validate({"timezone": "Europe/Berlin", "days": ["fri", "mon"], "from": "9:00", "to": "17:00"})
    assert due_after(at("2026-10-23 16:00", BERLIN), span("2h"), berlin) == at("2026-10-26 10:00", BERLIN)


def test_a_night_that_an_hour_is_left_out_of_counts_what_there_was() -> None:
    """Round the clock through the change to summer time: 23 hours of that day went by."""
    always = Hours.model_validate(
        {"timezone": "Europe/Berlin", "days": ["sat", "sun", "mon"], "from": "00:00", "to": "24:00"}
    )
    assert due_after(at("2026-03-28 23:00", BERLIN), span("3h"), always) == datetime(2026, 3, 29, 1, tzinfo=UTC)


@settings(max_examples=60, deadline=None)
@given(
    since=st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC)),
    first=st.integers(1, 3000),
    second=st.integers(1, 3000),
)
def test_time_adds_up(since: datetime, first: int, second: int) -> None:
    """Two stretches one after the other end when both together do, at a working minute and never before their length."""
    once = OFFICE.after(OFFICE.after(since, timedelta(minutes=first)), timedelta(minutes=second))
    whole = OFFICE.after(since, timedelta(minutes=first + second))
    assert once == whole
    assert whole - since >= timedelta(minutes=first + second)
    there = whole.astimezone(SHANGHAI)
    assert OFFICE.works_on(there.date())
    assert 9 * 60 <= there.hour * 60 + there.minute + there.second / 60 <= 18 * 60


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"timezone": "Beijing", "from": "9:00", "to": "18:00"}, "no time zone"),
        ({"timezone": "Asia/Shanghai", "from": "18:00", "to": "9:00"}, "later than"),
        ({"timezone": "Asia/Shanghai", "from": "9", "to": "18:00"}, "no time of day"),
        ({"timezone": "Asia/Shanghai", "from": "9:00", "to": "24:01"}, "no time of day"),
        ({"timezone": "Asia/Shanghai", "from": "9:00", "to": "18:00", "holidays": ["soon"]}, "no date"),
        ({"timezone": "Asia/Shanghai", "from": "9:00", "to": "18:00", "days": []}, "at least 1"),
        ({"timezone": "Asia/Shanghai", "from": "9:00", "to": "18:00", "days": ["funday"]}, "mon"),
    ],
)
def test_wrong_hours_say_what_is_wrong(given: dict[str, object], words: str) -> None:
    """Zone, times, dates and days."""
    with pytest.raises(ValidationError, match=words):
        Hours.model_validate(given)
