"""What a case is about. Words that name another order are no answer to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from graph.fields import FieldSpec
from graph.fields.codes import codes
from graph.fields.words import Source
from graph.model import Fact


def named_instead(
    text: str, facts: Mapping[str, Fact], fields: Mapping[str, FieldSpec], asked: Collection[str]
) -> tuple[str, str] | None:
    """A code that the case knows, and another one that the text names in its place; None where there is no such.

    Fields that are `asked` for are left out: naming a code is the answer then.
    """
    norm = Source(text).norm
    for name, fact in facts.items():
        spec = fields.get(name)
        if spec is None or spec.type != "code" or name in asked:
            continue
        for code in codes(norm, spec):
            if code.value != fact.value and not code.denied:
                return str(fact.value), code.value
    return None
