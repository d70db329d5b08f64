"""Field types: what a field is, how its values are read, bounded, shown and masked."""

from graph.fields.showing import canonical_money, masked_quote, shown
from graph.fields.spec import Choice, Cues, FieldSpec, FieldType
from graph.fields.typed import check_bounds, parse

__all__ = [
    "Choice",
    "Cues",
    "FieldSpec",
    "FieldType",
    "canonical_money",
    "check_bounds",
    "masked_quote",
    "parse",
    "shown",
]
