"""Free text: what of a message is left to be a reason once everything else in it is taken out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graph.reading.fillers import commands, courtesy, faults, goes_on, length, says_anything, substance, usable
from graph.reading.nothing import only_a_number, says_nothing
from graph.reading.stance import stance
from graph.reading.talk import says_yes

Span = tuple[int, int]

_CLAUSE = re.compile(r"(?:[^,，。;；!！?？\n:.→➜|()/]|(?<=[a-z])/(?=[a-z ])|(?<=[0-9])/(?=[0-9])|[,:](?=\d)|\.(?! |$))+")
_BECAUSE = r"because of|because|due to|owing to|on account of"
MARKER = re.compile(
    rf"(?:补偿|退款|投诉)?(?:原因|理由|事由|备注)(?:是|为|:)?|因为|由于|因|(?<![a-z])(?:{_BECAUSE}|since|reason(?: is|:)?|"
    rf"for|"
    r"as(?= (?:the|an?|they|he|she|it|we|our|there) ))(?![a-z])"
)
_LEADING_MARKER = re.compile(
    rf"[ :]*(?:(?:补偿|退款|投诉)?(?:原因|理由|事由)(?: ?是| ?为)?|因为|由于|(?:the )?(?:{_BECAUSE}|reason(?: is|"
    rf" was)?)(?![a-z]))[ :]*"
)
#: A place inside a word.
_SPLIT = re.compile(r"(?<=[a-z])(?=[a-z])")
_CHINESE = re.compile(r"[一-鿿]")
_TRIM = " \n,，.。;；:!！、-~\"'“”‘’()（）[]【】*_"


@dataclass(frozen=True)
class Taken:
    """Spans that are not free text: `labels` (codes), `acts` (amounts, ways), `verbs` of procedures, `weak` ones."""

    labels: Sequence[Span]
    acts: Sequence[Span]
    verbs: Sequence[Span]
    weak: Sequence[Span] = ()

    def all(self) -> list[Span]:
        """Every taken span, in order."""
        return sorted([*self.labels, *self.acts, *self.verbs, *self.weak])


def left_over(start: int, end: int, taken: Sequence[Span]) -> list[Span]:
    """The parts of a span that no taken span covers."""
    parts, at = [], start
    for low, high in sorted(taken):
        if high <= start or low >= end:
            continue
        if low > at:
            parts.append((at, low))
        at = max(at, high)
    if at < end:
        parts.append((at, end))
    return parts


def rest_of(text: str, start: int, end: int, taken: Sequence[Span]) -> str:
    """The words of a span that no taken span covers."""
    return " ".join(text[low:high] for low, high in left_over(start, end, taken))


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without the spaces and stops around it."""
    while start < end and text[start] in _TRIM:
        start += 1
    while start < end and text[end - 1] in _TRIM:
        end -= 1
    return start, end


def whole(text: str) -> Span | None:
    """The whole answer to a question that asked for nothing but free text, without `because` before it."""
    marker = _LEADING_MARKER.match(text)
    start, end = trimmed(text, marker.end() if marker else 0, len(text))
    words = text[start:end]
    nothing = courtesy(words) or says_nothing(text.strip(_TRIM)) or only_a_number(words)
    told = says_anything(words) and not (nothing or commands(words) or goes_on(words) or _only_yes(words))
    return (start, end) if told else None


def _only_yes(words: str) -> bool:
    """Whether words are a yes or a no, and name no fault: not 孩子发烧走不了."""
    return says_yes(words) is not None and not faults(words)


def free_text(text: str, taken: Taken, *, asked: bool) -> Span | None:
    """The longest stretch of the text that is nothing but free text. In an answer (`asked`) a space may set it apart."""
    groups: list[Span] = []
    for clause in _CLAUSE.finditer(text):
        span = _of_clause(text, clause.start(), clause.end(), taken, asked)
        if span and groups and not text[groups[-1][1] : span[0]].strip(_TRIM):
            groups[-1] = (groups[-1][0], span[1])
        elif span:
            groups.append(span)
    return max(
        groups,
        key=lambda span: (faults(text[slice(*span)]), not _beside(text, span, taken), span[1] - span[0]),
        default=None,
    )


def _beside(text: str, span: Span, taken: Taken) -> bool:
    """Whether a code or an amount stands right at a span: it is then more likely a part of the request."""
    low, high = span[0] - 1, span[1] + 1
    near = text[max(low, 0) : span[0]] + text[span[1] : high]
    return not any(sign in _TRIM for sign in near) and _touch(low, high, [*taken.labels, *taken.acts])


def claimed(text: str, span: Span, taken: Taken) -> Span | None:
    """A span that somebody says is free text, if nothing else is in it and it is not from an order or a question to us."""
    start, end = trimmed(text, *span)
    if start >= end or _touch(start, end, [*taken.labels, *taken.acts]):
        return None
    if any(low <= start and end <= high for low, high in taken.verbs):
        return None
    for clause in _CLAUSE.finditer(text):
        inside = clause.start() <= start < clause.end()
        if inside and (_not_told(text, clause.start(), clause.end()) or courtesy(clause.group().strip())):
            return None
    if _SPLIT.match(text, start) or _SPLIT.match(text, end):
        return None
    rest = rest_of(text, start, end, [*taken.verbs, *taken.weak])
    return (start, end) if substance(rest) and usable(text[start:end]) else None


def _of_clause(text: str, start: int, end: int, taken: Taken, asked: bool) -> Span | None:
    if _not_told(text, start, end):
        return None
    act = _touch(start, end, taken.acts) or _asks_for_act(text, start, end, taken)
    if not act and not _touch(start, end, taken.labels):
        return _checked(text, start, end)
    parts = left_over(start, end, [*taken.labels, *taken.acts, *taken.verbs] if act else taken.labels)
    for low, high in parts:
        marker = MARKER.search(text, low, high)
        if marker and marker.start() > low and faults(text[low : marker.start()]):
            continue  # flight missed due to a late shuttle: the whole tells why
        if marker and (span := _checked(text, marker.end(), high)):
            return span
    if act:
        parts = [(low, high) for low, high in parts if _set_apart(text, low, high, start, end)]
    if act and not asked:  # 补 80 现金 导游迟到
        parts = [(low, high) for low, high in parts if _told(text[low:high], high < end)]
    spans = [span for low, high in parts if (span := _checked(text, low, high))]
    return max(spans, key=lambda span: span[1] - span[0], default=None)


def _not_told(text: str, start: int, end: int) -> bool:
    """Whether a clause is a question or an order to the desk."""
    return (
        text[end : end + 1] in ("?", "？")
        or commands(text[start:end])
        or bool(stance(text[start:end].strip(_TRIM), telling=True))
    )


def _asks_for_act(text: str, start: int, end: int, taken: Taken) -> bool:
    """Whether a clause without amounts is a request all the same: it opens with a verb, or is little more than one."""
    inside = [span for span in (*taken.verbs, *taken.weak) if start <= span[0] < end]
    if any(not substance(text[start:low]) for low, _ in inside):
        return True
    return any(start <= low < end for low, _ in taken.verbs) and length(rest_of(text, start, end, inside)) < 4


def _set_apart(text: str, low: int, high: int, start: int, end: int) -> bool:
    """Whether a space or the clause's bound stands on both sides of a part."""
    return (low == start or text[low] == " ") and (high == end or text[high - 1] == " ")


def _checked(text: str, start: int, end: int) -> Span | None:
    if marker := _LEADING_MARKER.match(text, start, end):
        start = marker.end()
    start, end = trimmed(text, start, end)
    if text.endswith("给", start, end):
        start, end = trimmed(text, start, end - 1)
    return (start, end) if start < end and usable(text[start:end]) else None


def _told(words: str, leading: bool) -> bool:
    """Whether words that only a space sets apart are a reason: a fault by name (漏发), or in Chinese and long enough.

    Before values (`leading`) people also greet and ask, so that there they must say more.
    """
    if faults(words):
        return len(_CHINESE.findall(words)) >= 2 or len(words.split()) >= 2
    return len(_CHINESE.findall(words)) >= 4 and (not leading or length(words) >= 4)


def _touch(start: int, end: int, spans: Sequence[Span]) -> bool:
    return any(low < end and high > start for low, high in spans)
