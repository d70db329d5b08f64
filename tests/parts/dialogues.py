"""Dialogues as data: what is said or decided in a thread, and what must be true after it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

FOLDER = Path(__file__).resolve().parents[1] / "dialogues"


class Waits(BaseModel):
    """What the case waits for."""

    model_config = ConfigDict(extra="forbid")

    kind: str
    step: str | None = None
    missing: list[str] | None = None
    level: str | None = None


class StoppedBy(BaseModel):
    """What stopped it."""

    model_config = ConfigDict(extra="forbid")

    step: str
    rule: str


class TurnOf(BaseModel):
    """One turn."""

    model_config = ConfigDict(extra="forbid")

    say: str | None = None
    quotes: dict[str, str] = {}
    sop: str = "compensation"
    decide: Literal["approve", "reject"] | None = None
    by: str = ""
    reason: str = ""
    facts: dict[str, str] = {}
    absent: list[str] = []
    gone: list[str] = []
    calls: list[str] | None = None
    skipped: list[str] = []
    waits: Waits | None = None
    outcome: Literal["done", "stopped", "answered"] | None = None
    stopped_by: StoppedBy | None = None
    payout: dict[str, str] | None = None
    answer_says: str | None = None
    model_calls: int


def dialogues() -> dict[str, list[TurnOf]]:
    """All dialogues of the folder by name."""
    found: dict[str, list[TurnOf]] = {}
    for file in sorted(FOLDER.glob("*.yaml")):
        for name, turns in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            found[name] = [TurnOf.model_validate(turn) for turn in turns]
    return found
