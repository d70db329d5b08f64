"""Whether a message that names a procedure wants it now: what refuses, defers, reports or only supposes it does not."""

from __future__ import annotations

import re

from graph.fields.words import any_of
from graph.reading import wishes
from graph.reading.clauses import HIDDEN, MOST, clauses
from graph.reading.concepts import Spoken, concepts
from graph.reading.stance import stance

_DONE_ZH = re.compile("(?:[过好完]了?|了(?=[^一]|$)|已)")
#: Who asks for help asks for something that is not done: 年费帮我免了, 把账号删了.
_ASKED = re.compile("帮|请|麻烦|给我|把")
_DENIED_EN = re.compile(r"(?<![a-z])(?:not|no|never|don't|dont|do not|without|no need to|needn't)(?: [a-z]+){0,3} ?$")
_ALREADY = re.compile(any_of("", "already|was|were|has been|have been|had|got") + r"(?: [a-z]+)? ?$")
_SINCE = re.compile(any_of("", "already|last (?:week|month)|yesterday|before"))
_PLANNED = re.compile(
    any_of("", "thinking (?:of|about)|maybe|might|planning|considering|whether|if") + "(?: [a-z]+){0,4} ?$"
)


def hesitates(norm: str, acts: frozenset[str]) -> bool:
    """Whether a normalised text holds back from a procedure. `acts` are the concepts of its title that the desk does."""
    spoken = list(concepts(norm))
    hidden = list(norm)
    for one in spoken:
        hidden[one.start : one.end] = HIDDEN * (one.end - one.start)
    text = "".join(hidden)
    spans = clauses(norm)
    if len(spans) > MOST:
        return True
    if any(stance(text[low:high], telling=True) or wishes.MEANT_NOT.match(text[low:high]) for low, high in spans):
        return True
    own = [one for one in spoken if one.concept in acts and one.act]
    return bool(own) and all(_dead(norm, one, spans) for one in own)


def _dead(norm: str, act: Spoken, spans: list[tuple[int, int]]) -> bool:
    """Whether an act is refused, put off, only thought of, or done already."""
    low, high = next((span for span in spans if span[0] <= act.start < span[1]), (0, len(norm)))
    before, after = norm[low : act.start], norm[act.end : high]
    if norm[act.start].isascii():
        told = _ALREADY.search(before) or _SINCE.search(after)
        return bool(_DENIED_EN.search(before) or _PLANNED.search(before) or told)
    refused = wishes.NO.search(before) or wishes.LATER.search(before) or wishes.PAST.search(before)
    done = _DONE_ZH.match(after) and not _ASKED.search(before)
    return bool(refused or done or wishes.IF.search(norm[low:high]))
