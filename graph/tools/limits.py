"""The limits of one tool, by configuration."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")


class Limits(BaseModel):
    """What is set here for a tool counts instead of its own: seconds for one try, tries after the first, seconds between
    two; failures in a row after which its channel is left alone, and for how many seconds at first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    timeout: float | None = Field(default=None, gt=0)
    retries: int | None = Field(default=None, ge=0, le=10)
    pause: float | None = Field(default=None, ge=0)
    open_after: int | None = Field(default=None, ge=1)
    open_for: float | None = Field(default=None, gt=0)


def first(*values: T | None) -> T:
    """The first value that is set. ValueError when none is."""
    for value in values:
        if value is not None:
            return value
    raise ValueError("none of the values is set")
