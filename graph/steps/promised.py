"""What customers may be told: a time only where the settlement rule gave it, an arrival never before it is known."""

from __future__ import annotations

import re
from collections.abc import Mapping

from graph.errors import MissingFact
from graph.fields.words import Source
from graph.model import Fact, Text
from graph.phrases import both
from graph.reading.promises import promises
from graph.when import compile_value

GIVES_TIMES = "tool:get_settlement_rule"
"""The one source of a time that a customer is told."""
_GAP = re.compile(r"\{([a-z][a-z0-9_.]*)\}")
_ARRIVED = re.compile(r"已(?:经)?到账|已(?:经)?到了|(?:has|have|is|money) arrived|has been received", re.IGNORECASE)
_TIME = re.compile(r"\d{4}-\d\d-\d\d")


def told(words: Text, facts: Mapping[str, Fact]) -> Text | None:
    """The words with their gaps filled from what tools gave; None where one is not known or the guard refuses them."""
    if not allowed(words.zh) or not allowed(words.en):
        return None
    try:
        return both(_filled(words.zh, facts), _filled(words.en, facts))
    except MissingFact:
        return None


def gaps(words: Text) -> tuple[str, ...]:
    """The facts that the words leave gaps for."""
    return tuple(dict.fromkeys(path.partition(".")[0] for path in (*_GAP.findall(words.zh), *_GAP.findall(words.en))))


def allowed(written: str) -> bool:
    """Whether what a file says of itself, its gaps left aside, promises no time and claims no arrival."""
    bare = _GAP.sub(" ", written)
    return not (promises(Source(bare).norm) or _ARRIVED.search(bare) or _TIME.search(bare))


def _filled(words: str, facts: Mapping[str, Fact]) -> str:
    def value(gap: re.Match[str]) -> str:
        path = gap[1]
        found = facts.get(path.partition(".")[0])
        fact = compile_value(path).value(facts)
        if (_TIME.search(str(fact.value)) or promises(Source(str(fact.value)).norm)) and (
            found is None or found.by != GIVES_TIMES
        ):
            raise MissingFact(path)
        return str(fact.value)

    return _GAP.sub(value, words)
