"""A run as the model is told of it that words its end: all that it may speak of, and nothing more."""

from __future__ import annotations

import json

from graph.masking import masked_fact
from graph.state import RunState


def record(run: RunState) -> str:
    """All a summary may speak of: the trail and the facts, as data, sensitive values left out."""
    facts = {name: masked_fact(fact).plain() for name, fact in run.facts.items() if not fact.sensitive}
    trail = [entry.model_dump(mode="json", exclude_defaults=True, exclude={"at"}) for entry in run.trail]
    told = {"facts": facts, "trail": trail, "status": run.status, "currency": _currencies(run)}
    return json.dumps(told, sort_keys=True, ensure_ascii=False)


def _currencies(run: RunState) -> list[str]:
    return sorted({fact.currency for fact in run.facts.values() if fact.currency})
