"""Two requests in one sentence, and a request beside an answer: each is kept whole."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from graph.fields.codes import codes
from graph.fields.words import READ_AT_MOST, Source
from graph.reading.clauses import clauses
from graph.reading.model import SopCard
from graph.reading.spans import Span
from graph.reading.understand import asks_for

_JOINT = re.compile(
    r"[ ,，;；。.]*(?:另外|还有|然后|接着|同时|以及|再者|此外|顺便|也|还|再(?=[给帮补退])|"
    r"(?<![a-z])(?:also|and also|and then|then|plus|additionally|besides|secondly|second|and)(?![a-z]))[ ,，:：]*"
)
_LEAD = re.compile(rf"(?:{_JOINT.pattern})+")
_TRIM = " \n,，;；。.、"
_BOTH = re.compile(
    r"(?:那就|那|就|请|麻烦|我要|都给我| )*(?:两单|两个|两笔|两个订单|全部|都|一起)(?:都|一起|依次|挨个|逐个|分别)*"
    r"(?:办|处理|做|补|要|来|弄)(?:理|了|一下|吧|吗)?|(?:please |do )?both(?:,? (?:please|in turn|of them|orders))*|"
    r"all of them|one after the other|(?:each|every) of them"
)
_AFTER = re.compile(
    r"(?:排队|排在后面|排到后面|(?:这一?单|这个|它)办完(?:了|以后|之后|后)?(?:再|就|接着)?|"
    r"(?:please )?(?:queue|queue up|after this(?: one)?|after that|when this(?: one)? is done|next))[ ,，:：]+|"
    r"(?:这一?单|这个)办完(?:了|以后|之后|后)?(?:再|就|接着)"
)
#: So many requests at most are taken out of one sentence.
_MOST = 5


def several(text: str, sops: Sequence[SopCard]) -> list[str]:
    """The requests of a first message, each naming an order of its own; the whole message where it is one request."""
    source = Source(text)
    found = _codes(source.norm, sops)
    if len(found) < 2 or len(text) > READ_AT_MOST:
        return [text]
    cuts = [0]
    for (_, end), (start, _) in pairwise(found):
        at = _cut(source.norm, end, start)
        if at is None:
            return [text]
        cuts.append(at)
    parts = [_part(source, low, high) for low, high in zip(cuts, [*cuts[1:], len(source.norm)], strict=True)]
    if len(parts) > _MOST or not all(part and asks_for(part, sops) for part in parts):
        return [text]
    return parts


def beside(text: str, sops: Sequence[SopCard], known: Collection[str]) -> tuple[str, str] | None:
    """An answer, and the request for another order that follows it: 积分，另外 KL-901 补 20 积分. The answer is empty where
    the whole message is such a request; None where it holds none. `known` are the codes of the case."""
    source = Source(text)
    norm = source.norm
    foreign = [span for span in _codes(norm, sops) if _value(norm, span, sops) not in known]
    if not foreign or len(text) > READ_AT_MOST:
        return None
    starts = [found.end() for found in _JOINT.finditer(norm) if found.start() > 0 and found.end() <= foreign[0][0]]
    for start in starts:
        head, tail = _part(source, 0, start, joint=True), _part(source, start, len(norm))
        if head and asks_for(tail, sops) and not asks_for(head, sops) and not _codes(Source(head).norm, sops):
            return head, tail
    whole = _part(source, 0, len(norm))
    return ("", whole) if asks_for(whole, sops) else None


def behind(text: str, sops: Sequence[SopCard]) -> str:
    """The request that a message itself puts behind the open case: 这单办完再给 KL-901 补 20 积分. Empty for none."""
    source = Source(text)
    found = _AFTER.match(source.norm)
    rest = source.quote(found.end(), len(source.norm)) if found else ""
    return rest if rest and asks_for(rest, sops) else ""


def says_both(text: str) -> bool:
    """Whether an answer to "which order?" is all of them."""
    return _BOTH.fullmatch(Source(text).norm.strip(" \n,，.。!！~")) is not None


def _codes(norm: str, sops: Sequence[SopCard]) -> list[Span]:
    """The first places of the different codes that a text names."""
    fields = {spec.name: spec for sop in sops for spec in sop.fields if spec.type == "code"}
    found: dict[str, Span] = {}
    for code in sorted((code for spec in fields.values() for code in codes(norm, spec)), key=lambda code: code.start):
        found.setdefault(code.value, (code.start, code.end))
    return list(found.values())


def _value(norm: str, span: Span, sops: Sequence[SopCard]) -> str:
    fields = [spec for sop in sops for spec in sop.fields if spec.type == "code"]
    return next(code.value for spec in fields for code in codes(norm, spec) if (code.start, code.end) == span)


def _cut(norm: str, low: int, high: int) -> int | None:
    """Where a new request begins between two codes: at the last joint word, else at the last clause."""
    joints = [found.start() for found in _JOINT.finditer(norm, low, high)]
    breaks = [start for start, _ in clauses(norm) if low < start <= high]
    at = [place for place in (*joints, *breaks) if low < place]
    return max(at, default=None)


def _part(source: Source, low: int, high: int, *, joint: bool = False) -> str:
    words = source.quote(low, high).strip(_TRIM)
    if joint:
        words = re.sub(rf"(?:{_JOINT.pattern})$", "", words, flags=re.IGNORECASE)
    lead = _LEAD.match(words.lower())
    return words[lead.end() :].strip(_TRIM) if lead and lead.end() < len(words) else words.strip(_TRIM)
