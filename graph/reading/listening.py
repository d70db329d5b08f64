"""Words that nobody asked for: what they tell of the fields that are listened for, where they tell it outright.

A question tells nothing, and neither does what is only supposed, doubted or put off. What else a message says is left
alone, so this is for what calls a person, never for what ends a case.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from graph.fields import FieldSpec
from graph.fields.words import READ_AT_MOST, Source
from graph.model import Fact
from graph.reading.alone import read_alone
from graph.reading.clauses import MOST, clauses
from graph.reading.stance import stance
from graph.reading.talk import asking


def listen(text: str, fields: Sequence[FieldSpec], *, today: date | None = None) -> dict[str, Fact]:
    """The fields that a message tells by the way, by code alone."""
    plain = outright(text[:READ_AT_MOST])
    return dict(read_alone(plain, fields, asked=True, today=today).fields) if plain else {}


def outright(text: str) -> str:
    """The clauses of a message that say something for certain; empty where it asks."""
    source = Source(text)
    spans = clauses(source.norm)
    if asking(source.norm) or len(spans) > MOST:
        return ""
    kept = [source.quote(low, high) for low, high in spans if not stance(source.norm[low:high], telling=False)]
    return "，".join(kept)
