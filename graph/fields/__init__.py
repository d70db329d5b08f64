"""Field types: what a field is, how its values are read, bounded, shown and masked."""

from graph.fields.parse import check_bounds, parse
from graph.fields.shown import canonical_money, masked_quote, shown
from graph.fields.spec import Choice, Cues, FieldSpec, FieldType

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
