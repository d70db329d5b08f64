"""What a field is: its type, its bounds, its choices and the words that name them."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from graph.model import Text

FieldType = Literal["code", "money", "choice", "text", "date", "phone", "account", "integer", "percent"]


class Cues(BaseModel):
    """The words, by language, that count as having said a choice."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    zh: tuple[str, ...] = ()
    en: tuple[str, ...] = ()


class Choice(BaseModel):
    """One value of a choice field. `short` is used in headlines; it defaults to the label."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: str
    label: Text
    short: Text | None = None
    cues: Cues = Cues()


class FieldSpec(BaseModel):
    """A field of `fields.yaml`.

    `min` and `max` bound money, integers and percents; `pattern` fits codes, phones and accounts.

    `about` names the field that this one belongs to: a customer's account says nothing once the order is another.

    `not_cues` are words that hold a cue of a choice and yet do not name it: credit card.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    type: FieldType
    label: Text
    pattern: str | None = None
    min: Decimal | None = None
    max: Decimal | None = None
    max_length: int = Field(default=300, ge=1, le=3000)
    currency: str | None = None
    sensitive: bool = False
    choices: tuple[Choice, ...] = ()
    not_cues: tuple[str, ...] = ()
    about: str | None = None

    def __hash__(self) -> int:
        """By name and kind alone: what is worked out of a field once is looked up under it for every message."""
        return hash((self.name, self.type, self.pattern))

    def choice(self, value: str) -> Choice | None:
        """The choice with this value, or None."""
        return next((choice for choice in self.choices if choice.value == value), None)
