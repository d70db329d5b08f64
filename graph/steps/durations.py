"""Lengths of time in a procedure's file: `30s`, `2m`, `12h`, `3d`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

_WRITTEN = re.compile(r"(\d{1,6})\s*([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds_of(written: str) -> int | None:
    """The seconds that a length stands for; None for anything else."""
    match = _WRITTEN.fullmatch(written.strip())
    return int(match[1]) * _SECONDS[match[2]] if match else None


def _duration(given: object) -> object:
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    seconds = seconds_of(given) if isinstance(given, str) else None
    if seconds is None:
        raise ValueError("a length of time is written 30s, 2m, 12h or 3d")
    return seconds


Duration = Annotated[
    int, BeforeValidator(_duration), WithJsonSchema({"type": "string", "pattern": r"^\d{1,6}\s*[smhd]$"})
]
"""Whole seconds."""


def after(now: str, seconds: int) -> str:
    """The time so many seconds after `now` (ISO 8601)."""
    return (datetime.fromisoformat(now) + timedelta(seconds=seconds)).isoformat()
