"""Sensitive facts reduced to what may be shown, kept and logged."""

from __future__ import annotations

from collections.abc import Iterable

from graph.fields import FieldSpec
from graph.fields.simple import FOUND_BY_CODE, find
from graph.fields.words import Source
from graph.model import Fact, Lang
from graph.phrases import last_four, masked


def masked_words(words: str, fields: Iterable[FieldSpec], lang: Lang) -> str:
    """What a person said, without anything that one of the sensitive fields could be read from, asked for or not."""
    source = Source(words)
    for spec in fields:
        if spec.sensitive and spec.type in FOUND_BY_CODE:
            for hit in find(source.norm, spec):
                said = source.quote(hit.start, hit.end)
                words = words.replace(said, masked(said).in_(lang))
    return words


def masked_fact(fact: Fact) -> Fact:
    """The fact with what is sensitive inside it reduced to its last four signs; the very same where nothing is."""
    if fact.sensitive and isinstance(fact.value, str):
        return fact.model_copy(update={"value": f"…{last_four(fact.value)}", "quote": None})
    if isinstance(fact.value, dict):
        record = {name: masked_fact(inner) for name, inner in fact.value.items()}
        same = all(record[name] is inner for name, inner in fact.value.items())
        return fact if same else fact.model_copy(update={"value": record})
    if isinstance(fact.value, list):
        items = [masked_fact(inner) for inner in fact.value]
        same = all(new is old for new, old in zip(items, fact.value, strict=True))
        return fact if same else fact.model_copy(update={"value": items})
    return fact
