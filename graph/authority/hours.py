"""Working hours: when time counts, and when a span of it is over."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_DAYS: tuple[Day, ...] = get_args(Day)
_WHOLE_DAY = timedelta(days=1)
_SPAN = re.compile(r"(\d{1,4}) ?([mhd])")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")


class Span(BaseModel):
    """A stretch of time as a file says it: `30m`, `2h`, `3d`. A day is as long as the level's working day, 24 hours where
    it has no working hours; so `1d` ends at the same time on the next working day."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    count: int
    unit: Literal["m", "h", "d"]

    def length(self, hours: Hours | None) -> timedelta:
        """How much time that counts."""
        if self.unit == "d":
            return self.count * (hours.day if hours else _WHOLE_DAY)
        return timedelta(minutes=self.count) if self.unit == "m" else timedelta(hours=self.count)


def _span(given: object) -> object:
    if isinstance(given, Span):
        return given
    found = _SPAN.fullmatch(str(given).strip())
    if found is None or int(found[1]) == 0:
        raise ValueError(f"{given!r} is no stretch of time; write minutes, hours or days, such as 30m, 2h, 3d")
    return {"count": int(found[1]), "unit": found[2]}


Stretch = Annotated[Span, BeforeValidator(_span), WithJsonSchema({"type": "string"})]


def _minutes(given: object) -> object:
    """Minutes since midnight."""
    if isinstance(given, int):
        return given
    found = _CLOCK.fullmatch(str(given).strip())
    minutes = int(found[1]) * 60 + int(found[2]) if found and int(found[2]) < 60 else -1
    if not 0 <= minutes <= 24 * 60:
        raise ValueError(f"{given!r} is no time of day; write it as 09:00, at most 24:00")
    return minutes


def _zone(given: str) -> str:
    try:
        ZoneInfo(given)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{given!r} is no time zone; write one such as Asia/Shanghai") from None
    return given


def _date(given: object) -> object:
    try:
        return date.fromisoformat(str(given))
    except ValueError:
        raise ValueError(f"{given!r} is no date; write it as 2026-10-01") from None


Zone = Annotated[str, AfterValidator(_zone)]
Date = Annotated[date, BeforeValidator(_date)]
_Minutes = Annotated[int, BeforeValidator(_minutes)]


class Hours(BaseModel):
    """The hours in which a level works; only they count for its clocks. `from` and `to` are times of day."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    timezone: Zone
    days: tuple[Day, ...] = Field(default=("mon", "tue", "wed", "thu", "fri"), min_length=1)
    start: _Minutes = Field(alias="from")
    end: _Minutes = Field(alias="to")
    holidays: tuple[Date, ...] = ()

    @model_validator(mode="after")
    def _forward(self) -> Hours:
        if self.end <= self.start:
            raise ValueError("`to` must be later than `from` on the same day")
        return self

    @property
    def day(self) -> timedelta:
        """How long a working day is."""
        return timedelta(minutes=self.end - self.start)

    def works_on(self, day: date) -> bool:
        """Whether a day is one of work."""
        return _DAYS[day.weekday()] in self.days and day not in self.holidays

    def after(self, moment: datetime, length: timedelta) -> datetime:
        """When `length` of working time after `moment` has gone by, in UTC. `moment` has a zone."""
        zone = ZoneInfo(self.timezone)
        day, left = moment.astimezone(zone).date(), length
        while True:
            if self.works_on(day):
                begins = max(self._at(day, self.start, zone), moment.astimezone(UTC))
                rest = self._at(day, self.end, zone) - begins
                if rest >= left:
                    return begins + left
                left -= max(rest, timedelta())
            day += _WHOLE_DAY

    @staticmethod
    def _at(day: date, minutes: int, zone: ZoneInfo) -> datetime:
        """A time of day as an instant: the clock on the wall, also where it was put forward or back."""
        days, rest = divmod(minutes, 24 * 60)
        wall = datetime.combine(day + timedelta(days=days), time(rest // 60, rest % 60), zone)
        return wall.astimezone(UTC)


def due_after(moment: datetime, span: Span, hours: Hours | None) -> datetime:
    """When `span` after `moment` is over: in working hours where there are any. In UTC."""
    length = span.length(hours)
    return hours.after(moment, length) if hours else moment.astimezone(UTC) + length
