"""Values of any type whose every word is the same hostile one: whatever a card is made of, it stands in it."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args, get_origin

from pydantic import BaseModel

from blocks import Surroundings
from graph.model import Fact, JsonValue, Lang, Text
from tests.unit.blocks.views import AROUND

TIME = "2026-11-30T14:02:00+00:00"
_TIMES = ("at", "due", "until", "begun", "ended", "since", "remind_at", "expires")
_KEYS = ("id", "case", "name", "value", "scenario", "request", "replaced_by", "of", "by", "order", "picture", "thread")
"""What is a key and no words: cut, as an id is never long."""
_KEY = 60


_VALUES = ("request", "of", "by", "case", "level", "name", "at", "old", "new", "problem")
"""What replies say beside their code."""


@dataclass(frozen=True)
class Poison:
    """`word` in every place that takes words; `turn` picks among the values of a literal."""

    word: str
    lang: Lang
    turn: int = 0

    def of(self, wanted: object, name: str = "", depth: int = 0) -> object:
        """A value of the annotation `wanted`, for a field or argument of this name."""
        origin, inside = get_origin(wanted), get_args(wanted)
        if wanted is JsonValue:
            return self.word
        if origin is typing.Annotated:
            return self.of(inside[0], name, depth)
        if wanted is Surroundings:
            return AROUND
        if origin in (types.UnionType, typing.Union):
            return self.of(next(each for each in inside if each is not type(None)), name, depth)
        if origin is Literal:
            return self.lang if name == "lang" else inside[self.turn % len(inside)]
        if origin in (list, tuple, Sequence, frozenset):
            one = self.of(inside[0], name, depth + 1) if depth < 4 else None
            found = [one, one] if one is not None else []
            return tuple(found) if origin is tuple else found
        if origin in (dict, Mapping):
            keys = (self.word, *_VALUES) if name == "values" else (self.word,)
            return {key: self.of(inside[1], key, depth + 1) for key in keys} if depth < 4 else {}
        if isinstance(wanted, type):
            return self._plain(wanted, name, depth)
        return self.word

    def _plain(self, wanted: type, name: str, depth: int) -> object:
        if issubclass(wanted, Text):
            return Text(zh=self.word, en=self.word)
        if issubclass(wanted, Fact):
            return Fact(type="money", value="300", currency="USD", quote=self.word)
        if issubclass(wanted, BaseModel):
            fields = {each: self.of(field.annotation, each, depth + 1) for each, field in wanted.model_fields.items()}
            return wanted.model_construct(set(fields), **fields)
        if wanted is bool:
            return self.turn % 2 == 0
        if wanted is int:
            return 2
        if name.endswith(_TIMES):
            return TIME
        if name == "outcome":
            return "done"
        return self.word[:_KEY] if name in _KEYS else self.word
